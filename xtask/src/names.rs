//! Names that users type: globs, and the near ones of a wrong one.

use globset::{GlobBuilder, GlobMatcher};

use crate::exit::Failure;

/// A compiled pattern and its text.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: String,
    matcher: GlobMatcher,
}

impl Pattern {
    /// Compiles a glob; a plain name is a glob that matches itself.
    ///
    /// # Errors
    ///
    /// The text is no glob.
    pub(crate) fn new(text: &str) -> Result<Self, Failure> {
        let glob = GlobBuilder::new(text)
            .build()
            .map_err(|error| Failure::new(format!("`{text}` is no pattern: {}", error.kind())))?;
        Ok(Self { text: text.into(), matcher: glob.compile_matcher() })
    }

    /// As it was typed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the name fits.
    pub(crate) fn fits(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }
}

/// `; near ones: a, b`, or `; there are a, b` when nothing is near.
pub(crate) fn suggestion(typed: &str, names: &[&str]) -> String {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return String::new();
    }
    let near = near(typed, &names);
    if near.is_empty() {
        const SHOWN: usize = 40;
        let more = if names.len() > SHOWN { ", .." } else { "" };
        names.truncate(SHOWN);
        format!("; there are {}{more}", names.join(", "))
    } else {
        format!("; near ones: {}", near.join(", "))
    }
}

/// The names that `typed` may have meant, nearest first: few edits away, or containing it.
pub(crate) fn near<'a>(typed: &str, names: &[&'a str]) -> Vec<&'a str> {
    const MOST: usize = 5;
    let plain: String = typed.to_lowercase().chars().filter(|c| !"*?[]{}!".contains(*c)).collect();
    if plain.is_empty() {
        return Vec::new();
    }
    let allowed = (plain.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = names
        .iter()
        .filter_map(|&name| {
            let lower = name.to_lowercase();
            let edits = distance(&plain, &lower);
            (edits <= allowed || lower.contains(&plain)).then_some((edits, name))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=from.len() {
        for j in 1..=to.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("sha256", "sha256"), 0);
        assert_eq!(distance("sha265", "sha256"), 1);
        assert_eq!(distance("sha-256", "sha256"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn near_names_come_nearest_first() {
        let names = ["sha224", "sha256", "sha512", "sha512-256", "blake2b"];
        assert_eq!(near("sha265", &names)[0], "sha256");
        assert_eq!(near("SHA256", &names)[0], "sha256");
        assert_eq!(near("512", &names), ["sha512", "sha512-256"]);
        assert!(near("whirlpool", &names).is_empty());
        assert!(near("*", &names).is_empty());
    }

    #[test]
    fn a_plain_name_fits_itself_alone_and_a_star_crosses_the_slash() {
        let fits = |pattern: &str, name| Pattern::new(pattern).unwrap().fits(name);
        assert!(fits("sha512", "sha512"));
        assert!(!fits("sha512", "sha512-256"));
        assert!(fits("sha512*", "sha512-256"));
        assert!(fits("*shani", "sha2x/shani"));
        assert!(Pattern::new("sha[").is_err());
    }
}
