//! Two implementations of one table judged as if they were two builds.

use super::regression::{self, Difference, Judgement};
use super::{CellKey, MachineTable, Work};

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
        let middles = |implementation: &str| {
            let (algorithm, implementation) = (algorithm.to_owned(), implementation.to_owned());
            self.middles.get(&CellKey { algorithm, implementation, work, length })
        };
        let (after, before) = (middles(new)?, middles(old)?);
        let differences: Vec<Difference> = after
            .iter()
            .filter_map(|(place, after)| {
                let logarithm = (after / before.get(place)?).ln();
                logarithm.is_finite().then_some(Difference { process: place.1, logarithm })
            })
            .collect();
        let cell = self.row(algorithm, old, work)?.cell(length)?;
        regression::judge(&differences, cell.best_known().middle(), cell.noise, seed)
    }
}
