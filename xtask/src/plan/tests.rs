use benchkit::protocol::AlgorithmInfo;
use benchkit::suite::{Absent, Options, OutputLength, Pages};

use super::*;

fn implementation(name: &str, ours: bool, environment: &[(&str, &str)]) -> ImplementationInfo {
    let (provider, backend) = name.split_once('/').unwrap();
    ImplementationInfo {
        name: name.into(),
        provider: provider.into(),
        backend: backend.into(),
        version: "1".into(),
        ours,
        available: true,
        absent: None,
        operations: vec![Operation::Hash, Operation::Batch],
        lanes: 8,
        environment: environment.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
    }
}

fn algorithm(implementations: Vec<ImplementationInfo>) -> AlgorithmInfo {
    AlgorithmInfo {
        id: "sha256".into(),
        pages: Pages::default(),
        block_bytes: 64,
        output: OutputLength::fixed(32),
        bits: None,
        options: Options::default(),
        implementations,
    }
}

fn choice(algorithm: &AlgorithmInfo) -> Choice<'_> {
    Choice { worker: 0, algorithm, implementations: algorithm.implementations.iter().collect() }
}

fn settings() -> Settings {
    Settings {
        effort: Effort::Usual,
        lengths: vec![],
        operations: vec![],
        profiles: vec![Profile::Native],
        samples: 16,
        threads: vec![1, 2],
    }
}

fn names(job: &Job) -> Vec<&str> {
    job.plan[0].implementations.iter().map(String::as_str).collect()
}

#[test]
fn an_environment_gets_a_process_with_ours_beside() {
    let algorithm = algorithm(vec![
        implementation("mine/portable", true, &[]),
        implementation("other/default", false, &[]),
        implementation("other/avx", false, &[("CAP", "1")]),
    ]);
    let plan = Plan::new(&[choice(&algorithm)], &settings(), &BTreeSet::new()).unwrap();
    assert_eq!(plan.jobs.len(), 2);
    assert_eq!(names(&plan.jobs[0]), ["mine/portable", "other/default"]);
    assert_eq!(names(&plan.jobs[1]), ["mine/portable", "other/avx"]);
    assert_eq!(plan.jobs[1].environment["CAP"], "1");
    let cells = cells(&[choice(&algorithm)]);
    assert_eq!(cells.values().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_failed_cell_is_not_timed_and_a_process_without_a_reason_is_not_started() {
    let algorithm = algorithm(vec![
        implementation("mine/portable", true, &[]),
        implementation("other/avx", false, &[("CAP", "1")]),
    ]);
    let failed = |implementation: &str| {
        BTreeSet::from([Cell { algorithm: "sha256".into(), implementation: implementation.into() }])
    };
    let plan = Plan::new(&[choice(&algorithm)], &settings(), &failed("other/avx")).unwrap();
    assert_eq!(plan.jobs.len(), 1);
    let plan = Plan::new(&[choice(&algorithm)], &settings(), &failed("mine/portable")).unwrap();
    assert_eq!(plan.jobs.len(), 1);
    assert_eq!(names(&plan.jobs[0]), ["other/avx"]);
}

#[test]
fn the_usual_plan_has_nineteen_lengths_and_a_batch() {
    let algorithm = algorithm(vec![implementation("mine/portable", true, &[])]);
    let plan = Plan::new(&[choice(&algorithm)], &settings(), &BTreeSet::new()).unwrap();
    let [hash, batch] = plan.jobs[0].plan.as_slice() else { panic!("{plan:?}") };
    assert_eq!((hash.operation, hash.messages, hash.lengths.len()), (Operation::Hash, 1, 19));
    assert_eq!((batch.operation, batch.messages, batch.lengths.len()), (Operation::Batch, 16, 4));
    let visits = |bytes| hash.lengths.iter().find(|length| length.bytes == bytes).unwrap().visits;
    assert_eq!([visits(1), visits(256), visits(512), visits(8192), visits(16384)], [8, 8, 4, 4, 2]);
    let quick = Settings { effort: Effort::Quick, ..settings() };
    let plan = Plan::new(&[choice(&algorithm)], &quick, &BTreeSet::new()).unwrap();
    assert!(plan.pieces().flat_map(|planned| &planned.lengths).all(|length| length.visits >= 1));
    assert!(plan.round() < Plan::new(&[choice(&algorithm)], &settings(), &BTreeSet::new()).unwrap().round());
}

#[test]
fn lengths_are_sorted_and_no_longer_double() {
    let settings = Settings { lengths: vec![64, 0, 64, 1], ..settings() };
    assert_eq!(settings.lengths(Operation::Hash), [0, 1, 64]);
    assert_eq!(settings.all_lengths(), [0, 1, 64]);
}

#[test]
fn an_operation_that_nothing_offers_is_refused() {
    let algorithm = algorithm(vec![implementation("mine/portable", true, &[])]);
    let settings = Settings { operations: vec![Operation::Xof], ..settings() };
    let refused = Plan::new(&[choice(&algorithm)], &settings, &BTreeSet::new()).unwrap_err();
    assert!(refused.message.contains("`xof`"), "{refused}");
}

#[test]
fn what_is_absent_keeps_its_reason() {
    let mut gone = implementation("other/gone", false, &[]);
    gone.available = false;
    gone.absent = Some(Absent { reason: "no library".into(), remedy: Some("install it".into()) });
    let algorithm = algorithm(vec![gone]);
    assert_eq!(absent(&[choice(&algorithm)])[0].reason, "no library");
    assert!(Plan::new(&[choice(&algorithm)], &settings(), &BTreeSet::new()).unwrap().jobs.is_empty());
}

#[test]
fn every_length_of_a_very_long_plan_is_handed_over_once() {
    let algorithm = algorithm(vec![implementation("mine/portable", true, &[])]);
    let settings = Settings { lengths: (0..20_000).collect(), ..settings() };
    let plan = Plan::new(&[choice(&algorithm)], &settings, &BTreeSet::new()).unwrap();
    assert!(plan.jobs.len() > 1);
    assert!(plan.jobs.iter().all(|job| serde_json::to_string(&job.plan).unwrap().len() <= LONGEST_REQUEST));
    assert_eq!(plan.cells(), 40_000);
}

#[test]
fn each_profile_has_its_own_lengths_and_time() {
    let algorithm = algorithm(vec![implementation("mine/portable", true, &[])]);
    let plan = |profiles: &[Profile], lengths: &[usize], effort| {
        let settings = Settings { profiles: profiles.to_vec(), lengths: lengths.to_vec(), effort, ..settings() };
        let plan = Plan::new(&[choice(&algorithm)], &settings, &BTreeSet::new()).unwrap();
        plan.jobs.into_iter().flat_map(|job| job.plan).collect::<Vec<_>>()
    };
    let kinds = |plan: &[Planned]| -> Vec<(Operation, Profile)> {
        plan.iter().map(|planned| (planned.operation, planned.profile)).collect()
    };
    let bytes = |planned: &Planned| -> Vec<usize> { planned.lengths.iter().map(|length| length.bytes).collect() };
    use Operation::{Batch, Hash};
    use Profile::{Cold, Minmean, Native, Niccs, Openssl, Throughput};

    let usual = plan(&[], &[], Effort::Usual);
    assert_eq!(kinds(&usual), [(Hash, Native), (Hash, Cold), (Hash, Throughput), (Batch, Native)]);
    assert_eq!(bytes(&usual[1]), [64, 1536, 4096]);
    assert_eq!(bytes(&usual[2]), [1, 2, 4, 8, 16, 32, 64, 128, 256]);
    assert_eq!(kinds(&plan(&[], &[], Effort::Quick)), [(Hash, Native), (Batch, Native)]);
    // None of the lengths is one at which a cold call is measured.
    assert_eq!(kinds(&plan(&[Cold], &[65], Effort::Usual)), []);

    let pages = plan(&[Minmean, Openssl, Niccs], &[], Effort::Usual);
    assert_eq!(kinds(&pages), [(Hash, Openssl), (Hash, Niccs), (Hash, Minmean)]);
    assert_eq!(bytes(&pages[0]), [16, 64, 256, 1024, 8192, 16384]);
    assert_eq!(pages.iter().map(|planned| planned.seconds).collect::<Vec<_>>(), [1.0, 0.2, 0.0]);
    assert!(pages.iter().flat_map(|planned| &planned.lengths).all(|length| length.visits == 1));
    let published = plan(&[Openssl, Niccs], &[1024], Effort::Publish);
    assert_eq!(published.iter().map(|planned| planned.seconds).collect::<Vec<_>>(), [3.0, 1.0]);
    assert_eq!(bytes(&published[0]), [1024]);
}
