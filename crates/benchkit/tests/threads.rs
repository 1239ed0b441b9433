//! Several threads on the real clock. What they are said to have done is counted; how fast it went decides nothing.

use benchkit::measure::{ANCHOR, run, run_with_threads};
use benchkit::profile::Profile;
use benchkit::protocol::{Measure, Planned, PlannedLength};
use benchkit::record::{Record, Visit};
use benchkit::suite::{Algorithm, Hasher, Implementation, Operation, Options, OutputLength, Pages, Suite};
use benchkit::system::allowed_cpus;
use sha2::{Digest as _, Sha256};

fn suite() -> Suite {
    let right = |backend: &'static str| {
        Implementation::ready("toy", backend, "1", move |_| {
            let hash = |message: &[u8], output: &mut [u8]| output.copy_from_slice(&Sha256::digest(message));
            Ok(Hasher::new(Box::new(hash), move || backend.to_owned()))
        })
    };
    // Right where the message of the thread that measures would be, and nowhere else: only one call in all is right.
    let wrong = Implementation::ready("toy", "wrong", "1", |_| {
        let helper = std::thread::current().name().is_none();
        let hash = move |message: &[u8], output: &mut [u8]| {
            output.copy_from_slice(&Sha256::digest(message));
            output[0] ^= u8::from(helper);
        };
        Ok(Hasher::new(Box::new(hash), || "wrong".to_owned()))
    });
    let algorithm = Algorithm {
        id: "sha256",
        pages: Pages::default(),
        block_bytes: 64,
        output: OutputLength::fixed(32),
        bits: None,
        options: Options::default(),
        vectors: Vec::new(),
        implementations: vec![right("portable").ours(), right("fast").ours(), wrong],
    };
    Suite { family: "toy", algorithms: vec![algorithm] }
}

fn request(threads: usize) -> Measure {
    Measure {
        process: 0,
        seed: 1,
        cpu: allowed_cpus().last().copied(),
        clock: None,
        samples: 4,
        plan: vec![Planned {
            algorithm: "sha256".to_owned(),
            implementations: ["toy/portable", "toy/fast", "toy/wrong"].map(str::to_owned).to_vec(),
            operation: Operation::Threads,
            profile: Profile::Native,
            seconds: 0.0,
            messages: threads,
            lengths: vec![PlannedLength { bytes: 1000, visits: 1 }],
        }],
        anchors: true,
    }
}

/// What a process measures, on a thread of its own that stays where it was pinned.
fn visits(threads: usize) -> Vec<Visit> {
    let measure = move || {
        let mut visits = Vec::new();
        run_with_threads(suite, &request(threads), &mut |record| {
            if let Record::Visit(visit) = record {
                visits.push(visit);
            }
        })
        .expect("there are as many CPUs");
        visits
    };
    let thread = std::thread::Builder::new().name("measures".to_owned()).spawn(measure).expect("a thread starts");
    thread.join().expect("it measures")
}

#[test]
fn every_thread_hashes_its_own_message() {
    let most = allowed_cpus().len().clamp(1, 4);
    for threads in 1..=most {
        let visits = visits(threads);
        assert!(visits.iter().filter(|visit| visit.implementation == ANCHOR).count() >= 2);
        for visit in &visits {
            assert_eq!((visit.operation, visit.messages, visit.ticks.len()), (Operation::Threads, threads, 4));
            assert_eq!(visit.finished.len(), 4);
            assert!(visit.finished.iter().all(|finished| finished.len() == threads && finished[0] > 0), "{visit:?}");
            // Each of the others got somewhere, too, in one window or another.
            let total = |thread: usize| visit.finished.iter().map(|finished| finished[thread]).sum::<u64>();
            assert!((0..threads).all(|thread| total(thread) > 0), "{visit:?}");
            assert_eq!(visit.digest_ok, visit.implementation != "toy/wrong" || threads == 1, "{visit:?}");
        }
    }
    if most == 1 {
        eprintln!("not tested: two threads, on one CPU");
    }
}

#[test]
fn more_threads_than_cpus_are_refused() {
    let cpus = allowed_cpus().len();
    if cpus == 0 {
        return;
    }
    let said = run_with_threads(suite, &request(cpus + 1), &mut |_| ()).expect_err("there are not as many");
    assert!(said.contains(&format!("{} threads need as many CPUs, and {cpus} are allowed", cpus + 1)), "{said}");
    let said = run(&suite(), &request(2), &mut |_| ()).expect_err("nobody makes suites for others");
    assert!(said.contains("only be measured by a worker"), "{said}");
}
