//! Two implementations of one table judged as if they were two builds.

use super::regression::{self, Difference, Judgement};
use super::{MachineTable, Place, Work};

impl MachineTable {
    /// Judges `new` by `old`, from the blocks that both were visited in; `None`: there is none, or one of them does not
    /// count.
    pub fn judge(
        &self,
        algorithm: &str,
        work: Work,
        length: usize,
        new: &str,
        old: &str,
        seed: u64,
    ) -> Option<Judgement> {
        let (places, differences): (Vec<Place>, Vec<Difference>) = self
            .logarithms(algorithm, work, length, new, old)
            .into_iter()
            .map(|(place, logarithm)| (place, Difference { process: place.1, logarithm }))
            .unzip();
        let cell = self.row(algorithm, old, work)?.cell(length)?;
        let noise = self.anchors.noise(algorithm, work, length, &places);
        regression::judge(&differences, cell.best_known().middle(), noise, seed)
    }
}
