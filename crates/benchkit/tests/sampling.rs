//! Sampling on a simulated machine: its core, its counter and its troubles are exactly known.

mod simulated;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use benchkit::clock::choose::{self, Choice, Probe};
use benchkit::clock::{self, CALIBRATION, SelfTest};
use benchkit::measure::{ANCHOR, Rate, measure, message_lengths};
use benchkit::profile::Profile;
use benchkit::protocol::{Measure, Planned, PlannedLength};
use benchkit::random::Random;
use benchkit::record::{Cal, Discarded, Record, Unit, Visit};
use benchkit::stats;
use benchkit::suite::{Hasher, Implementation, Operation, Suite};
use digest::Digest as _;
use simulated::{K, Machine, READ, Simulated, TICKS_PER_SECOND, costing, suite};

fn plan(suite: &Suite, operation: Operation, messages: usize, lengths: &[usize], visits: u32) -> Measure {
    let algorithm = &suite.algorithms[0];
    Measure {
        process: 3,
        seed: 99,
        cpu: None,
        clock: None,
        samples: 16,
        anchors: true,
        plan: vec![Planned {
            algorithm: algorithm.id.to_owned(),
            implementations: algorithm.implementations.iter().map(Implementation::name).collect(),
            operation,
            profile: Profile::Native,
            seconds: 0.0,
            messages,
            lengths: lengths.iter().map(|&bytes| PlannedLength { bytes, visits }).collect(),
        }],
    }
}

fn run(machine: &Rc<Machine>, suite: &Suite, request: &Measure) -> Vec<Record> {
    let mut records = Vec::new();
    let clock = Simulated(Rc::clone(machine));
    let rate = rate(&clock);
    measure(suite, request, &clock, rate, &mut |record| records.push(record)).expect("a good plan");
    records
}

fn rate(clock: &Simulated) -> Rate {
    let probe = Probe::of(Choice::Tsc, Ok(clock));
    let (_, unit, self_test) = choose::decide(None, &[probe]).expect("there is a clock");
    Rate { ticks_per_second: TICKS_PER_SECOND, unit, self_test }
}

fn visits(records: &[Record]) -> Vec<&Visit> {
    records.iter().filter_map(|record| if let Record::Visit(visit) = record { Some(visit) } else { None }).collect()
}

/// Cycles a call of each counted sample of an implementation, by its own visit's k.
fn cycles(records: &[Record], implementation: &str) -> Vec<f64> {
    let cals: BTreeMap<u32, &Cal> = records
        .iter()
        .filter_map(|record| if let Record::Cal(cal) = record { Some((cal.cal, cal)) } else { None })
        .collect();
    let k = |id: u32| clock::ticks_per_cycle(&cals[&id].ticks).expect("time passes");
    visits(records)
        .into_iter()
        .filter(|visit| visit.implementation == implementation && visit.discarded.is_none())
        .flat_map(|visit| {
            let k = (k(visit.cal[0]) + k(visit.cal[1])) / 2.0;
            visit.ticks.iter().map(move |&ticks| ticks as f64 / k)
        })
        .collect()
}

fn close(got: f64, want: f64, relative: f64) {
    assert!((got / want - 1.0).abs() <= relative, "{got} is not within {relative} of {want}");
}

#[test]
fn calibration_finds_the_core_behind_the_counter() {
    let machine = Machine::new(1);
    machine.noise.set(0.002);
    let clock = Simulated(machine);
    for _ in 0..20 {
        let k = clock::ticks_per_cycle(&clock::calibrate(&clock, CALIBRATION)).expect("time passes");
        close(k, K, 0.005);
    }
}

#[test]
fn a_good_clock_passes_its_self_test() {
    let machine = Machine::new(2);
    machine.noise.set(0.001);
    let test = SelfTest::run(&Simulated(machine));
    assert!(test.passed(), "{test}");
}

#[test]
fn a_clock_that_counts_no_cycles_fails_its_self_test() {
    let dead = Machine::new(3);
    dead.dead.set(true);
    assert!(!SelfTest::run(&Simulated(dead)).passed(), "it stands still");

    let noisy = Machine::new(4);
    noisy.noise.set(0.02);
    assert!(!SelfTest::run(&Simulated(noisy)).passed(), "its calibrations disagree");

    let eliminated = Machine::new(5);
    eliminated.multiply.set(3.05);
    assert!(!SelfTest::run(&Simulated(eliminated)).passed(), "its chain does not take one cycle an operation");
}

#[test]
fn a_failed_self_test_makes_the_unit_ticks() {
    for (noise, unit) in [(0.0, Unit::Cycles), (0.05, Unit::Ticks)] {
        let machine = Machine::new(6);
        machine.noise.set(noise);
        let suite = suite(vec![costing(&machine, "portable", |_| 1000.0, |_| ())]);
        let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[64], 1));
        let Record::Process(process) = &records[0] else { panic!("a process begins with its own record") };
        assert_eq!(process.unit, unit);
    }
}

#[test]
fn known_costs_come_out_in_core_cycles() {
    let machine = Machine::new(7);
    machine.noise.set(0.002);
    let suite = suite(vec![
        costing(&machine, "portable", |bytes| 500.0 + 10.0 * bytes as f64, |_| ()),
        costing(&machine, "fast", |bytes| 300.0 + 2.0 * bytes as f64, |_| ()),
    ]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[4096], 4));
    // What a read takes is part of each sample; the overhead records are there to take it away.
    for (name, want) in [("toy/portable", 500.0 + 40_960.0), ("toy/fast", 300.0 + 8192.0)] {
        let samples = cycles(&records, name);
        assert_eq!(samples.len(), 4 * 16);
        close(stats::stabilized_quartiles(&samples).expect("samples")[1], want + READ / K, 0.003);
    }
    assert!(records.iter().any(|record| matches!(record, Record::Overhead(_))));
}

#[test]
fn many_messages_are_one_call() {
    let machine = Machine::new(8);
    let suite = suite(vec![costing(&machine, "portable", |bytes| 100.0 + bytes as f64, |_| ())]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Batch, 16, &[1536], 2));
    let samples = cycles(&records, "toy/portable");
    close(stats::median(&samples).expect("samples"), 16.0 * (100.0 + 1536.0) / 4.0 + READ / K, 0.01);
    assert!(visits(&records).iter().all(|visit| visit.digest_ok && visit.messages == 16));
}

#[test]
fn squeezed_output_and_trees_are_timed_by_their_own_functions() {
    for (operation, want) in [(Operation::Xof, 100.0 + 1536.0), (Operation::Tree, (100.0 + 1536.0) / 2.0)] {
        let machine = Machine::new(18);
        let suite = suite(vec![costing(&machine, "portable", |bytes| 100.0 + bytes as f64, |_| ())]);
        let records = run(&machine, &suite, &plan(&suite, operation, 1, &[1536], 2));
        close(stats::median(&cycles(&records, "toy/portable")).expect("samples"), want + READ / K, 0.01);
        assert!(visits(&records).iter().all(|visit| visit.digest_ok));
    }
}

#[test]
fn every_profile_finds_the_cost_of_a_call() {
    for profile in Profile::ALL {
        let machine = Machine::new(19);
        let suite = suite(vec![costing(&machine, "portable", |bytes| 10_000.0 + bytes as f64, |_| ())]);
        let mut request = plan(&suite, Operation::Hash, 1, &[64], 1);
        request.plan[0].profile = profile;
        request.plan[0].seconds = 0.01;
        let records = run(&machine, &suite, &request);
        let counted: Vec<_> =
            visits(&records).into_iter().filter(|visit| visit.discarded.is_none() && visit.anchor.is_none()).collect();
        assert_eq!(counted.len(), 1, "{profile}");
        assert!(counted[0].digest_ok && counted[0].profile == profile);
        let calls = counted[0].calls as f64;
        let each: Vec<f64> = counted[0].ticks.iter().map(|&ticks| ticks as f64 / calls / K).collect();
        close(stats::median(&each).expect("samples"), 10_064.0 + READ / K / calls, 0.001);
        let want = match profile {
            Profile::Native | Profile::Cold => (1.0, 16),
            Profile::Throughput => (2.0, 8),
            Profile::Niccs => (3552.0, 5),
            Profile::Minmean => (100.0, 10),
            Profile::Openssl => (4.0, each.len()),
        };
        assert_eq!((calls, each.len()), want, "{profile}");
        if profile == Profile::Openssl {
            let spent: u64 = counted[0].ticks.iter().sum();
            close(spent as f64, 0.01 * TICKS_PER_SECOND, 0.01);
        }
    }
}

#[test]
fn ragged_messages_have_the_mean_that_was_asked_for() {
    let mut random = Random::new(1);
    for messages in [2, 8, 16] {
        let lengths = message_lengths(Operation::Ragged, messages, 1000, &mut random);
        assert_eq!(lengths.iter().sum::<usize>(), 1000 * messages);
        assert!(lengths.iter().any(|&length| length != 1000));
    }
    assert_eq!(message_lengths(Operation::Batch, 3, 7, &mut random), [7, 7, 7]);
}

#[test]
fn blocks_hold_everyone_in_random_places_and_never_begin_with_an_anchor() {
    let machine = Machine::new(9);
    let names = ["portable", "b", "c"];
    let suite = suite(names.iter().map(|name| costing(&machine, name, |_| 2000.0, |_| ())).collect());
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[8, 64, 576], 8));
    let mut blocks: BTreeMap<u32, Vec<&Visit>> = BTreeMap::new();
    for visit in visits(&records) {
        blocks.entry(visit.block).or_default().push(visit);
    }
    assert_eq!(blocks.len(), 3 * 8);
    let mut second = BTreeSet::new();
    for block in blocks.values() {
        assert_eq!(block[0].discarded, Some(Discarded::Opening));
        assert!(block.iter().all(|visit| visit.length == block[0].length), "one length a block");
        let counted: Vec<_> = block.iter().filter(|visit| visit.discarded.is_none()).collect();
        assert_eq!(counted.len(), 5);
        assert!(counted[0].anchor.is_none());
        assert_eq!(counted.iter().filter(|visit| visit.implementation == ANCHOR).count(), 2);
        assert_eq!(counted.iter().filter_map(|visit| visit.anchor).map(u32::from).sum::<u32>(), 1 + 2);
        for name in names {
            assert_eq!(counted.iter().filter(|visit| visit.implementation == format!("toy/{name}")).count(), 1);
        }
        second.insert((counted[1].implementation.clone(), counted[1].anchor));
    }
    assert!(second.len() >= 4, "the order does not vary: {second:?}");
    let lengths: Vec<_> = blocks.values().map(|block| block[0].length).collect();
    assert!(!lengths.is_sorted(), "lengths come in random order: {lengths:?}");
    let seeds: BTreeSet<_> = visits(&records).iter().map(|visit| visit.seed).collect();
    assert_eq!(seeds.len(), 3 * 8 * 6, "each visit has a message of its own");
}

#[test]
fn a_kernel_that_slows_the_core_does_not_spoil_its_neighbour() {
    let machine = Machine::new(10);
    let slow = |machine: &Machine| machine.slow_until.set(machine.now.get() + 2e6);
    let suite =
        suite(vec![costing(&machine, "portable", |_| 4000.0, |_| ()), costing(&machine, "hot", |_| 4000.0, slow)]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[1536], 12));
    let [low, _, high] = stats::stabilized_quartiles(&cycles(&records, "toy/portable")).expect("samples");
    assert!(high / low < 1.001, "{low} {high}");
    let waited = records.iter().any(|record| matches!(record, Record::Cal(cal) if cal.settled > 0));
    assert!(waited, "nobody waited for the core to settle");
}

#[test]
fn a_visit_that_was_interrupted_is_tried_again_and_kept_on_record() {
    let machine = Machine::new(11);
    let countdown = Cell::new(140_u32);
    let interrupted = Rc::new(move |machine: &Machine| {
        countdown.set(countdown.get().wrapping_sub(1));
        if countdown.get() == 0 {
            machine.switches.set(machine.switches.get() + 1);
            machine.spend(500_000.0);
        }
    });
    let suite = suite(vec![costing(&machine, "portable", |_| 4000.0, move |machine| interrupted(machine))]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[1536], 8));
    let all = visits(&records);
    let lost: Vec<_> = all.iter().filter(|visit| visit.switches > 0).collect();
    assert_eq!(lost.len(), 1, "the try that lost stays in the record");
    assert!(matches!(lost[0].discarded, Some(Discarded::Switch | Discarded::Opening)));
    let samples = cycles(&records, "toy/portable");
    assert_eq!(samples.len(), 8 * 16, "every visit counts once");
    assert!(samples.iter().all(|&cycles| cycles < 5000.0), "a sample with the interruption was counted");
    let Some(Record::ProcessEnd(end)) = records.last() else { panic!("a process ends with its own record") };
    assert_eq!((end.repeated_for_switch, end.visits), (1, all.len() as u64));
}

#[test]
fn a_jump_of_the_frequency_in_mid_visit_is_tried_again() {
    let machine = Machine::new(12);
    let countdown = Cell::new(150_u32);
    let jump = Rc::new(move |machine: &Machine| {
        countdown.set(countdown.get().wrapping_sub(1));
        if countdown.get() == 0 {
            machine.k.set(K * 1.004);
        }
    });
    let suite = suite(vec![costing(&machine, "portable", |_| 4000.0, move |machine| jump(machine))]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[1536], 6));
    let tries = visits(&records).iter().map(|visit| visit.attempt).max();
    assert_eq!(tries, Some(1), "one visit was tried twice");
    let [low, _, high] = stats::stabilized_quartiles(&cycles(&records, "toy/portable")).expect("samples");
    close(low, high, 0.001);
}

/// Somebody comes and goes on the other hardware thread, every two milliseconds for 0.8: neither the system nor the chain
/// notices, but all that keeps several units busy takes 1.6 times as long meanwhile.
#[test]
fn a_stranger_on_the_same_core_is_waited_for() {
    let machine = Machine::new(21);
    machine.noise.set(0.002);
    machine.stranger.set(|now| now % (2e-3 * TICKS_PER_SECOND) < 0.8e-3 * TICKS_PER_SECOND);
    let suite = suite(vec![costing(&machine, "portable", |_| 4000.0, |_| ())]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[1536], 100));
    let samples = cycles(&records, "toy/portable");
    assert_eq!(samples.len(), 100 * 16, "every visit counts once");
    let slow = samples.iter().filter(|&&cycles| cycles > 5000.0).count();
    // 40 % without waiting.
    assert!(slow < samples.len() / 50, "{slow} of {} samples beside the stranger", samples.len());
    assert!(
        visits(&records).iter().any(|visit| visit.discarded == Some(Discarded::Shared)),
        "he never came in mid-visit"
    );
}

/// A stranger who hardly ever goes away cannot keep a run for longer than twice its time, and is on record.
#[test]
fn a_stranger_who_stays_is_not_waited_for_in_vain() {
    let ticks = |stranger: fn(f64) -> bool| {
        let machine = Machine::new(22);
        machine.stranger.set(stranger);
        let suite = suite(vec![costing(&machine, "portable", |_| 4000.0, |_| ())]);
        let start = machine.now.get();
        let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[1536], 200));
        (machine.now.get() - start, records)
    };
    let (alone, _) = ticks(|_| false);
    // Gone for the last tenth of every 100 milliseconds, so that it is known what the core does alone.
    let (beside, records) = ticks(|now| now % (0.1 * TICKS_PER_SECOND) < 0.09 * TICKS_PER_SECOND);
    assert!(beside < 2.3 * alone, "{beside} {alone}");
    let wide = |record: &Record| {
        let Record::Cal(cal) = record else { return None };
        clock::width(&cal.wide, clock::ticks_per_cycle(&cal.ticks)?)
    };
    let widths: Vec<f64> = records.iter().filter_map(wide).collect();
    close(clock::own_width(&widths).expect("it was looked at"), 1.0, 0.001);
    let shared = widths.iter().filter(|&&width| width > clock::SHARED).count();
    assert!(shared > widths.len() / 2, "{shared} of {}", widths.len());
}

#[test]
fn the_width_of_a_core() {
    // 32 x 64 groups in so many ticks, of which two are a cycle.
    assert_eq!(clock::width(&[4096; 8], 2.0), Some(1.0));
    assert_eq!(clock::width(&[8192; 8], 2.0), Some(2.0));
    assert_eq!(clock::width(&[], 2.0), None);
    assert_eq!(clock::width(&[0; 8], 2.0), None);
    assert_eq!(clock::width(&[4096; 8], 0.0), None);
    assert_eq!(clock::own_width(&[]), None);
    // A core of fewer units than four has a width of its own above 1; one reading that is too small does not count.
    let seen = |least: f64| [&[least][..], &[1.334; 15], &[2.6; 24]].concat();
    assert_eq!(clock::own_width(&seen(0.8)), Some(1.334));
    assert_eq!(clock::own_width(&[0.99; 20]), Some(1.0));
}

#[test]
fn long_calls_are_timed_fewer_times() {
    // 16 calls of 1 ms fit in 20 ms; 16 of 2 ms do not, 8 do; of 4 ms only one is made.
    for (milliseconds, want) in [(1.0, 16), (2.0, 8), (4.0, 1)] {
        let machine = Machine::new(13);
        let cycles = milliseconds * 1e-3 * TICKS_PER_SECOND / K;
        let suite = suite(vec![costing(&machine, "portable", move |_| cycles, |_| ())]);
        let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[65_536], 1));
        let counted: Vec<_> =
            visits(&records).into_iter().filter(|visit| visit.discarded.is_none() && visit.anchor.is_none()).collect();
        assert_eq!(counted.iter().map(|visit| visit.ticks.len()).collect::<Vec<_>>(), [want]);
        assert_eq!(counted[0].untimed.len(), 1, "one call exceeds the warm-up");
    }
}

/// The trap of a compiler, or a library, that computes the digest of an unchanging message once.
#[test]
fn a_digest_that_was_not_computed_is_caught() {
    let machine = Machine::new(14);
    let lazy = Implementation::ready("toy", "folded", "toy 1", |_| {
        let mut once = None;
        Ok(Hasher {
            hash: Box::new(move |message, output| {
                output.copy_from_slice(once.get_or_insert_with(|| sha2::Sha256::digest(message)));
            }),
            stream: None,
            batch: None,
            bits: None,
            xof: None,
            tree: None,
            ran: Box::new(|| "folded".to_owned()),
        })
    });
    let suite = suite(vec![costing(&machine, "portable", |_| 1000.0, |_| ()), lazy]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[64], 4));
    let caught =
        |name: &str| visits(&records).iter().filter(|visit| visit.implementation == name && !visit.digest_ok).count();
    assert!(caught("toy/folded") >= 3);
    assert_eq!(caught("toy/portable"), 0);
    assert_eq!(caught(ANCHOR), 0);
}

/// The trap of a call that the compiler drops because nobody reads its result, or hoists because nothing changes: each
/// timed and untimed call must really be made.
#[test]
fn every_call_is_made() {
    let machine = Machine::new(15);
    let calls = Rc::new(Cell::new(0_usize));
    let counted = Rc::clone(&calls);
    let suite = suite(vec![costing(&machine, "portable", |_| 1000.0, move |_| counted.set(counted.get() + 1))]);
    let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[64], 3));
    let ours: Vec<_> = visits(&records).into_iter().filter(|visit| visit.anchor.is_none()).collect();
    let made: usize = ours.iter().map(|visit| visit.ticks.len() + visit.untimed.len()).sum();
    // The reference is the same function here, so each visit's check is one call more.
    let checks = ours.iter().filter(|visit| visit.attempt == 0).count();
    assert_eq!(calls.get(), made + checks);
}

#[test]
fn the_same_seed_repeats_the_run() {
    let orders: Vec<Vec<(String, u64)>> = (0..2)
        .map(|_| {
            let machine = Machine::new(16);
            let names = ["portable", "b"];
            let suite = suite(names.iter().map(|name| costing(&machine, name, |_| 900.0, |_| ())).collect());
            let records = run(&machine, &suite, &plan(&suite, Operation::Hash, 1, &[8, 64], 3));
            visits(&records).iter().map(|visit| (visit.implementation.clone(), visit.seed)).collect()
        })
        .collect();
    assert_eq!(orders[0], orders[1]);
}

#[test]
fn a_plan_that_names_what_does_not_exist_is_refused() {
    let machine = Machine::new(17);
    let suite = suite(vec![costing(&machine, "portable", |_| 900.0, |_| ())]);
    let good = plan(&suite, Operation::Hash, 1, &[8], 1);
    let mut wrong = good.clone();
    wrong.plan[0].implementations.push("toy/none".to_owned());
    let mut other = good;
    other.plan[0].algorithm = "nothing".to_owned();
    for (request, word) in [(wrong, "toy/none"), (other, "nothing")] {
        let clock = Simulated(Rc::clone(&machine));
        let rate = rate(&clock);
        let error = measure(&suite, &request, &clock, rate, &mut |_| ()).expect_err("refused");
        assert!(error.contains(word), "{error}");
    }
}
