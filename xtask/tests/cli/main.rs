//! The real program against a workspace of toy workers (`tests/fixture`).

mod bench;
mod commands;
mod faults;
mod places;
mod records;
mod resumed;
mod sandbox;
mod stopped;
