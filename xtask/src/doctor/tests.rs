use benchkit::clock::SelfTest;
use benchkit::proofs::Proof;

use super::*;

fn probe(choice: Choice, multiply_ratio: f64) -> Probe {
    let test = SelfTest { ticks_per_cycle: 0.725, multiply_ratio, nonlinearity: 0.001, agreeing: 32 };
    Probe { choice, test: Ok(test) }
}

fn missing(choice: Choice) -> Probe {
    Probe { choice, test: Err("this machine has no cycle counter".into()) }
}

fn warning(what: &str, blocking: bool) -> Warning {
    Warning { what: what.into(), remedy: "mend it".into(), blocking }
}

#[test]
fn a_machine_is_refused_for_its_clock_or_a_blocking_warning() {
    let good = [missing(Choice::Perf), probe(Choice::Tsc, 3.0), probe(Choice::Time, 2.9)];
    assert_eq!(objections(&good, &[warning("boost is on", false)]), [""; 0]);
    let against = objections(&good, &[warning("boost is on", false), warning("the load is 9", true)]);
    assert_eq!(against, ["the load is 9 (mend it)"]);
    let bad = [missing(Choice::Perf), probe(Choice::Tsc, 2.9), probe(Choice::Time, 2.9)];
    let against = objections(&bad, &[warning("the load is 9", true)]);
    assert!(against.len() == 2 && against[0].contains("tsc: failed"), "{against:?}");
    assert!(objections(&[missing(Choice::Perf)], &[])[0].contains("no cycle counter"));
    let failure = refusal(&against);
    assert_eq!(failure.exit.code(), 4);
    assert!(failure.message.contains("the load is 9"), "{failure}");
}

#[test]
fn each_clock_has_a_line_and_the_used_one_is_named() {
    let text = clocks(&[missing(Choice::Perf), probe(Choice::Tsc, 3.0), probe(Choice::Time, 3.0)]);
    assert!(text.contains("perf  not here: this machine has no cycle counter"), "{text}");
    assert!(text.contains("tsc   passed, used: 0.7250 ticks"), "{text}");
    assert!(text.contains("time  passed: "), "{text}");
    let text = clocks(&[missing(Choice::Perf), probe(Choice::Tsc, 2.0)]);
    assert!(text.contains("tsc   failed, used for want of a better one"), "{text}");
}

#[test]
fn advice_names_what_and_how_to_mend_it() {
    let text = advice(&[warning("the load is 9", true), warning("boost is on", false)]);
    assert!(text.contains("the load is 9 [--strict refuses]\n    mend it\n  boost is on\n    mend it\n"), "{text}");
    assert!(advice(&[]).contains("nothing that this machine tells of"));
}

#[test]
fn a_failed_proof_is_an_error_and_a_failed_clock_a_refusal() {
    let proof = |passed, refuses| Proof { name: "n".into(), measured: "m".into(), bound: "b".into(), passed, refuses };
    let code = |proofs: &[Proof]| proofs::verdict(proofs).code();
    assert_eq!(code(&[proof(true, true), proof(true, false)]), 0);
    assert_eq!(code(&[proof(true, true), proof(false, false)]), 1);
    assert_eq!(code(&[proof(false, true), proof(false, false)]), 4);
    assert_eq!(code(&[]), 1, "nothing was proved");
    assert_eq!(proofs::table(&[proof(false, false)]), "FAILED  n\n        m; wanted: b\n");
}

#[test]
fn this_machine_is_described() {
    let text = description(&facts::machine());
    assert!(text.contains("  CPU ") && text.contains("  results in "), "{text}");
}
