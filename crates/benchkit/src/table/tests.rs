use super::simulated::{MODELS, Simulation, TICKS_PER_SECOND, cycles, usual};
use super::*;
use crate::random::Random;
use crate::record::{Discarded, Record};

mod again;
mod forced;
mod profiles;
mod rebuilt;
mod repeated;
mod resumed;
mod threads;

const HASH: Work = Work { operation: Operation::Hash, messages: 1, profile: Profile::Native };
const LENGTHS: [usize; 7] = [8, 64, 2048, 4096, 8192, 16384, 100];

fn build(runs: &[&Simulation]) -> Tables {
    Tables::build(&runs.iter().map(|run| run.read()).collect::<Vec<_>>())
}

fn only(tables: &Tables) -> &MachineTable {
    let [machine] = &tables.machines[..] else { panic!("{} machines", tables.machines.len()) };
    machine
}

fn row<'a>(table: &'a MachineTable, implementation: &str) -> &'a Row {
    let mut rows = table.rows.iter().filter(|row| row.implementation == implementation);
    let row = rows.next().unwrap_or_else(|| panic!("no row {implementation}"));
    assert_eq!(rows.next(), None);
    row
}

fn close(found: f64, wanted: f64, relative: f64) {
    assert!((found / wanted - 1.0).abs() <= relative, "{found} is not {wanted}");
}

#[test]
fn figures_are_those_of_the_machine() {
    let tables = build(&[&usual("a", "r", 1, &LENGTHS)]);
    let table = only(&tables);
    assert_eq!((table.clock.as_deref(), table.unit, table.contended), (Some("tsc"), Unit::Cycles, false));
    assert_eq!(table.ticks_per_second, Some(TICKS_PER_SECOND));
    close(table.core_hertz().unwrap(), TICKS_PER_SECOND / 64.0, 1e-9);
    assert_eq!(table.warnings, [""; 0]);
    assert_eq!(table.lengths(), [8, 64, 100, 2048, 4096, 8192, 16384]);
    for (name, fixed, byte) in MODELS {
        let row = row(table, name);
        assert_eq!((row.work, &row.state, row.version.as_deref()), (Some(HASH), &State::Measured, Some("1.0")));
        assert_eq!(row.ours, Some(name.starts_with("ours")));
        assert_eq!(row.cells.len(), LENGTHS.len());
        for cell in &row.cells {
            let net = fixed + byte * cell.length as f64;
            // The overhead of each process is subtracted, not that of all: 20 here, 30 there.
            close(cell.net.unwrap().middle(), net, 0.0005);
            // Noise is evenly spread over +-0.1 % of the whole: half of that range lies between the quartiles.
            close(cell.net.unwrap().quartiles[2] - cell.net.unwrap().quartiles[0], (net + 25.0) * 0.001, 0.3);
            close(cell.raw.middle(), net + 25.0, 0.001);
            close(cell.process_spread.unwrap(), 10.0, 0.0005 * net);
            assert_eq!((cell.samples, cell.visits, cell.processes, cell.runs), (64, 4, 2, 1));
            assert_eq!((cell.left_out, cell.marks.as_slice()), (0, &[][..]));
            assert!(cell.noise.unwrap() < 0.001);
            close(cell.slowdown.unwrap(), 1.0, 1e-9);
            close(cell.per_byte(net).unwrap() * cell.length as f64, net, 1e-12);
        }
        let long = row.long.as_ref().unwrap();
        assert_eq!((long.bytes, long.visits, long.samples), (2048, 4, 64));
        close(long.per_byte(long.net.unwrap().middle()).unwrap(), byte, 0.002);
        assert_eq!(long.net, Some(long.raw));
        let slope = row.slope.as_ref().unwrap();
        close(slope.cycles_per_byte, byte, 0.001);
        assert!((slope.fixed_cycles - fixed).abs() < 5.0, "{}", slope.fixed_cycles);
        assert_eq!((&slope.lengths[..], slope.aligned), (&[2048, 4096, 8192, 16384][..], true));
    }
}

#[test]
fn ratios_are_those_of_the_machine() {
    let tables = build(&[&usual("a", "r", 1, &LENGTHS)]);
    let table = only(&tables);
    let lengths: Vec<usize> = table.comparisons.iter().map(|comparison| comparison.length).collect();
    assert_eq!(lengths, table.lengths());
    for comparison in &table.comparisons {
        assert_eq!((&*comparison.ours, &*comparison.peer, comparison.pairs), ("ours/fast", "peer/evp", 4));
        let length = comparison.length as f64;
        let wanted = (44.0 + 2.0 * length) / (240.0 + 2.1 * length);
        close(comparison.ratio, wanted, 0.001);
        let [lower, upper] = comparison.interval.unwrap();
        assert!(lower <= comparison.ratio && comparison.ratio <= upper);
        close(lower, wanted, 0.002);
        close(upper, wanted, 0.002);
        assert_eq!(comparison.noise, row(table, "ours/fast").cell(comparison.length).unwrap().noise);
    }
    let other = table.compare("sha256", HASH, 4096, "ours/portable", "ours/fast").unwrap();
    close(other.ratio, (60.0 + 8.0 * 4096.0) / (44.0 + 2.0 * 4096.0), 0.001);
    assert_eq!(table.compare("sha256", HASH, 4096, "ours/portable", "no/such"), None);
}

/// Whatever the order of the lines, and however often a file is given.
#[test]
fn order_and_repetition_do_not_matter() {
    let run = usual("a", "r", 1, &LENGTHS);
    let wanted = build(&[&run]);
    let mut shuffled = Simulation::new("a", "r", 1);
    shuffled.records = run.records.clone();
    Random::new(9).shuffle(&mut shuffled.records);
    assert_ne!(shuffled.records, run.records);
    assert_eq!(build(&[&shuffled]), wanted);
    assert_eq!(build(&[&shuffled, &run]), wanted);
}

#[test]
fn machines_clocks_and_units_stay_apart() {
    let one = usual("a", "r1", 1, &[64]);
    let mut ticks = usual("a", "r3", 3, &[64]);
    for record in &mut ticks.records {
        if let Record::Process(process) = record {
            process.unit = Unit::Ticks;
        }
    }
    let tables = build(&[&usual("b", "r2", 2, &[64]), &one, &ticks]);
    let seen: Vec<_> = tables.machines.iter().map(|table| (&*table.machine.slug, table.unit)).collect();
    assert_eq!(seen, [("a", Unit::Cycles), ("a", Unit::Ticks), ("b", Unit::Cycles)]);
    assert_eq!(tables.machines[0], only(&build(&[&one])).clone());
    let cell = row(&tables.machines[1], "ours/fast").cell(64).unwrap();
    // Ticks are not divided by anything.
    close(cell.net.unwrap().middle(), 64.0 * (44.0 + 128.0), 0.001);
    assert_eq!(cell.marks.last(), Some(&Mark::Ticks));
    assert!(tables.machines[1].warnings.iter().any(|warning| warning.contains("self-test: as wished")));
    assert_eq!(tables.machines[1].core_hertz(), None);
}

#[test]
fn runs_are_pooled_if_they_agree() {
    let old = usual("a", "r1", 1, &[64]);
    let tables = build(&[&old, &usual("a", "r2", 2, &[64])]);
    let cell = row(only(&tables), "ours/fast").cell(64).unwrap();
    assert_eq!((cell.runs, cell.processes, cell.samples, cell.marks.len()), (2, 4, 128, 0));

    let mut new = Simulation::new("a", "r2", 2);
    new.process(20.0).block("sha256", 64, &[("ours/fast", 2.0 * (44.0 + 128.0) + 20.0)]).end();
    // The order in which the files are given decides nothing.
    let tables = build(&[&new, &old]);
    let cell = row(only(&tables), "ours/fast").cell(64).unwrap();
    assert_eq!((cell.runs, cell.samples, &cell.marks[..]), (1, 16, &[Mark::Runs][..]));
    close(cell.net.unwrap().middle(), 2.0 * (44.0 + 128.0), 0.001);
    assert_eq!(row(only(&tables), "ours/portable").cell(64).unwrap().runs, 1);
}

#[test]
fn other_builds_are_named() {
    let mut new = usual("a", "r2", 2, &[64]);
    if let Record::Run(run) = &mut new.records[0] {
        run.build.rustflags = "-C target-cpu=native".to_owned();
    }
    let tables = build(&[&usual("a", "r1", 1, &[64]), &new]);
    assert_eq!(only(&tables).warnings, ["runs r1 and r2 differ in RUSTFLAGS: \"\", \"-C target-cpu=native\""]);
}

#[test]
fn a_wrong_digest_leaves_no_figures() {
    let mut run = usual("a", "r1", 1, &[64, 100]);
    run.visits("ours/fast", 100).last().unwrap().digest_ok = false;
    let tables = build(&[&run]);
    let failed = row(only(&tables), "ours/fast");
    let State::DigestFail { reason } = &failed.state else { panic!("{:?}", failed.state) };
    assert_eq!(reason, "wrong digest of 100 bytes in process 1, block 3 of run r1");
    assert_eq!((failed.cells.len(), tables.failures()), (0, 1));
    assert_eq!(only(&tables).comparisons[0].ours, "ours/portable");
    // A newer run without the fault counts again; the older one still does not.
    let tables = build(&[&run, &usual("a", "r2", 2, &[64])]);
    let mended = row(only(&tables), "ours/fast");
    assert_eq!((mended.state.clone(), mended.cells.len(), mended.cells[0].runs), (State::Measured, 1, 1));
    // An older run does not help.
    let tables = build(&[&run, &usual("a", "r0", 0, &[64])]);
    assert!(row(only(&tables), "ours/fast").state.failed());
}

#[test]
fn a_failed_gate_leaves_no_figures() {
    let mut run = usual("a", "r1", 1, &[64]);
    run.kat("sha256", "peer/evp", Some("16 bytes: not the digest"));
    let tables = build(&[&run, &usual("a", "r0", 0, &[64])]);
    let failed = &only(&tables).rows[0];
    assert_eq!(failed.implementation, "peer/evp", "failures come first");
    assert_eq!(failed.state, State::KatFail { reason: "16 bytes: not the digest".to_owned() });
    assert_eq!((failed.cells.len(), failed.work, tables.failures()), (0, None, 1));
    assert_eq!(only(&tables).comparisons, []);
}

#[test]
fn absent_rows_come_last_and_need_no_timing() {
    let mut run = Simulation::new("a", "r", 1);
    run.absent("sha256", "gcrypt/default", "libgcrypt is not there", "install libgcrypt20");
    let tables = build(&[&run]);
    let table = only(&tables);
    assert_eq!((table.clock.as_deref(), table.rows.len(), tables.failures()), (None, 1, 0));
    assert_eq!(table.warnings, ["run r was cut short"]);
    let mut run = usual("a", "r", 1, &[64]);
    run.absent("sha256", "gcrypt/default", "libgcrypt is not there", "install libgcrypt20");
    let last = only(&build(&[&run])).rows.last().unwrap().clone();
    assert_eq!(last.implementation, "gcrypt/default");
    assert_eq!(
        last.state,
        State::Absent { reason: "libgcrypt is not there".to_owned(), remedy: Some("install libgcrypt20".to_owned()) }
    );
}

/// Each mark, and nothing but it, from the least change that deserves it.
#[test]
fn marks() {
    let marks = |change: &dyn Fn(&mut Simulation)| {
        let mut run = usual("a", "r", 1, &[4096]);
        change(&mut run);
        row(only(&build(&[&run])), "ours/fast").cell(4096).unwrap().marks.clone()
    };
    let scale = |run: &mut Simulation, process: u32, part: usize, factor: f64| {
        for visit in run.visits("ours/fast", 4096).filter(|visit| visit.process >= process) {
            visit.ticks.iter_mut().take(part).for_each(|ticks| *ticks = (*ticks as f64 * factor) as u64);
        }
    };
    assert_eq!(marks(&|_| ()), []);
    assert_eq!(marks(&|run| scale(run, 0, 8, 1.04)), []);
    assert_eq!(marks(&|run| scale(run, 0, 8, 1.07)), [Mark::Spread]);
    assert_eq!(marks(&|run| scale(run, 1, 16, 1.025)), []);
    assert_eq!(marks(&|run| scale(run, 1, 16, 1.04)), [Mark::Processes]);
    assert_eq!(marks(&|run| recalibrate(run, 4, [64.0, 64.15])), [Mark::Frequency]);
    assert_eq!(marks(&|run| recalibrate(run, 4, [64.0, 65.0])), [Mark::FrequencyChanged]);
    // One process only, or its calibrations would drag the usual along.
    assert_eq!(marks(&|run| recalibrate(run, 4, [64.9, 64.9])), [Mark::OwnFrequency]);
    let overhead = |run: &mut Simulation| {
        for record in &mut run.records {
            if let Record::Overhead(overhead) = record {
                overhead.ticks.iter_mut().step_by(2).for_each(|ticks| *ticks += 64 * 200);
            }
        }
    };
    assert_eq!(marks(&overhead), [Mark::Overhead]);
}

/// Gives `count` visits of ours/fast other calibrations. That of the process stays what it was.
fn recalibrate(run: &mut Simulation, count: usize, k: [f64; 2]) {
    let wanted: Vec<(u32, [u32; 2])> = run
        .visits("ours/fast", 4096)
        .filter(|visit| visit.discarded.is_none())
        .take(count)
        .map(|visit| (visit.process, visit.cal))
        .collect();
    for record in &mut run.records {
        if let Record::Cal(cal) = record
            && let Some(place) = wanted
                .iter()
                .filter(|(process, _)| *process == cal.process)
                .find_map(|(_, cals)| cals.iter().position(|&one| one == cal.cal))
        {
            cal.ticks.fill((k[place] * 192.0 * 64.0).round() as u64);
        }
    }
}

#[test]
fn visits_with_a_changed_frequency_leave_if_others_stay() {
    let mut run = usual("a", "r", 1, &[4096]);
    recalibrate(&mut run, 1, [64.0, 128.0]);
    let tables = build(&[&run]);
    let cell = row(only(&tables), "ours/fast").cell(4096).unwrap();
    assert_eq!((cell.visits, cell.left_out, cell.marks.len()), (3, 1, 0));
    assert_eq!(only(&tables).comparisons[0].pairs, 3);
}

/// The visits to `ours/fast` of these processes take 1.7 times as long, and the wide loop behind them says why.
fn share(run: &mut Simulation, processes: &[u32]) {
    let mut cals = Vec::new();
    for visit in run.visits("ours/fast", 4096).filter(|visit| processes.contains(&visit.process)) {
        visit.ticks.iter_mut().for_each(|ticks| *ticks = *ticks * 17 / 10);
        cals.push((visit.process, visit.cal[1]));
    }
    for record in &mut run.records {
        if let Record::Cal(cal) = record
            && cals.contains(&(cal.process, cal.cal))
        {
            cal.wide.iter_mut().for_each(|ticks| *ticks = *ticks * 17 / 10);
        }
    }
}

#[test]
fn visits_on_a_shared_core_leave_if_others_stay() {
    let mut run = usual("a", "r", 1, &[4096]);
    share(&mut run, &[0]);
    let tables = build(&[&run]);
    let cell = row(only(&tables), "ours/fast").cell(4096).unwrap();
    assert_eq!((cell.visits, cell.left_out, cell.marks.len()), (2, 2, 0));
    close(cell.net.unwrap().middle(), 44.0 + 2.0 * 4096.0, 0.0005);
    // Two pairs are too few, so that the others stand in for them; the run says that it was not alone.
    assert_eq!(only(&tables).comparisons[0].pairs, 4);
    assert!(only(&tables).contended);
    let said = "somebody else used the units of this core, its other hardware thread most likely, beside 10 % of the visits; \
                where a cell has others, they alone count";
    assert_eq!(only(&tables).warnings, [said]);

    share(&mut run, &[1]);
    let tables = build(&[&run]);
    let cell = row(only(&tables), "ours/fast").cell(4096).unwrap();
    assert_eq!((cell.visits, cell.left_out, &*cell.marks), (4, 0, &[Mark::Shared][..]));
}

/// Records that were made before the wide loop, or by a clock that cannot tell, count as ever.
#[test]
fn without_a_wide_loop_nothing_is_shared() {
    let mut run = usual("a", "r", 1, &[4096]);
    let before = build(&[&run]);
    for record in &mut run.records {
        if let Record::Cal(cal) = record {
            cal.wide.clear();
        }
    }
    assert_eq!(build(&[&run]), before);
}

/// What is discarded, contradicted or without calibration never counts.
#[test]
fn what_does_not_count() {
    let mut run = usual("a", "r", 1, &[4096]);
    for visit in run.visits("ours/fast", 4096).filter(|visit| visit.process == 0 && visit.discarded.is_none()) {
        visit.discarded = Some(Discarded::Switch);
        visit.ticks.fill(1);
    }
    let tables = build(&[&run]);
    let cell = row(only(&tables), "ours/fast").cell(4096).unwrap();
    assert_eq!((cell.visits, cell.processes, cell.process_spread), (2, 1, None));
    close(cell.net.unwrap().middle(), 44.0 + 2.0 * 4096.0, 0.0005);
    assert!(only(&tables).contended, "2 of 18 visits");
    assert!(tables.are_whole());

    let mut run = usual("a", "r", 1, &[4096]);
    let mut twice = run.visits("ours/fast", 4096).next().unwrap().clone();
    twice.ticks[0] += 1;
    run.records.push(Record::Visit(twice));
    let tables = build(&[&run]);
    assert_eq!(row(only(&tables), "peer/evp").cell(4096).unwrap().processes, 1);
    assert_eq!(only(&tables).warnings, ["process 0 of run r does not count: two of its records contradict each other"]);
    assert!(!tables.are_whole());

    let mut run = usual("a", "r", 1, &[4096]);
    run.records.retain(|record| !matches!(record, Record::Cal(cal) if cal.process == 0 && cal.cal >= 4));
    let tables = build(&[&run]);
    assert_eq!(row(only(&tables), "peer/evp").cell(4096).unwrap().processes, 1);
    assert!(only(&tables).warnings[0].ends_with("visits do not count: a calibration of theirs is missing"));
    assert!(!tables.are_whole());
}

#[test]
fn without_overhead_there_is_no_net() {
    let mut run = usual("a", "r", 1, &[64]);
    run.records.retain(|record| !matches!(record, Record::Overhead(_)));
    let tables = build(&[&run]);
    let cell = row(only(&tables), "ours/fast").cell(64).unwrap();
    assert_eq!(cell.net, None);
    close(cell.best_known().middle(), 44.0 + 128.0 + 25.0, 0.01);
    assert!(only(&tables).warnings[0].contains("raw only"));
}

/// One sample has no spread, length 0 no figure a byte.
#[test]
fn one_sample_and_no_bytes() {
    let mut run = Simulation::new("a", "r", 1);
    run.process(20.0).block("sha256", 0, &cycles(0, 20.0)).end();
    for record in &mut run.records {
        if let Record::Visit(visit) = record {
            visit.ticks.truncate(1);
        }
    }
    let tables = build(&[&run]);
    let row = row(only(&tables), "ours/fast");
    let cell = &row.cells[0];
    assert_eq!((cell.samples, cell.raw.deviation, cell.process_spread), (1, None, None));
    assert_eq!((cell.per_byte(cell.raw.middle()), row.ours), (None, None));
    close(cell.net.unwrap().middle(), 44.0, 0.01);
    // Without the line about the algorithm nobody is ours.
    assert_eq!(only(&tables).comparisons, []);
    let comparison = only(&tables).compare("sha256", HASH, 0, "ours/fast", "peer/evp").unwrap();
    assert_eq!((comparison.pairs, comparison.interval), (1, None));
}

#[test]
fn many_messages_are_divided_by_all_their_bytes() {
    let mut run = Simulation::new("a", "r", 1);
    run.algorithm("sha256", None, &[("ours/fast", true)]).process(20.0);
    run.work = (Operation::Batch, 16);
    for length in [2048, 4096, 8192, 16384] {
        run.block("sha256", length, &[("ours/fast", 100.0 + 0.9 * 16.0 * length as f64 + 20.0)]);
    }
    let tables = build(&[&run]);
    let row = row(only(&tables), "ours/fast");
    assert_eq!(row.work.unwrap().to_string(), "batch x16");
    let (cell, long) = (row.cell(4096).unwrap(), row.long.as_ref().unwrap());
    assert_eq!((cell.bytes, long.bytes), (16 * 4096, 16 * 2048));
    close(cell.per_byte(cell.net.unwrap().middle()).unwrap(), 0.9, 0.003);
    close(long.per_byte(long.raw.middle()).unwrap(), 0.9, 0.003);
    close(row.slope.as_ref().unwrap().cycles_per_byte, 0.9, 0.002);
}

#[test]
fn algorithms_stand_by_family_and_number() {
    let mut run = Simulation::new("a", "r", 1);
    run.process(20.0);
    for (id, ours) in [
        ("sha512-256", "sha2x/portable"),
        ("sha3-256", "keccakx/portable"),
        ("sha512", "sha2x/portable"),
        ("keccak-c1024", "keccakx/portable"),
        ("keccak-c512", "keccakx/portable"),
        ("sha224", "sha2x/portable"),
    ] {
        run.algorithm(id, None, &[(ours, true)]).block(id, 64, &[(ours, 500.0)]);
    }
    run.block("md5", 64, &[("peer/evp", 300.0)]);
    let tables = build(&[&run]);
    let order: Vec<&str> = only(&tables).rows.iter().map(|row| &*row.algorithm).collect();
    assert_eq!(order, ["keccak-c512", "keccak-c1024", "sha3-256", "sha224", "sha512", "sha512-256", "md5"]);
}
