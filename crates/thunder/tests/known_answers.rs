//! Known answers: the submission's and others from `vectors/`, and a few short ones inline.

#[macro_use]
mod common;

use benchkit::rsp::{self, Item};
use common::{Hasher, Xof, backends, pattern, report};
use hex_literal::hex;
use thunder::{Digest, const_hash, hazmat};

const MANIFEST: &str = include_str!("../vectors/SHA256SUMS");

const PERMUTATION: &str = include_str!("../vectors/permutation.txt");

fn vectors(id: &str) -> &'static str {
    match id {
        "thunder-512" => include_str!("../vectors/thunder-512.rsp"),
        "thunder-768" => include_str!("../vectors/thunder-768.rsp"),
        "thunder-1024" => include_str!("../vectors/thunder-1024.rsp"),
        "thunder-xof-256" => include_str!("../vectors/thunder-xof-256.rsp"),
        "thunder-xof-384" => include_str!("../vectors/thunder-xof-384.rsp"),
        "thunder-xof-512" => include_str!("../vectors/thunder-xof-512.rsp"),
        _ => panic!("no vectors for {id}"),
    }
}

/// The known answers whose output has the usual length.
#[test]
fn every_answer_on_every_backend() {
    fn check<H: Hasher>() {
        let items = rsp::read(H::ID, vectors(H::ID)).expect("the vectors are readable");
        let answers: Vec<_> = items.iter().map(answer).filter(|answer| answer.digest.len() == H::BYTES).collect();
        for answer in &answers {
            for backend in backends() {
                let at = format!("{} {backend}, line {}", H::ID, answer.line);
                assert_eq!(H::bits_with(backend, &answer.message, answer.bits), answer.digest, "{at}, bits");
                if answer.bits % 8 == 0 {
                    assert_eq!(H::oneshot_with(backend, &answer.message), answer.digest, "{at}, one-shot");
                    assert_eq!(H::streamed(backend, &answer.message), answer.digest, "{at}, streamed");
                }
            }
            assert_eq!(H::bits(&answer.message, answer.bits), answer.digest, "line {}, bits", answer.line);
        }
        let partial = answers.iter().filter(|answer| answer.bits % 8 != 0).count();
        let long = answers.iter().filter(|answer| answer.bits == 1 << 23).count();
        assert!(answers.len() > 900 && partial > 150 && long == 2, "{}: {} answers", H::ID, answers.len());

        let whole: Vec<_> = answers.iter().filter(|answer| answer.bits % 8 == 0).collect();
        let messages: Vec<_> = whole.iter().map(|answer| &answer.message[..]).collect();
        for backend in backends().into_iter().map(Some).chain([None]) {
            for (digest, answer) in H::many(backend, &messages).iter().zip(&whole) {
                assert_eq!(*digest, answer.digest, "{} {backend:?}, line {}, batch", H::ID, answer.line);
            }
        }
        report::<H>();
    }
    for_all!(check);
}

fn answer(item: &Item) -> &rsp::Answer {
    match item {
        Item::Answer(answer) => answer,
        Item::Monte(chain) => panic!("line {}: a Monte Carlo test", chain.line),
    }
}

/// The others.
#[test]
fn every_output_length_on_every_backend() {
    fn check<H: Xof>() {
        let items = rsp::read(H::ID, vectors(H::ID)).expect("the vectors are readable");
        let answers: Vec<_> =
            items.iter().map(answer).filter(|answer| answer.parameters.output_length.is_some()).collect();
        assert!(answers.len() == 72 && answers.iter().any(|answer| answer.digest.len() == 1000), "{}", H::ID);
        for backend in backends() {
            for answer in &answers {
                let mut out = vec![0; answer.digest.len()];
                H::into_slice(backend, &answer.message, &mut out);
                assert_eq!(out, answer.digest, "{} {backend}, line {}", H::ID, answer.line);
                let mut hasher = H::with_backend(backend);
                hasher.update(&answer.message);
                hasher.finalize_xof_into(&mut out);
                assert_eq!(out, answer.digest, "{} {backend}, line {}, streamed", H::ID, answer.line);
            }
            let messages: Vec<_> = answers.iter().map(|answer| &answer.message[..]).collect();
            let mut out: Vec<_> = answers.iter().map(|answer| vec![0; answer.digest.len()]).collect();
            H::many_of(backend, &messages, &mut out);
            for (out, answer) in out.iter().zip(&answers) {
                assert_eq!(*out, answer.digest, "{} {backend}, line {}, batch", H::ID, answer.line);
            }
        }
    }
    for_xof!(check);
}

/// The first bits of the output for the bytes 0, 1, 2; by an independent implementation.
#[test]
fn output_lengths_in_bits() {
    fn check<H: Xof>(known: &[(u64, &[u8])]) {
        for (bits, digest) in known {
            let mut out = vec![0; bits.div_ceil(8) as usize];
            H::bits_to_bits(&pattern(3), 24, &mut out, *bits);
            assert_eq!(out[out.len() - digest.len()..], **digest, "{}, {bits} bits", H::ID);
        }
    }
    check::<thunder::ThunderXof256>(&[
        (1, &hex!("00")),
        (7, &hex!("5c")),
        (9, &hex!("5c80")),
        (1279, &hex!("910b3ca7ec39bae07f685ffc")),
        (1281, &hex!("0b3ca7ec39bae07f685ffd80")),
        (1293, &hex!("3ca7ec39bae07f685ffdd5b0")),
    ]);
    check::<thunder::ThunderXof384>(&[
        (1, &hex!("80")),
        (7, &hex!("a0")),
        (9, &hex!("a180")),
        (1151, &hex!("677d0e1fc38681e00128aa2c")),
        (1153, &hex!("7d0e1fc38681e00128aa2d00")),
        (1165, &hex!("0e1fc38681e00128aa2d6f00")),
    ]);
    check::<thunder::ThunderXof512>(&[
        (1, &hex!("80")),
        (7, &hex!("c4")),
        (9, &hex!("c500")),
        (1023, &hex!("d9ca0e701836587c841e8bf0")),
        (1025, &hex!("ca0e701836587c841e8bf180")),
        (1037, &hex!("0e701836587c841e8bf18130")),
    ]);
}

/// States of `vectors/permutation.txt` by name.
fn states(case: &str) -> Vec<(&str, [u64; 25])> {
    let lines = case.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let (name, words) = line.split_once(' ').expect("a name and lanes");
            let words: Vec<_> = words.split(' ').map(|word| u64::from_str_radix(word, 16).expect("a lane")).collect();
            (name, words.try_into().expect("25 lanes"))
        })
        .collect()
}

#[test]
fn the_permutation_on_every_backend() {
    let cases: Vec<_> = PERMUTATION.split("\n\n").map(states).filter(|states| !states.is_empty()).collect();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let named = |wanted| case.iter().find(|(name, _)| *name == wanted).expect("the state is there").1;
        let (input, output) = (named("in"), named("out"));
        assert_eq!(named("round11"), output);
        for backend in backends() {
            let mut state = input;
            hazmat::permute_with(backend, &mut state);
            assert_eq!(state, output, "{backend}");
            for count in 0..=17 {
                let mut states = vec![input; count];
                hazmat::permute_many_with(backend, &mut states);
                assert!(states.iter().all(|state| *state == output), "{backend}, {count} states");
            }
        }
        let mut state = input;
        hazmat::permute(&mut state);
        assert_eq!(state, output);
        let mut states = [input; 3];
        hazmat::permute_many(&mut states);
        assert_eq!(states, [output; 3]);
    }
}

#[test]
fn vectors_are_those_of_the_manifest() {
    let digest = |text: &str| {
        let digest = sha2::Sha256::digest(text);
        digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let mut files = vec![
        ("permutation.txt".to_owned(), digest(PERMUTATION)),
        ("kat.sha256".to_owned(), digest(include_str!("../vectors/kat.sha256"))),
    ];
    for id in ["512", "768", "1024", "xof-256", "xof-384", "xof-512"].map(|name| format!("thunder-{name}")) {
        files.push((format!("{id}.rsp"), digest(vectors(&id))));
    }
    for (name, digest) in &files {
        assert!(MANIFEST.lines().any(|line| line == format!("{digest}  {name}")), "{name}");
    }
    assert_eq!(MANIFEST.lines().count(), files.len());
}

/// The first record of each KAT_2_12 file of the submission, in constants.
#[test]
fn empty_messages() {
    const EMPTY512: [u8; 64] = const_hash::thunder512(b"");
    const EMPTY768: [u8; 96] = const_hash::thunder768(b"");
    const EMPTY1024: [u8; 128] = const_hash::thunder1024(b"");
    assert_eq!(
        EMPTY512,
        hex!(
            "450e421f602dcd535f38a4ebfade1529c01486a28d6f8a1be65f393eb23224c2"
            "28d2f9c1aa9a2c2c1f4da5fcf380af8f261e6d8e2713b52250a6a5e5c2397ca3"
        )
    );
    assert_eq!(EMPTY768[..16], hex!("08c4606c1bf0796b1b3afa0d481768bb"));
    assert_eq!(EMPTY1024[..16], hex!("fddf1967f2cd4abfb1831cbf98e75795"));
    assert_eq!(thunder::thunder512(""), EMPTY512);
    assert_eq!(thunder::Thunder512::digest("")[..], EMPTY512);
}
