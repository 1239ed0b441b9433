//! What `HASHMATRIX_DENY` and the portable build do to detection, in a process of its own each time.

#![cfg(all(target_arch = "x86_64", target_feature = "sse2"))]

use lanes::cpu::*;
use std::process::{Command, Output};

/// The tokens that this process finds, and what must hold among them.
fn found() -> Vec<&'static str> {
    macro_rules! found {
        ($($Token:ident)*) => {
            [$($Token::detect().map(|_| $Token::NAME)),*].into_iter().flatten().collect()
        };
    }
    found!(Ssse3 Sse41 Avx Bmi2 Avx2 Avx512 Avx512Vbmi ShaNi AesNi Vaes Gfni256 Gfni)
}

#[test]
#[ignore = "run by the other tests, in another process"]
fn report() {
    println!("found: {}", found().join(" "));
}

fn report_with(deny: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "report", "--nocapture"]).env("HASHMATRIX_DENY", deny).output().unwrap()
}

/// What is found when the names in `deny` are denied.
#[cfg(not(hashmatrix_backend = "portable"))]
fn found_without(deny: &str) -> Vec<String> {
    let output = report_with(deny);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().find_map(|line| line.split_once("found: ")).unwrap().1;
    names.split_whitespace().map(String::from).collect()
}

#[cfg(not(hashmatrix_backend = "portable"))]
#[test]
fn denied_tokens_are_not_found() {
    let all = found_without("");
    let honoured = cfg!(all(feature = "std", debug_assertions));
    let without = |names: &[&str]| {
        let kept = all.iter().filter(|name| !honoured || !names.contains(&name.as_str()));
        kept.cloned().collect::<Vec<_>>()
    };
    assert_eq!(found_without("shani"), without(&["shani"]));
    assert_eq!(
        found_without("avx2, shani"),
        without(&["avx2", "avx512", "avx512vbmi", "vaes", "gfni256", "gfni", "shani"])
    );
    assert_eq!(found_without("avx512"), without(&["avx512", "avx512vbmi", "gfni"]));
    assert_eq!(
        found_without("ssse3"),
        without(&[
            "ssse3",
            "sse41",
            "avx",
            "avx2",
            "avx512",
            "avx512vbmi",
            "shani",
            "aesni",
            "vaes",
            "gfni256",
            "gfni"
        ])
    );
}

#[cfg(all(feature = "std", debug_assertions))]
#[test]
fn an_unknown_name_stops_the_process() {
    let output = report_with("avx512,sha-ni");
    assert!(!output.status.success());
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("HASHMATRIX_DENY: unknown `sha-ni`; known: ssse3, sse41, avx"), "{text}");
}

#[cfg(hashmatrix_backend = "portable")]
#[test]
fn nothing_is_found_by_a_portable_build() {
    assert_eq!(found(), [""; 0]);
}

#[test]
fn a_region_returns_what_the_closure_does() {
    if let Some(proof) = Avx2::detect() {
        assert_eq!(proof.enter(|| proof.ssse3().enter(|| 7)), 7);
    }
}
