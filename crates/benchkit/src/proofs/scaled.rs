//! A slower copy made of samples: those of the one side are scaled, less what an empty call takes.

use std::collections::BTreeMap;

use super::pairs::{self, Cell};
use super::toy::NEW;
use crate::record::Record;
use crate::stats;
use crate::table::regression::Verdict;

/// Bytes: too short to be made slower by so few operations exactly.
pub(super) const LENGTH: usize = 576;

/// Whether the rule finds the new one slower when each of its calls takes `slower` more.
pub(super) fn found(mut records: Vec<Record>, cell: Cell, slower: f64, seed: u64) -> Result<bool, String> {
    records.retain(|record| match record {
        Record::Visit(visit) => {
            visit.algorithm == cell.algorithm && visit.operation == cell.operation && visit.length == cell.length
        }
        _ => true,
    });
    let mut empty: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for record in &records {
        if let Record::Overhead(overhead) = record {
            empty.entry(overhead.process).or_default().extend(overhead.ticks.iter().map(|&ticks| ticks as f64));
        }
    }
    let empty: BTreeMap<u32, f64> =
        empty.into_iter().filter_map(|(process, ticks)| Some((process, stats::stabilized_median(&ticks)?))).collect();
    for record in &mut records {
        if let Record::Visit(visit) = record
            && visit.implementation == NEW
        {
            let empty = empty.get(&visit.process).copied().unwrap_or(0.0);
            for ticks in &mut visit.ticks {
                *ticks += (slower * (*ticks as f64 - empty)).round().max(0.0) as u64;
            }
        }
    }
    let table = pairs::table(records, seed)?;
    Ok(cell.judged(&table, seed)?.verdict == Verdict::Regression)
}
