//! The real program against a workspace of toy workers (`tests/fixture`).

mod again;
mod bench;
mod commands;
mod faults;
mod native;
mod peers;
mod places;
mod records;
mod resumed;
mod sandbox;
mod stopped;
