//! What machine this is, and what is wrong with it for measuring.

use serde::{Deserialize, Serialize};

/// Facts about the machine, as far as it tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Short name for folders: brand, family, model, stepping; letters, digits and hyphens.
    pub slug: String,
    /// Brand string of the CPU.
    pub brand: String,
}
