//! Groestl, as it was submitted to the last round.

use benchkit::suite::Implementation;

use super::fixed;

/// The rows of an algorithm: one, if the crate `groestl` has it.
pub(super) fn rows(id: &str) -> Vec<Implementation> {
    let row = match id {
        "groestl224" => fixed::<groestl::Groestl224>("groestl"),
        "groestl256" => fixed::<groestl::Groestl256>("groestl"),
        "groestl384" => fixed::<groestl::Groestl384>("groestl"),
        "groestl512" => fixed::<groestl::Groestl512>("groestl"),
        _ => return Vec::new(),
    };
    vec![row]
}
