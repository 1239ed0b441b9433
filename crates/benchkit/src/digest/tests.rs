use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};

use super::*;
use crate::suite::{
    Algorithm, Batch, BitOrder, Hasher, Implementation, Lengths, Options, OutputLength, Pages, Parameters,
};

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

struct Pieces(Sha256);

impl crate::suite::Stream for Pieces {
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

/// SHA-256 of key, salt and message, cut to the length of the output.
fn hasher(parameters: &Parameters, ran: &'static str) -> Hasher {
    let prefix = [parameters.key.clone(), parameters.salt.clone()].into_iter().flatten().flatten().collect::<Vec<u8>>();
    let hash = move |message: &[u8], output: &mut [u8]| {
        let digest = Sha256::new().chain_update(&prefix).chain_update(message).finalize();
        output.copy_from_slice(&digest[..output.len()]);
    };
    Hasher::new(Box::new(hash), || ran.to_owned())
}

/// How many messages each call of the batch had.
type Calls = Rc<Cell<Vec<usize>>>;

fn with_everything(parameters: &Parameters, calls: Calls) -> Hasher {
    let batch = move |messages: &[&[u8]], outputs: &mut [u8]| {
        for (message, output) in messages.iter().zip(outputs.chunks_exact_mut(32)) {
            output.copy_from_slice(&Sha256::digest(message));
        }
        let mut before = calls.take();
        before.push(messages.len());
        calls.set(before);
    };
    // The digest tells what arrived: message and length in bits, as they are.
    let bits = |message: &[u8], bits: u64, output: &mut [u8]| {
        output.fill(0);
        output[..message.len()].copy_from_slice(message);
        output[31] = bits as u8;
    };
    Hasher {
        stream: Some(Box::new(Pieces(Sha256::new()))),
        batch: Some(Batch { lanes: 4, call: Box::new(batch) }),
        bits: Some(Box::new(bits)),
        ..hasher(parameters, "fast")
    }
}

fn suite_counting(calls: Calls) -> Suite {
    let mut forced = Implementation::ready("peer", "forced", "1", |parameters| Ok(hasher(parameters, "forced")));
    forced.environment = BTreeMap::from([("HASHMATRIX_TEST_ONLY".to_owned(), "1".to_owned())]);
    let remedy = Some("get another CPU".to_owned());
    let plain = Algorithm {
        id: "sha256",
        pages: Pages::default(),
        block_bytes: 64,
        output: OutputLength::fixed(32),
        bits: Some(BitOrder::MostSignificantFirst),
        options: Options::default(),
        vectors: Vec::new(),
        implementations: vec![
            Implementation::ready("toy", "portable", "1", |parameters| Ok(hasher(parameters, "portable"))).ours(),
            Implementation::ready("toy", "fast", "1", move |parameters| Ok(with_everything(parameters, calls.clone())))
                .ours(),
            Implementation::absent("toy", "faster", "this CPU lacks it", remedy).ours(),
            Implementation::ready("peer", "default", "1", |parameters| Ok(hasher(parameters, "default"))),
            Implementation::ready("peer", "lies", "1", |parameters| Ok(hasher(parameters, "portable"))),
            forced,
        ],
    };
    let keyed = Algorithm {
        id: "keyed",
        output: OutputLength { default: 32, min: 1, max: Some(32) },
        bits: None,
        options: Options {
            key: Some(Lengths { min: 0, max: Some(4) }),
            salt: Some(Lengths { min: 2, max: Some(2) }),
            ..Options::default()
        },
        implementations: vec![
            Implementation::ready("toy", "portable", "1", |parameters| Ok(hasher(parameters, "portable"))).ours(),
        ],
        vectors: Vec::new(),
        pages: Pages::default(),
        block_bytes: 64,
    };
    Suite { family: "toy", algorithms: vec![plain, keyed] }
}

fn suite() -> Suite {
    suite_counting(Calls::default())
}

fn request() -> protocol::Digest {
    protocol::Digest { algorithm: "sha256".to_owned(), ..protocol::Digest::default() }
}

/// Whether it succeeded, standard output, standard error.
fn answer_to(request: &protocol::Digest, input: impl AsRef<[u8]>) -> (bool, String, String) {
    answer_of(&suite(), request, input)
}

fn answer_of(suite: &Suite, request: &protocol::Digest, input: impl AsRef<[u8]>) -> (bool, String, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let code = run(suite, request, Cursor::new(input), &mut output, &mut errors);
    let good = code == ExitCode::SUCCESS;
    assert!(good || code == ExitCode::FAILURE);
    (good, String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
}

fn good(request: &protocol::Digest, input: impl AsRef<[u8]>) -> String {
    let (good, output, errors) = answer_to(request, input);
    assert_eq!((good, errors.as_str()), (true, ""));
    output
}

#[track_caller]
fn refused(request: &protocol::Digest, sentence: &str) {
    assert_eq!(answer_to(request, "616263"), (false, String::new(), format!("error: {sentence}\n")));
}

fn lines() -> protocol::Digest {
    protocol::Digest { lines: true, ..request() }
}

fn batch() -> protocol::Digest {
    protocol::Digest { batch: true, ..lines() }
}

fn on(backend: &str, request: protocol::Digest) -> protocol::Digest {
    protocol::Digest { backend: Some(backend.to_owned()), ..request }
}

#[test]
fn standard_input_is_a_dash_or_nothing() {
    for files in [vec![], vec!["-".to_owned()]] {
        for backend in ["toy/fast", "portable", "peer/default"] {
            let request = on(backend, protocol::Digest { files: files.clone(), ..request() });
            assert_eq!(good(&request, "abc"), format!("{ABC}  -\n"));
            assert_eq!(good(&request, ""), format!("{EMPTY}  -\n"));
        }
    }
}

/// A folder of its own that goes away with it.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("benchkit digest {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, contents: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_in_their_order_and_on_past_one_that_cannot_be_read() {
    let folder = Folder::new("files");
    let long: Vec<u8> = (0..300_000_u32).map(|at| (at % 251) as u8).collect();
    let files = vec![
        folder.file("abc", b"abc"),
        folder.0.join("none").to_str().unwrap().to_owned(),
        folder.0.to_str().unwrap().to_owned(),
        "-".to_owned(),
        folder.file("long", &long),
    ];
    let digest = hex::encode(Sha256::digest(&long));
    for backend in ["fast", "portable"] {
        let request = on(backend, protocol::Digest { files: files.clone(), ..request() });
        let (good, output, errors) = answer_to(&request, "");
        assert_eq!(output, format!("{ABC}  {}\n{EMPTY}  -\n{digest}  {}\n", files[0], files[4]));
        assert!(!good);
        let errors: Vec<_> = errors.lines().collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].starts_with(&format!("error: {}: ", files[1])), "{errors:?}");
        assert!(errors[1].starts_with(&format!("error: {}: ", files[2])), "{errors:?}");
    }
}

#[test]
fn names_that_would_break_the_line_are_escaped() {
    let line = |name: &str| {
        let mut output = Vec::new();
        write_line(&mut output, &[0xab], name).unwrap();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(line("a b"), "ab  a b\n");
    assert_eq!(line("a\\b"), "\\ab  a\\\\b\n");
    assert_eq!(line("a\nb\r"), "\\ab  a\\nb\\r\n");
    assert_eq!(line("\\n"), "\\ab  \\\\n\n");
}

#[test]
fn each_line_is_a_message() {
    let digests = format!("{ABC}\n{EMPTY}\n{ABC}\n");
    for request in [lines(), batch(), on("portable", lines())] {
        assert_eq!(good(&request, "616263\n\n616263/24\n"), digests);
        assert_eq!(good(&request, "616263\r\n\r\n616263\r\n"), digests);
        assert_eq!(good(&request, "616263\n/0\n616263"), digests);
        assert_eq!(good(&request, "616263\n00/0\n616263"), digests);
        assert_eq!(good(&request, ""), "");
        assert_eq!(good(&request, "\n"), format!("{EMPTY}\n"));
        assert_eq!(good(&request, "6A\n"), good(&request, "6a\n"));
    }
}

#[test]
fn bits_come_in_the_order_of_the_algorithm_without_the_unused_ones() {
    let zeros = "00".repeat(29);
    assert_eq!(good(&lines(), "abff/11\n"), format!("abe0{zeros}0b\n"));
    let mut suite = suite();
    suite.algorithms[0].bits = Some(BitOrder::LeastSignificantFirst);
    let (good, output, _) = answer_of(&suite, &lines(), "abff/11\n");
    assert_eq!((good, output), (true, format!("ab07{zeros}0b\n")));
}

#[test]
fn wrong_lines_are_named_and_those_before_them_are_answered() {
    let cases = [
        ("6", "line 2: an odd number of hexadecimal digits"),
        ("6g", "line 2: `g` at place 2 is no hexadecimal digit"),
        ("6é1", "line 2: `é` at place 2 is no hexadecimal digit"),
        (" 61", "line 2: an odd number of hexadecimal digits"),
        ("61/9", "line 2: 9 bits are more than the 8 that are given"),
        ("6162/8", "line 2: of 16 bits only 8 are used: leave out the bytes that are not"),
        ("61/0", "line 2: of 8 bits only 0 are used: leave out the bytes that are not"),
        ("61/", "line 2: `` is no number of bits"),
        ("61/+8", "line 2: `+8` is no number of bits"),
        ("61/8/8", "line 2: `8/8` is no number of bits"),
        ("61/99999999999999999999", "line 2: `99999999999999999999` is no number of bits"),
    ];
    for (line, sentence) in cases {
        for request in [lines(), batch()] {
            let expected = (false, format!("{ABC}\n"), format!("error: {sentence}\n"));
            assert_eq!(answer_to(&request, format!("616263\n{line}\n616263\n")), expected, "{line}");
        }
    }
    let (good, output, errors) = answer_to(&lines(), b"616263\n\xff\n");
    assert_eq!((good, output), (false, format!("{ABC}\n")));
    assert!(errors.starts_with("error: line 2: "), "{errors}");
}

#[test]
fn bits_are_refused_where_there_are_none() {
    let says = |request: &protocol::Digest, sentence: &str| {
        assert_eq!(answer_to(request, "61/7"), (false, String::new(), format!("error: line 1: {sentence}\n")));
    };
    says(&on("portable", lines()), "toy/portable takes whole bytes only");
    says(&protocol::Digest { algorithm: "keyed".to_owned(), ..lines() }, "keyed takes whole bytes only");
    says(&batch(), "--batch takes whole bytes only");
}

#[test]
fn ten_thousand_lines_go_through_few_calls_in_order() {
    let input: String = (0..10_000_u32).map(|number| format!("{}\n", hex::encode(number.to_be_bytes()))).collect();
    let expected: String =
        (0..10_000_u32).map(|number| format!("{}\n", hex::encode(Sha256::digest(number.to_be_bytes())))).collect();
    let calls = Calls::default();
    let (good, output, _) = answer_of(&suite_counting(calls.clone()), &batch(), &input);
    assert!(good && output == expected);
    let calls = calls.take();
    assert_eq!((calls.iter().sum::<usize>(), calls.len()), (10_000, 10));
    let (good, output, _) = answer_to(&lines(), &input);
    assert!(good && output == expected);
}

#[test]
fn a_batch_of_long_messages_is_cut() {
    let line = format!("{}\n", "61".repeat(3 << 20));
    let calls = Calls::default();
    let (good, output, _) = answer_of(&suite_counting(calls.clone()), &batch(), line.repeat(5));
    assert_eq!((good, output.lines().count(), calls.take()), (true, 5, vec![3, 2]));
}

#[test]
fn batch_wants_lines_and_lines_want_no_files() {
    refused(&on("portable", batch()), "toy/portable has no call for many messages");
    let without = protocol::Digest { batch: true, ..request() };
    refused(&without, "--batch is about the messages of --lines: give both");
    let with = protocol::Digest { files: vec!["x".to_owned()], ..lines() };
    refused(&with, "--lines reads standard input: give it no files");
}

#[test]
fn a_backend_is_found_by_either_name_or_refused() {
    refused(
        &on("fsat", request()),
        "sha256 has no backend `fsat`; here it has toy/portable, toy/fast, peer/default, peer/lies, peer/forced",
    );
    // A bare name is one of ours.
    let (good, _, errors) = answer_to(&on("default", request()), "");
    assert!(!good && errors.contains("no backend `default`"), "{errors}");
    for name in ["faster", "toy/faster"] {
        refused(&on(name, request()), "toy/faster: this CPU lacks it; get another CPU");
    }
    let sentence = "peer/forced needs HASHMATRIX_TEST_ONLY=1 in its environment";
    refused(&on("peer/forced", request()), sentence);
    let unknown = protocol::Digest { algorithm: "sha265".to_owned(), ..request() };
    refused(&unknown, "toy has no algorithm `sha265`; it has sha256, keyed");
}

#[test]
fn a_backend_that_did_not_run_is_not_passed_off_as_one_that_did() {
    let says = |request: &protocol::Digest, sentence: &str| {
        assert_eq!(answer_to(&on("peer/lies", request.clone()), ""), (false, String::new(), sentence.to_owned()));
    };
    says(&request(), "error: -: asked for peer/lies, but portable ran\n");
    let (good, output, errors) = answer_to(&on("peer/lies", lines()), "61\n");
    let sentence = "error: line 1: asked for peer/lies, but portable ran\n";
    assert_eq!((good, output.as_str(), errors.as_str()), (false, "", sentence));
}

#[test]
fn without_a_name_ours_that_stands_last_is_taken() {
    // Only `toy/fast` has a batch.
    assert_eq!(good(&batch(), "616263\n"), format!("{ABC}\n"));
    let mut suite = suite();
    suite.algorithms[0].implementations.retain(|implementation| !implementation.ours);
    let (good, _, errors) = answer_of(&suite, &request(), "");
    assert_eq!((good, errors.as_str()), (false, "error: sha256 has no implementation of ours that can run here\n"));
}

fn keyed(change: impl FnOnce(&mut protocol::Digest)) -> protocol::Digest {
    let mut request = protocol::Digest { algorithm: "keyed".to_owned(), ..protocol::Digest::default() };
    change(&mut request);
    request
}

#[test]
fn options_reach_the_hasher() {
    let digest = |bytes: &[u8], size: usize| hex::encode(&Sha256::digest(bytes)[..size]);
    let request = keyed(|request| {
        request.key = Some("6B6c".to_owned());
        request.salt = Some("7374".to_owned());
        request.output_length = Some(5);
    });
    assert_eq!(good(&request, "abc"), format!("{}  -\n", digest(b"klstabc", 5)));
    assert_eq!(good(&keyed(|request| request.key = Some(String::new())), "abc"), format!("{ABC}  -\n"));
    let short = keyed(|request| (request.lines, request.output_length) = (true, Some(1)));
    assert_eq!(good(&short, "616263\n\n"), "ba\ne3\n");
    // A length that a function of one length has anyway.
    assert_eq!(
        good(&protocol::Digest { output_length: Some(32), ..request_of("sha256") }, "abc"),
        format!("{ABC}  -\n")
    );
}

fn request_of(algorithm: &str) -> protocol::Digest {
    protocol::Digest { algorithm: algorithm.to_owned(), ..protocol::Digest::default() }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let some = |text: &str| Some(text.to_owned());
    let key = protocol::Digest { key: some("00"), ..request() };
    refused(&key, "--key: sha256 takes none; it has no such options");
    refused(
        &keyed(|request| request.personalization = some("00")),
        "--personalization: keyed takes none; it has --key, --salt",
    );
    refused(
        &keyed(|request| request.customization = some("00")),
        "--customization: keyed takes none; it has --key, --salt",
    );
    refused(&keyed(|request| request.key = some("0")), "--key: an odd number of hexadecimal digits");
    refused(&keyed(|request| request.salt = some("00zz")), "--salt: `z` at place 3 is no hexadecimal digit");
    refused(&keyed(|request| request.key = some("0001020304")), "--key has 5 bytes; that of keyed has 0 to 4 bytes");
    refused(&keyed(|request| request.salt = some("00")), "--salt has 1 byte; that of keyed has 2 bytes");
    let length = protocol::Digest { output_length: Some(16), ..request() };
    refused(&length, "--output-length 16: a digest of sha256 has 32 bytes");
    refused(
        &keyed(|request| request.output_length = Some(0)),
        "--output-length 0: a digest of keyed has 1 to 32 bytes",
    );
}

#[test]
fn output_without_room_is_refused() {
    let mut suite = suite();
    suite.algorithms[1].output = OutputLength::any(32);
    let request = keyed(|request| request.output_length = Some(usize::MAX));
    let (good, _, errors) = answer_of(&suite, &request, "");
    assert_eq!((good, errors), (false, format!("error: there is no room for {} bytes of output\n", usize::MAX)));
}

/// Takes so many bytes and then fails.
struct Pipe(usize, io::ErrorKind);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(self.1.into());
        }
        let size = bytes.len().min(self.0);
        self.0 -= size;
        Ok(size)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_is_no_news_and_a_full_disk_is() {
    for request in [request(), lines(), batch()] {
        for (kind, said) in [(io::ErrorKind::BrokenPipe, false), (io::ErrorKind::StorageFull, true)] {
            let mut errors = Vec::new();
            let input = Cursor::new("616263\n".repeat(10_000));
            let code = run(&suite(), &request, input, Pipe(5, kind), &mut errors);
            assert!(code == ExitCode::FAILURE);
            let errors = String::from_utf8(errors).unwrap();
            assert_eq!(errors.contains("cannot write the output"), said, "{errors}");
            assert_eq!(errors.is_empty(), !said);
        }
    }
}
