//! A gate is worth what it catches: each test breaks one thing.

use std::ptr;

use sha2::{Digest as _, Sha256};

use super::*;
use crate::suite::{Batch, BitOrder, HashFn, Options, OutputLength, Pages, Stream};

const TEXT: &str = include_str!("../../../sha2x/vectors/sha256.rsp");
const MANIFEST: &str = include_str!("../../../sha2x/vectors/SHA256SUMS");
const TIMED: [usize; 3] = [576, 1536, 4096];

fn sha256_of(message: &[u8], output: &mut [u8]) {
    output.copy_from_slice(&Sha256::digest(message));
}

struct Pieces(Sha256);

impl Stream for Pieces {
    fn reset(&mut self) {
        self.0 = Sha256::new();
    }

    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(&mut self, output: &mut [u8]) {
        output.copy_from_slice(&self.0.finalize_reset());
    }
}

fn whole_bytes(hash: HashFn, ran: &'static str) -> Hasher {
    let mut batched = sha256_of;
    Hasher {
        hash,
        stream: Some(Box::new(Pieces(Sha256::new()))),
        batch: Some(Batch { lanes: 4, call: Box::new(move |messages, outputs| each(&mut batched, messages, outputs)) }),
        bits: None,
        xof: None,
        tree: None,
        ran: Box::new(|| ran.to_owned()),
    }
}

fn each(hash: &mut dyn FnMut(&[u8], &mut [u8]), messages: &[&[u8]], outputs: &mut [u8]) {
    for (message, output) in messages.iter().zip(outputs.chunks_exact_mut(32)) {
        hash(message, output);
    }
}

fn good(ran: &'static str) -> Hasher {
    whole_bytes(Box::new(sha256_of), ran)
}

/// SHA-256 as `toy/portable`, and beside it `toy/fast`, made by `fast`.
fn algorithm(fast: impl Fn() -> Hasher + 'static) -> Algorithm {
    Algorithm {
        id: "sha256",
        pages: Pages::default(),
        block_bytes: 64,
        output: OutputLength::fixed(32),
        bits: None,
        options: Options::default(),
        vectors: vec![VectorFile { name: "sha256.rsp", text: TEXT, manifest: MANIFEST }],
        implementations: vec![
            Implementation::ready("toy", "portable", "1", |_| Ok(good("portable"))).ours(),
            Implementation::ready("toy", "fast", "1", move |_| Ok(fast())).ours(),
        ],
    }
}

fn gate(algorithm: &Algorithm) -> Kat {
    verify(algorithm, &algorithm.implementations[1], &TIMED, 7)
}

/// The sentence about a wrong `toy/fast`.
fn failure(fast: impl Fn() -> Hasher + 'static) -> String {
    let kat = gate(&algorithm(fast));
    assert!(!kat.ok);
    kat.failure.expect("what failed says so")
}

#[track_caller]
fn assert_says(sentence: &str, parts: &[&str]) {
    for part in parts {
        assert!(sentence.contains(part), "`{sentence}` does not say `{part}`");
    }
}

#[test]
fn a_right_implementation_passes() {
    let algorithm = algorithm(|| good("fast"));
    for implementation in &algorithm.implementations {
        let kat = verify(&algorithm, implementation, &TIMED, 7);
        assert_eq!((kat.ok, kat.failure.as_deref()), (true, None));
        assert_eq!((kat.algorithm.as_str(), kat.implementation), ("sha256", implementation.name()));
        // Five times each of 261 lengths, three times each of 418 known answers in bytes, 100 steps of a chain: at least.
        assert!(kat.checks > 5 * 261 + 3 * 418 + 100, "{}", kat.checks);
        assert_eq!(kat.skipped, 451, "bit-level answers, which it does not take");
        let digest = MANIFEST.lines().find(|line| line.ends_with("  sha256.rsp")).unwrap().split(' ').next().unwrap();
        assert_eq!(kat.vectors, BTreeMap::from([("sha256.rsp".to_owned(), digest.to_owned())]));
    }
}

#[test]
fn one_gate_serves_many_and_repeats_itself() {
    let algorithm = algorithm(|| good("fast"));
    let gate = Gate::new(&algorithm, &TIMED, 7);
    let first = gate.verify(&algorithm.implementations[1]);
    assert_eq!(first, gate.verify(&algorithm.implementations[1]));
    assert_eq!(first, verify(&algorithm, &algorithm.implementations[1], &TIMED, 7));
}

fn with_vectors(text: &'static str, manifest: &'static str) -> String {
    let mut algorithm = algorithm(|| good("fast"));
    algorithm.vectors = vec![VectorFile { name: "sha256.rsp", text, manifest }];
    let kat = gate(&algorithm);
    assert!(!kat.ok);
    kat.failure.expect("what failed says so")
}

fn manifest_of(text: &str) -> &'static str {
    format!("{}  sha256.rsp\n", sha256(text)).leak()
}

#[test]
fn a_corrupted_vector_is_caught() {
    let corrupted: &str = TEXT.replacen("MD = 28969c", "MD = 29969c", 1).leak();
    assert_ne!(corrupted, TEXT);
    // Without a new manifest line, by the manifest; with one, by the digest.
    assert_says(&with_vectors(corrupted, MANIFEST), &["sha256.rsp is not the file of its manifest"]);
    let line = 1 + corrupted.lines().zip(TEXT.lines()).position(|(new, old)| new != old).unwrap() - 2;
    let sentence = with_vectors(corrupted, manifest_of(corrupted));
    assert_says(&sentence, &[&format!("(sha256.rsp, line {line})"), "wrong from byte 0 on"]);
}

#[test]
fn a_corrupted_chain_is_caught() {
    let last = TEXT.rfind("MD = ").unwrap() + 5;
    let mut corrupted = TEXT.to_owned();
    corrupted.replace_range(last..last + 2, "00");
    let corrupted: &str = corrupted.leak();
    let line = TEXT.lines().count();
    let sentence = with_vectors(corrupted, manifest_of(corrupted));
    assert_says(&sentence, &["Monte Carlo", &format!("(sha256.rsp, line {line})")]);
}

#[test]
fn a_file_that_is_not_listed_or_not_readable_is_caught() {
    assert_says(&with_vectors(TEXT, ""), &["sha256.rsp is not in its manifest"]);
    let broken = "[L = 32]\nLen = 8\n";
    assert_says(&with_vectors(broken, manifest_of(broken)), &["sha256.rsp, line 2: this entry has no MD"]);
    let short = "[L = 31]\nLen = 0\nMsg =\nMD = 00000000000000000000000000000000000000000000000000000000000000\n";
    assert_says(&with_vectors(short, manifest_of(short)), &["line 2: sha256 has no digest of 31 bytes"]);
}

#[test]
fn no_known_answers_and_no_portable_are_failures() {
    let mut algorithm = algorithm(|| good("fast"));
    algorithm.vectors.clear();
    assert_says(&gate(&algorithm).failure.unwrap(), &["sha256 has no known answers"]);
    let mut algorithm = self::algorithm(|| good("fast"));
    algorithm.implementations[0].backend = "other".to_owned();
    assert_says(&gate(&algorithm).failure.unwrap(), &["sha256 has no portable to compare with"]);
}

#[test]
fn a_wrong_digest_at_one_length_is_caught() {
    for length in [0, 55, 257, 576, 4096] {
        let sentence = failure(move || {
            let wrong = move |message: &[u8], output: &mut [u8]| {
                sha256_of(message, output);
                output[31] ^= u8::from(message.len() == length);
            };
            whole_bytes(Box::new(wrong), "fast")
        });
        let bytes = if length == 0 { "the empty message".to_owned() } else { format!("{length} bytes") };
        assert_says(&sentence, &[&format!("hash of {bytes} (compared with portable)"), "wrong from byte 31 on"]);
    }
}

#[test]
fn a_wrong_digest_of_a_misaligned_message_is_caught() {
    let sentence = failure(|| {
        let wrong = |message: &[u8], output: &mut [u8]| {
            sha256_of(message, output);
            output[0] ^= u8::from(message.len() == 200 && message.as_ptr().addr() % 64 == 1);
        };
        whole_bytes(Box::new(wrong), "fast")
    });
    assert_says(&sentence, &["hash of 200 bytes"]);
}

#[test]
fn a_digest_that_is_right_only_once_is_caught() {
    let sentence = failure(|| {
        let mut last: Option<Vec<u8>> = None;
        let wrong = move |message: &[u8], output: &mut [u8]| {
            sha256_of(message, output);
            output[0] ^= u8::from(last.as_deref() == Some(message));
            last = Some(message.to_vec());
        };
        whole_bytes(Box::new(wrong), "fast")
    });
    assert_says(&sentence, &["repeated hash"]);
}

#[test]
fn another_backend_than_asked_for_is_caught() {
    assert_says(&failure(|| good("portable")), &["asked for fast, but portable ran"]);
}

/// What a faulty C library does: it was given the pointer, and goes on past the end.
#[allow(unsafe_code)]
fn write_at(output: &mut [u8], offset: isize) {
    let place = ptr::with_exposed_provenance_mut::<u8>(output.as_mut_ptr().expose_provenance());
    // SAFETY: the gate cuts messages and outputs out of buffers with 16 more bytes on either side.
    unsafe { place.offset(offset).write_volatile(0x42) }
}

#[test]
fn a_byte_written_beside_the_output_is_caught() {
    for (offset, place) in
        [(32, "1 bytes behind its output"), (47, "16 bytes behind"), (-1, "1 bytes before its output")]
    {
        let sentence = failure(move || {
            let overrun = move |message: &[u8], output: &mut [u8]| {
                sha256_of(message, output);
                if message.len() == 100 {
                    write_at(output, offset);
                }
            };
            whole_bytes(Box::new(overrun), "fast")
        });
        assert_says(&sentence, &["hash of 100 bytes", place]);
    }
}

#[test]
#[allow(unsafe_code)]
fn a_changed_message_is_caught() {
    let sentence = failure(|| {
        let changes = |message: &[u8], output: &mut [u8]| {
            sha256_of(message, output);
            if message.len() == 100 {
                let place = ptr::with_exposed_provenance_mut::<u8>(message.as_ptr().expose_provenance() + 7);
                // SAFETY: the gate's message lies in a buffer that it owns and may write; the write is volatile, so that
                // the compiler does not leave out what safe code could not do.
                unsafe { place.write_volatile(!message[7]) }
            }
        };
        whole_bytes(Box::new(changes), "fast")
    });
    assert_says(&sentence, &["hash of 100 bytes", "at byte 7 of its message"]);
}

struct Forgets {
    inner: Pieces,
    reset: bool,
    whole: bool,
}

impl Stream for Forgets {
    fn reset(&mut self) {
        if self.reset {
            self.inner.reset();
        }
    }

    fn update(&mut self, piece: &[u8]) {
        let kept = if self.whole { piece.len() } else { piece.len().min(191) };
        self.inner.update(&piece[..kept]);
    }

    fn finish(&mut self, output: &mut [u8]) {
        self.inner.finish(output);
    }
}

#[test]
fn a_stream_that_differs_from_the_hash_is_caught() {
    for (reset, whole) in [(false, true), (true, false)] {
        let sentence = failure(move || {
            let stream = Forgets { inner: Pieces(Sha256::new()), reset, whole };
            Hasher { stream: Some(Box::new(stream)), ..good("fast") }
        });
        assert_says(&sentence, &["stream of ", "(compared with portable)"]);
    }
}

fn batched(call: impl Fn(&[&[u8]], &mut [u8]) + Clone + 'static) -> String {
    failure(move || Hasher { batch: Some(Batch { lanes: 4, call: Box::new(call.clone()) }), ..good("fast") })
}

#[test]
fn a_batch_that_swaps_two_results_is_caught() {
    let sentence = batched(|messages, outputs| {
        each(&mut sha256_of, messages, outputs);
        if messages.len() == 7 {
            let (first, second) = outputs.split_at_mut(32);
            first.swap_with_slice(&mut second[..32]);
        }
    });
    assert_says(&sentence, &["batch", "message 0 of 7", "it is the digest of message 1"]);
}

#[test]
fn a_batch_that_cannot_be_empty_is_caught() {
    let sentence = batched(|messages, outputs| {
        assert!(!messages.is_empty(), "no messages");
        each(&mut sha256_of, messages, outputs);
    });
    assert_says(&sentence, &["batch of the empty message", "panicked: no messages"]);
}

#[test]
fn a_batch_that_overruns_is_caught() {
    let sentence = batched(|messages, outputs| {
        each(&mut sha256_of, messages, outputs);
        let end = outputs.len() as isize;
        write_at(outputs, end);
    });
    assert_says(&sentence, &["batch", "1 bytes behind its output"]);
}

#[test]
fn a_panic_is_a_failure() {
    let sentence = failure(|| {
        let panics = |message: &[u8], output: &mut [u8]| {
            assert!(message.len() != 129, "129 is too long");
            sha256_of(message, output);
        };
        whole_bytes(Box::new(panics), "fast")
    });
    assert_eq!(sentence, "hash of 129 bytes (compared with portable): panicked: 129 is too long");
}

#[test]
fn a_portable_that_panics_fails_the_others_too() {
    let mut algorithm = algorithm(|| good("fast"));
    let broken = |_: &[u8], _: &mut [u8]| panic!("broken");
    algorithm.implementations[0] =
        Implementation::ready("toy", "portable", "1", move |_| Ok(whole_bytes(Box::new(broken), "portable"))).ours();
    assert_says(&gate(&algorithm).failure.unwrap(), &["portable", "panicked: broken"]);
}

#[test]
fn an_absent_implementation_says_why() {
    let mut algorithm = algorithm(|| good("fast"));
    algorithm.implementations[1] = Implementation::absent("toy", "fast", "no such CPU", None);
    assert_says(&gate(&algorithm).failure.unwrap(), &["toy/fast: no such CPU"]);
}

/// A keyed toy: SHA-256 of key and message. Enough for parameters and bits, which SHA-256 itself does not exercise here.
fn keyed(parameters: &Parameters, backend: &'static str, mask: bool) -> Hasher {
    let key = parameters.key.clone().unwrap_or_default();
    let prefixed = move |message: &[u8], output: &mut [u8]| {
        let digest = Sha256::new().chain_update(&key).chain_update(message).finalize();
        output.copy_from_slice(&digest[..output.len()]);
    };
    let bits = {
        let prefixed = prefixed.clone();
        move |message: &[u8], bits: u64, output: &mut [u8]| {
            let mut message = message.to_vec();
            if mask && let Some(last) = message.last_mut() {
                *last &= !check::unused_bits(BitOrder::MostSignificantFirst, bits);
            }
            prefixed(&message, output);
        }
    };
    let ran = Box::new(|| backend.to_owned());
    Hasher {
        hash: Box::new(prefixed),
        stream: None,
        batch: None,
        bits: Some(Box::new(bits)),
        xof: None,
        tree: None,
        ran,
    }
}

fn keyed_algorithm(ours: bool, refuses: bool, mask: bool) -> Algorithm {
    let digest = |bytes: &[u8], size: usize| hex::encode(&Sha256::digest(bytes)[..size]);
    let text: &str = format!(
        "[L = 32]\nLen = 8\nMsg = 61\nMD = {}\nLen = 3\nMsg = a0\nMD = {}\n[L = 32]\nLen = 8\nMsg = 61\nKey = 6b\nMD = {}\n\
         [Outputlen = 32]\nLen = 0\nMsg =\nMD = {}\n",
        digest(b"a", 32),
        digest(&[0xa0], 32),
        digest(b"ka", 32),
        digest(b"", 4)
    )
    .leak();
    let fast = Implementation::ready("toy", "fast", "1", move |parameters| {
        if refuses && parameters.key.is_some() {
            return Err("no keys here".to_owned());
        }
        Ok(keyed(parameters, "fast", mask))
    });
    Algorithm {
        id: "keyed",
        output: OutputLength { default: 32, min: 1, max: Some(32) },
        bits: Some(BitOrder::MostSignificantFirst),
        vectors: vec![VectorFile { name: "sha256.rsp", text, manifest: manifest_of(text) }],
        implementations: vec![
            Implementation::ready("toy", "portable", "1", |parameters| Ok(keyed(parameters, "portable", true))).ours(),
            if ours { fast.ours() } else { fast },
        ],
        ..algorithm(|| good("fast"))
    }
}

#[test]
fn keys_output_lengths_and_bits_reach_the_hasher() {
    let kat = gate(&keyed_algorithm(true, false, true));
    assert_eq!((kat.ok, kat.failure, kat.skipped), (true, None, 0));
}

#[test]
fn a_peer_may_refuse_a_parameter_and_ours_may_not() {
    let kat = gate(&keyed_algorithm(false, true, true));
    assert_eq!((kat.ok, kat.failure, kat.skipped), (true, None, 1));
    let kat = gate(&keyed_algorithm(true, true, true));
    assert_eq!((kat.ok, kat.failure.as_deref()), (false, Some("no keys here")));
}

#[test]
fn unused_bits_that_are_hashed_are_caught() {
    assert_says(&gate(&keyed_algorithm(true, false, false)).failure.unwrap(), &["bits of 1 bits"]);
}

#[test]
fn unused_bits_by_order() {
    use BitOrder::{LeastSignificantFirst, MostSignificantFirst};
    let cases = [
        (MostSignificantFirst, 8, 0),
        (MostSignificantFirst, 1, 0x7f),
        (MostSignificantFirst, 15, 1),
        (LeastSignificantFirst, 0, 0),
        (LeastSignificantFirst, 1, 0xfe),
        (LeastSignificantFirst, 15, 0x80),
    ];
    for (order, bits, unused) in cases {
        assert_eq!(check::unused_bits(order, bits), unused, "{order:?}, {bits} bits");
    }
}
