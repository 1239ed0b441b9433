//! A second build of the workers.

use std::fs;

use benchkit::record::Record;

use crate::sandbox::{Sandbox, visits};

#[test]
fn both_builds_are_measured_side_by_side() {
    let sandbox = Sandbox::new();
    let trace = sandbox.temporary().join("trace");
    let arguments = [
        "bench",
        "--native",
        "--rounds",
        "6",
        "--length",
        "64",
        "--operation",
        "hash",
        "--profile",
        "native",
        "--once",
    ];
    let mut command = sandbox.command(&arguments);
    command.env("TOY_TRACE", &trace).env("RUSTFLAGS", "--cfg toy_flag -Cdebuginfo=0");
    let answer = sandbox.answer(&mut command).with_code(0);
    let records = sandbox.records();
    let Record::Run(run) = &records[0] else { panic!() };
    assert_eq!(run.build.rustflags, "--cfg toy_flag -Cdebuginfo=0");
    assert_eq!(run.build.native_rustflags, "--cfg toy_flag -Cdebuginfo=0 -Ctarget-cpu=native");
    assert_eq!(run.build.workers.len(), 4);
    assert!(sandbox.root().join("target/native").is_dir());

    // Every cell but the one whose library is forced, under a name of its own, beside anchors and nothing of the first build.
    let is_native = |name: &str| name.ends_with("+native");
    let of = |name: &str| visits(&records).iter().filter(|visit| visit.implementation == name).count();
    assert_eq!(of("alpha/fast+native"), 6 * 8);
    assert!(of("peer/default+native") > 0 && of("peer/forced+native") == 0 && of("peer/forced") > 0);
    assert_eq!(of("beta/portable+native"), 6 * 8);
    for process in visits(&records).iter().map(|visit| visit.process) {
        let names = visits(&records).into_iter().filter(|v| v.process == process && v.anchor.is_none());
        let mut natives = names.map(|visit| is_native(&visit.implementation));
        let first = natives.next().unwrap();
        assert!(natives.all(|native| native == first), "process {process} mixes both builds");
        assert!(visits(&records).iter().any(|visit| visit.process == process && visit.anchor == Some(2)));
    }
    let kats = records.iter().filter(|r| matches!(r, Record::Kat(kat) if is_native(&kat.implementation)));
    assert_eq!(kats.count(), 5);

    // The two builds of a worker follow one another, and not always in the same order.
    let trace = fs::read_to_string(trace).unwrap();
    let processes: Vec<(&str, bool)> = trace
        .lines()
        .filter(|line| line.contains(" measure ") && !line.contains("TOY_FORCE=1"))
        .map(|line| (line.split(' ').next().unwrap(), line.contains("build=native")))
        .collect();
    assert_eq!(processes.len(), 24);
    let pairs: Vec<_> = processes.chunks(2).collect();
    assert!(pairs.iter().all(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1), "{processes:?}");
    assert!(pairs.iter().any(|pair| pair[0].1) && pairs.iter().any(|pair| pair[1].1));

    for text in ["alpha/fast+native", "Rows +native are a second build", "was not measured within one process"] {
        assert!(answer.stdout.contains(text), "`{text}` is not in\n{}", answer.stdout);
    }
    // Ratios within each build.
    let ratios: Vec<&str> =
        answer.stdout.lines().filter(|line| line.starts_with("toy8 ") && line.contains('[')).collect();
    assert_eq!(ratios.len(), 2, "{}", answer.stdout);
    assert!(ratios[0].contains("peer/forced") && !ratios[0].contains("+native"), "{ratios:?}");
    assert!(ratios[1].contains("alpha/fast+native") && ratios[1].contains("peer/default+native"), "{ratios:?}");
}

#[test]
fn list_and_verify_know_the_second_build() {
    let sandbox = Sandbox::new();
    let list = sandbox.run(&["list", "--native"]).with_code(0);
    assert!(list.stdout.contains("alpha/fast+native") && list.stdout.contains("; HASHMATRIX_BUILD=native"));
    let verify = sandbox.run(&["verify", "--native", "toy8"]).with_code(0);
    assert_eq!(verify.stdout.lines().last(), Some("7 passed, 0 failed"));
    let verify = sandbox.run(&["verify", "--native", "--implementation", "*+native"]).with_code(0);
    assert_eq!(verify.stdout.lines().last(), Some("5 passed, 0 failed"));
    assert!(!sandbox.run(&["list"]).with_code(0).stdout.contains("+native"));
}
