use benchkit::suite::{Absent, Operation, Options, OutputLength, Pages};

use super::*;

fn implementation(name: &str, ours: bool) -> ImplementationInfo {
    let (provider, backend) = name.split_once('/').unwrap();
    ImplementationInfo {
        name: name.into(),
        provider: provider.into(),
        backend: backend.into(),
        version: "1".into(),
        ours,
        available: backend != "gone",
        absent: (backend == "gone").then(|| Absent { reason: "not here".into(), remedy: None }),
        operations: vec![Operation::Hash],
        lanes: 0,
        environment: Default::default(),
    }
}

fn algorithm(id: &str, ebash: &str, openssl: &str) -> AlgorithmInfo {
    let page = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    AlgorithmInfo {
        id: id.into(),
        pages: Pages { ebash: page(ebash), openssl: page(openssl), niccs: None },
        block_bytes: 64,
        output: OutputLength::fixed(32),
        bits: None,
        options: Options::default(),
        implementations: vec![
            implementation("mine/portable", true),
            implementation("mine/shani", true),
            implementation("openssl/default", false),
            implementation("openssl/gone", false),
        ],
    }
}

fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    let program = |package: &str| Program { package: package.into(), path: package.into() };
    catalog.add(program("a"), "a".into(), vec![algorithm("sha256", "sha256", "sha256"), algorithm("jh256", "jh3", "")]);
    catalog.add(
        program("b"),
        "b".into(),
        vec![algorithm("old-jh256", "jh256", ""), algorithm("sha3-256", "keccak", "s3"), algorithm("k", "s3", "")],
    );
    catalog
}

fn ids(catalog: &Catalog, patterns: &[&str]) -> Vec<String> {
    let patterns: Vec<String> = patterns.iter().map(|&text| text.into()).collect();
    catalog.choose(&patterns, &[], false).unwrap().iter().map(|choice| choice.algorithm.id.clone()).collect()
}

fn refused(result: Result<impl Sized, Failure>) -> String {
    match result {
        Ok(_) => panic!("it was accepted"),
        Err(failure) => failure.message,
    }
}

#[test]
fn an_id_goes_before_a_page_name() {
    let catalog = catalog();
    assert_eq!(catalog.one("jh256").unwrap().1.id, "jh256");
    assert_eq!(catalog.one("ebash:jh256").unwrap().1.id, "old-jh256");
    assert_eq!(catalog.one("keccak").unwrap().1.id, "sha3-256");
}

#[test]
fn a_page_name_that_means_two_things_is_refused_with_both() {
    let message = refused(catalog().one("s3"));
    assert!(message.contains("openssl:s3 is sha3-256") && message.contains("ebash:s3 is k"), "{message}");
}

#[test]
fn globs_choose_ids_and_keep_the_order_of_the_workers() {
    assert_eq!(ids(&catalog(), &["sha*"]), ["sha256", "sha3-256"]);
    assert_eq!(ids(&catalog(), &["k", "sha256"]), ["sha256", "k"]);
    assert_eq!(ids(&catalog(), &[]).len(), 5);
}

#[test]
fn wrong_names_list_near_ones() {
    let catalog = catalog();
    assert!(refused(catalog.one("sha265")).contains("near ones: sha256"));
    assert!(refused(catalog.choose(&["nothing*".into()], &[], false)).contains("there are"));
    assert!(refused(catalog.choose(&[], &["mine/shain".into()], false)).contains("near ones: mine/shani"));
}

#[test]
fn implementations_are_meant_by_whole_names_halves_and_globs() {
    let catalog = catalog();
    let names = |pattern: &str, ours| -> Vec<String> {
        let choices = catalog.choose(&["sha256".into()], &[pattern.into()], ours).unwrap();
        choices[0].implementations.iter().map(|implementation| implementation.name.clone()).collect()
    };
    assert_eq!(names("mine/shani", false), ["mine/shani"]);
    assert_eq!(names("openssl", false), ["openssl/default", "openssl/gone"]);
    assert_eq!(names("shani", false), ["mine/shani"]);
    assert_eq!(names("*", true), ["mine/portable", "mine/shani"]);
    assert!(refused(catalog.choose(&[], &["openssl/*".into()], true)).contains("no implementation"));
}

#[test]
fn the_same_id_twice_is_left_out_and_said() {
    let mut catalog = catalog();
    let program = Program { package: "c".into(), path: "c".into() };
    catalog.add(program, "c".into(), vec![algorithm("sha256", "", "")]);
    assert!(catalog.problems[0].contains("`sha256`"));
    assert_eq!(catalog.all().filter(|(_, algorithm)| algorithm.id == "sha256").count(), 1);
}
