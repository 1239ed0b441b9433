//! Any shared library, named by hand: one function of the shape of SUPERCOP's `crypto_hash`.
//!
//! Contract: `int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)` writes a digest of
//! one length, always the same, and returns 0 (SUPERCOP, "Interface for crypto_hash").
//!
//! The function is not told how much room there is. So its first call goes into a large buffer of its own, where it
//! shows how many bytes it writes; a caller with room for more or less than that is refused. The calls that follow go
//! straight to the caller's buffer, and cost nothing beside the function.

#![allow(unsafe_code)]

use core::ffi::{c_int, c_ulonglong};
use core::mem::ManuallyDrop;
use std::collections::BTreeSet;
use std::path::Path;

use benchkit::suite::{Absent, Hasher, Implementation, Parameters};
use serde::Deserialize;
use sha2::Digest as _;

use crate::dynamic::describe;

/// The variable that names libraries.
const VARIABLE: &str = "HASHMATRIX_PEERS";
const BACKEND: &str = "external";

/// One library, as the variable gives it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct External {
    /// The provider's name.
    name: String,
    /// A file with its whole path, or a bare name for the system's search path.
    file: String,
    #[serde(default = "usual_symbol")]
    symbol: String,
    /// Id of the algorithm.
    algorithm: String,
}

fn usual_symbol() -> String {
    "crypto_hash".to_owned()
}

/// The rows of an algorithm: one for each library that the environment names for it. If the variable cannot be read,
/// one that says so, under the name of the variable.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return Vec::new() };
    let listed = value.to_str().ok_or_else(|| "it is not UTF-8".to_owned()).and_then(read);
    match listed {
        Ok(externals) => externals.iter().filter(|external| external.algorithm == id).map(row).collect(),
        Err(reason) => {
            let remedy = format!(r#"{VARIABLE} is [{{"name":"..","file":"/..","symbol":"..","algorithm":".."}},..]"#);
            vec![Implementation::absent(VARIABLE, BACKEND, format!("{VARIABLE}: {reason}"), Some(remedy))]
        }
    }
}

fn read(text: &str) -> Result<Vec<External>, String> {
    let externals: Vec<External> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut seen = BTreeSet::new();
    for External { name, file, symbol, algorithm } in &externals {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte);
        if name.is_empty() || !name.bytes().all(plain) {
            return Err(format!("the name {name:?} may have letters, digits, `.`, `_`, `+` and `-` only"));
        }
        if !seen.insert((name, algorithm)) {
            return Err(format!("{name} is there twice for {algorithm}"));
        }
        if file.is_empty() || symbol.is_empty() || file.contains('\0') || symbol.contains('\0') {
            return Err(format!("{name} has an empty file or symbol, or one with a zero byte"));
        }
    }
    Ok(externals)
}

type Function = unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong) -> c_int;

fn row(external: &External) -> Implementation {
    match open(external) {
        Ok((function, version)) => {
            let (name, symbol) = (external.name.clone(), external.symbol.clone());
            Implementation::ready(&external.name, BACKEND, version, move |parameters| {
                if *parameters != Parameters::default() {
                    return Err(format!("{name}/{BACKEND}: the function takes a message and nothing else"));
                }
                let mut call = Call { function, digest_bytes: None, what: format!("{name}/{BACKEND}: {symbol}") };
                let hash = move |message: &[u8], output: &mut [u8]| call.hash(message, output);
                Ok(Hasher::new(Box::new(hash), || BACKEND.to_owned()))
            })
        }
        Err(Absent { reason, remedy }) => Implementation::absent(&external.name, BACKEND, reason, remedy),
    }
}

/// The function, and the file's name with the start of its SHA-256, which is all that tells one version from another.
fn open(external: &External) -> Result<(Function, String), Absent> {
    let External { file, symbol, .. } = external;
    let path = Path::new(file);
    let bare = path.components().count() == 1 && path.file_name().is_some();
    if !bare && !path.is_absolute() {
        let reason = format!("{file} is no whole path: it would mean another file in another folder");
        return Err(Absent { reason, remedy: Some("name it from the root".to_owned()) });
    }
    let mut version = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    if !bare {
        let contents = std::fs::read(path)
            .map_err(|error| Absent { reason: format!("cannot read {file}: {error}"), remedy: None })?;
        let digest = sha2::Sha256::digest(&contents);
        version.push_str(" sha256:");
        digest.iter().take(8).for_each(|byte| version.push_str(&format!("{byte:02x}")));
    }
    // SAFETY: the initialisers of the file run. The user named it to be run.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|error| Absent { reason: format!("cannot open {file}: {}", describe(&error)), remedy: None })?;
    // Never closed: the function is then there for as long as the process.
    let library = ManuallyDrop::new(library);
    // SAFETY: the user names a function of this type.
    let function = unsafe { library.get::<Option<Function>>(symbol.as_str()) }.ok().and_then(|found| *found);
    match function {
        Some(function) => Ok((function, version)),
        None => {
            let remedy = "name the function behind the file: FILE:SYMBOL".to_owned();
            Err(Absent { reason: format!("{file} has no {symbol}"), remedy: Some(remedy) })
        }
    }
}

/// Watched bytes before and behind the output of a first call.
const BEFORE: usize = 4096;
const BEHIND: usize = 65_536;
/// Lengths of the messages of the first calls: none, less than a block, and several blocks of any hash.
const LENGTHS: [usize; 3] = [0, 3, 1000];

struct Call {
    function: Function,
    /// What the function was seen to write; `None` before its first call.
    digest_bytes: Option<usize>,
    /// Row and symbol, for messages.
    what: String,
}

impl Call {
    #[inline]
    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        if self.digest_bytes != Some(output.len()) {
            self.first(output.len());
        }
        // SAFETY: the user named a function of this shape; it was seen to write as many bytes as the output has.
        let result = unsafe { (self.function)(output.as_mut_ptr(), message.as_ptr(), message.len() as c_ulonglong) };
        if result != 0 {
            self.fail(result);
        }
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, result: c_int) -> ! {
        panic!("{} returned {result}", self.what)
    }

    /// Sees how much the function writes, and panics unless that is the room that there is.
    #[cold]
    #[inline(never)]
    fn first(&mut self, room: usize) {
        let message = [0x5a; 1000];
        for length in LENGTHS {
            let written = self.written(&message[..length]);
            assert!(
                written == room,
                "{} writes {written} bytes for a message of {length}, and there is room for {room}",
                self.what
            );
        }
        self.digest_bytes = Some(room);
    }

    /// How far from the start of its output the function writes.
    fn written(&self, message: &[u8]) -> usize {
        // A byte that holds what it was filled with, twice and differently, was not written.
        let mut changed = vec![false; BEFORE + BEHIND];
        for fill in [0xa5, 0x5a] {
            let mut buffer = vec![fill; BEFORE + BEHIND];
            // SAFETY: the user named a function of this shape; there is more room than any digest needs.
            let result = unsafe {
                (self.function)(buffer.as_mut_ptr().add(BEFORE), message.as_ptr(), message.len() as c_ulonglong)
            };
            if result != 0 {
                self.fail(result);
            }
            changed.iter_mut().zip(&buffer).for_each(|(changed, &byte)| *changed |= byte != fill);
        }
        assert!(!changed[..BEFORE].contains(&true), "{} writes before its output", self.what);
        changed.iter().rposition(|&changed| changed).map_or(0, |last| last + 1 - BEFORE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_read() {
        let read = read(
            r#"[{"name":"mine","file":"/a/b.so","algorithm":"sha256"},
                           {"name":"mine","file":"b.so","symbol":"f","algorithm":"sha512"}]"#,
        )
        .expect("it is right");
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].symbol.as_str(), read[1].symbol.as_str()), ("crypto_hash", "f"));
        assert_eq!(
            (read[1].name.as_str(), read[1].file.as_str(), read[1].algorithm.as_str()),
            ("mine", "b.so", "sha512")
        );
    }

    #[test]
    fn what_is_wrong_with_the_variable_is_said() {
        let entry = |name: &str, file: &str| format!(r#"{{"name":"{name}","file":"{file}","algorithm":"sha256"}}"#);
        for (text, expected) in [
            ("mine=a.so".to_owned(), "line 1 column 1"),
            (r#"[{"name":"mine","algorithm":"sha256"}]"#.to_owned(), "file"),
            (r#"[{"name":"a","file":"b","algorithm":"c","symbl":"d"}]"#.to_owned(), "symbl"),
            (format!("[{}]", entry("a/b", "/c.so")), "a/b"),
            (format!("[{}]", entry("", "/c.so")), "letters"),
            (format!("[{}]", entry("a", "")), "empty"),
            (format!("[{0},{0}]", entry("twin", "/c.so")), "twin is there twice for sha256"),
        ] {
            let said = read(&text).expect_err(&text);
            assert!(said.contains(expected), "{text}: {said}");
        }
    }

    fn refused(file: &str, symbol: &str) -> Absent {
        let external =
            External { name: "mine".into(), file: file.into(), symbol: symbol.into(), algorithm: "sha256".into() };
        open(&external).expect_err("it cannot be opened")
    }

    #[test]
    fn a_file_that_is_no_use_is_absent_with_the_reason() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let missing = concat!(env!("CARGO_MANIFEST_DIR"), "/no.so");
        assert!(refused(manifest, "f").reason.starts_with(&format!("cannot open {manifest}: ")));
        assert!(refused(missing, "f").reason.starts_with(&format!("cannot read {missing}: ")));
        assert!(refused("./no.so", "f").reason.contains("no whole path"));
        assert!(refused("folder/no.so", "f").reason.contains("no whole path"));
        assert!(refused("libhashmatrix-none.so", "f").reason.contains("libhashmatrix-none.so"));
    }

    unsafe extern "C" fn forty(out: *mut u8, message: *const u8, length: c_ulonglong) -> c_int {
        // SAFETY: the caller has room for 40 bytes; the message is as long as it says.
        unsafe {
            out.write_bytes(0xa5, 40);
            if length > 0 {
                out.write(*message);
            }
        }
        0
    }

    unsafe extern "C" fn early(out: *mut u8, _: *const u8, _: c_ulonglong) -> c_int {
        // SAFETY: the caller has a byte before the output.
        unsafe { out.sub(1).write(0) };
        0
    }

    unsafe extern "C" fn failing(_: *mut u8, _: *const u8, length: c_ulonglong) -> c_int {
        if length == 1000 { -7 } else { 0 }
    }

    fn said(function: Function, room: usize) -> String {
        let mut call = Call { function, digest_bytes: None, what: "mine/external: f".into() };
        let mut output = vec![0x11; room + 64];
        let hash = std::panic::AssertUnwindSafe(|| call.hash(b"abc", &mut output[..room]));
        let Err(panic) = std::panic::catch_unwind(hash) else { return String::new() };
        assert!(output.iter().all(|&byte| byte == 0x11), "nothing is written to the caller's buffer");
        panic.downcast_ref::<String>().expect("a formatted message").clone()
    }

    #[test]
    fn what_does_not_fit_is_refused_before_it_is_written() {
        assert_eq!(said(forty, 40), "");
        let expected = "mine/external: f writes 40 bytes for a message of 0, and there is room for 32";
        assert_eq!(said(forty, 32), expected);
        assert!(said(forty, 64).ends_with("there is room for 64"));
        assert!(said(early, 32).contains("before its output"));
        assert!(said(failing, 0).ends_with("f returned -7"));
    }
}
