//! Tables as text, in one style a page.
//!
//! No page shows a figure without saying unit, statistic, clock, and whether the overhead of an empty call was
//! subtracted. Numbers have a decimal point in every locale.

use std::fmt;

use crate::table::Tables;

mod backends;
mod csv;
mod ebash;
mod grid;
mod json;
mod markdown;
mod terminal;
mod words;

/// The pages there are; the first is the one that a bench prints.
pub const NAMES: [&str; 6] = ["terminal", "ebash", "backends", "markdown", "csv", "json"];

/// How a page is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether `terminal` may use escape sequences; no other page ever does.
    pub colour: bool,
    /// Characters in a line of `terminal` and `backends`; `None`: as many as it takes. Wider tables go on below.
    pub width: Option<usize>,
}

/// There is no page of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPage(
    /// The name.
    pub String,
);

impl fmt::Display for UnknownPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no page; there are {}", self.0, NAMES.join(", "))
    }
}

impl std::error::Error for UnknownPage {}

/// Writes a page. It ends with a newline.
///
/// # Errors
///
/// [`UnknownPage`], unless `page` is one of [`NAMES`].
pub fn render(page: &str, tables: &Tables, options: &Options) -> Result<String, UnknownPage> {
    match page {
        "terminal" => Ok(terminal::write(tables, options)),
        "ebash" => Ok(ebash::write(tables)),
        "backends" => Ok(backends::write(tables, options)),
        "csv" => Ok(csv::write(tables)),
        "markdown" => Ok(markdown::write(tables)),
        "json" => Ok(json::write(tables)),
        _ => Err(UnknownPage(page.to_owned())),
    }
}

#[cfg(test)]
mod tests;
