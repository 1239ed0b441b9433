//! Which cells of a run are measured again, and the plan for them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use benchkit::profile::Profile;
use benchkit::protocol::{Cell, Planned};
use benchkit::random::Random;
use benchkit::record::RepeatCell;
use benchkit::suite::Operation;
use benchkit::table::{self, Tables};

use crate::catalog::Choice;
use crate::plan::{Job, Plan};

/// Measuring again may take this share of the time that the run was expected to take.
const SHARE: f64 = 0.5;
/// And at least so long: a short run has few cells.
const LEAST: Duration = Duration::from_secs(30);
/// The two lengths whose difference is the figure of long messages: it is taken within processes, so that one of them
/// alone would be of no use.
const LONG: [usize; 2] = [2048, 4096];

/// Implementations of this workspace.
pub(crate) fn ours(choices: &[Choice<'_>]) -> BTreeSet<Cell> {
    let cells = choices.iter().flat_map(|choice| {
        choice
            .implementations
            .iter()
            .filter(|one| one.ours)
            .map(|one| Cell { algorithm: choice.algorithm.id.clone(), implementation: one.name.clone() })
    });
    cells.collect()
}

/// The cells whose figures are noisy or undecided, as far as there is time for them, and how many there is none for.
pub(crate) fn choose(
    plan: &Plan,
    ours: &BTreeSet<Cell>,
    tables: &Tables,
    rounds: u32,
    seed: u64,
) -> (Vec<RepeatCell>, u32) {
    let mut wanted: BTreeMap<RepeatCell, Vec<RepeatCell>> = BTreeMap::new();
    for one in table::again(tables) {
        let cell = one.record();
        let pair = matches!((cell.operation, cell.profile), (Operation::Hash | Operation::Stream, Profile::Native));
        let lengths = if pair && LONG.contains(&cell.length) { LONG.to_vec() } else { vec![cell.length] };
        let with = |length| RepeatCell { length, ..cell.clone() };
        let all = lengths.into_iter().map(with).filter(|cell| plan.pieces().any(|planned| is_in(cell, planned)));
        wanted.insert(cell.clone(), all.collect());
    }
    // When there is no time for all of them, chance decides; noise of a whole block comes first.
    let mut order: Vec<Vec<RepeatCell>> = wanted.into_values().filter(|cells| !cells.is_empty()).collect();
    Random::new(seed).shuffle(&mut order);
    order.sort_by_key(|cells| cells[0].implementation.is_some());
    let budget = LEAST.max((plan.round() * rounds).mul_f64(SHARE));
    let cost = |cells: &BTreeSet<RepeatCell>| self::plan(plan, ours, cells.iter()).round() * (2 * rounds);
    let mut chosen: BTreeSet<RepeatCell> = BTreeSet::new();
    let all: BTreeSet<RepeatCell> = order.iter().flatten().cloned().collect();
    if cost(&all) <= budget {
        return (all.into_iter().collect(), 0);
    }
    let mut left_out = 0;
    let mut spent = Duration::ZERO;
    let mut started: BTreeSet<usize> = BTreeSet::new();
    for cells in order {
        let new: BTreeSet<RepeatCell> = cells.iter().filter(|cell| !chosen.contains(cell)).cloned().collect();
        let part = self::plan(plan, ours, new.iter());
        // A process that is started anyway costs its start once.
        let begun = part.jobs.iter().filter(|job| started.contains(&position(plan, job))).count() as u32;
        let more = (part.round() - crate::plan::PROCESS * begun) * (2 * rounds);
        if spent + more > budget {
            left_out += new.len() as u32;
            continue;
        }
        spent += more;
        started.extend(part.jobs.iter().map(|job| position(plan, job)));
        chosen.extend(new);
    }
    (chosen.into_iter().collect(), left_out)
}

/// Which process of a whole round a process of a part of it stands for.
fn position(plan: &Plan, part: &Job) -> usize {
    let same = |job: &Job| (job.worker, &job.environment) == (part.worker, &part.environment);
    plan.jobs.iter().position(same).unwrap_or(0)
}

fn is_in(cell: &RepeatCell, planned: &Planned) -> bool {
    planned.algorithm == cell.algorithm
        && (planned.operation, planned.profile) == (cell.operation, cell.profile)
        && planned.messages.max(1) == cell.messages
        && planned.lengths.iter().any(|length| length.bytes == cell.length)
        && cell.implementation.as_ref().is_none_or(|name| planned.implementations.contains(name))
}

/// The plan of a round that measures these cells, each beside ours. One that is named is measured in the first process
/// that has it: ours stand in several.
pub(crate) fn plan<'a>(plan: &Plan, ours: &BTreeSet<Cell>, cells: impl Iterator<Item = &'a RepeatCell>) -> Plan {
    // What is measured again by job, piece and length; `None`: everyone there.
    let mut marked: BTreeMap<(usize, usize, usize), Option<BTreeSet<&str>>> = BTreeMap::new();
    for cell in cells {
        for (number, job) in plan.jobs.iter().enumerate() {
            let mut found = false;
            for (piece, _) in job.plan.iter().enumerate().filter(|(_, planned)| is_in(cell, planned)) {
                found = true;
                let names = marked.entry((number, piece, cell.length)).or_insert_with(|| Some(BTreeSet::new()));
                match (&cell.implementation, names) {
                    (Some(name), Some(names)) => {
                        names.insert(name);
                    }
                    (None, names) => *names = None,
                    (Some(_), None) => {}
                }
            }
            if found && cell.implementation.is_some() {
                break;
            }
        }
    }
    let mut jobs: BTreeMap<usize, Vec<Planned>> = BTreeMap::new();
    for ((number, piece, length), names) in marked {
        let planned = &plan.jobs[number].plan[piece];
        let belongs = |name: &&String| {
            let cell = Cell { algorithm: planned.algorithm.clone(), implementation: (*name).clone() };
            names.as_ref().is_none_or(|names| names.contains(name.as_str()) || ours.contains(&cell))
        };
        jobs.entry(number).or_default().push(Planned {
            implementations: planned.implementations.iter().filter(belongs).cloned().collect(),
            lengths: planned.lengths.iter().filter(|one| one.bytes == length).copied().collect(),
            ..planned.clone()
        });
    }
    plan.with(jobs.into_iter().map(|(number, plan_of)| Job { plan: plan_of, ..plan.jobs[number].clone() }).collect())
}
