//! Libraries that the user names: `--peer NAME=FILE.so[:SYMBOL]`.
//!
//! Each gets a process of its own, as a row does that needs an environment: one that crashes takes nobody along, and
//! ours and the anchors stand beside it.

use std::collections::BTreeMap;
use std::path::Path;

use benchkit::protocol::ImplementationInfo;
use benchkit::suite::Absent;
use clap::Args;
use serde::Serialize;

use crate::build::Program;
use crate::exit::Failure;
use crate::plan::Environment;
use crate::worker;

/// The variable by which a worker is told.
const VARIABLE: &str = "HASHMATRIX_PEERS";
const BACKEND: &str = "external";
const USUAL_SYMBOL: &str = "crypto_hash";

/// The options about libraries that the user names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct Peers {
    /// A library's function as NAME/external: int f(unsigned char *out, const unsigned char *in, unsigned long long
    /// inlen) [SYMBOL: crypto_hash; repeatable]
    #[arg(long, value_name = "NAME=FILE.so[:SYMBOL]", value_parser = parse, requires = "peer_algorithm")]
    peer: Vec<Peer>,
    /// What it computes: one id for every --peer, or one for each
    #[arg(long, value_name = "ID", requires = "peer")]
    peer_algorithm: Vec<String>,
}

/// One function of one library.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Peer {
    name: String,
    /// As a worker understands it: with its whole path, or a bare name for the system's search path.
    file: String,
    symbol: String,
}

/// As a worker reads it.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    file: &'a str,
    symbol: &'a str,
    algorithm: &'a str,
}

fn parse(text: &str) -> Result<Peer, String> {
    const SHAPE: &str = "a library is named as NAME=FILE.so or NAME=FILE.so:SYMBOL";
    let (name, rest) = text.split_once('=').ok_or(SHAPE)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte);
    if name.is_empty() || !name.bytes().all(plain) || name.ends_with(crate::native::SUFFIX) {
        return Err(format!("`{name}` is no name: letters, digits, `.`, `_`, `+` and `-` make one"));
    }
    let is_symbol = |text: &str| {
        !text.is_empty()
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$.@".contains(&byte))
    };
    // A colon may belong to the file's name.
    let (file, symbol) = match rest.rsplit_once(':') {
        Some((file, symbol)) if is_symbol(symbol) && !Path::new(rest).is_file() => (file, symbol),
        _ => (rest, USUAL_SYMBOL),
    };
    if file.is_empty() {
        return Err(SHAPE.into());
    }
    Ok(Peer { name: name.into(), file: whole(file)?, symbol: symbol.into() })
}

/// Workers stand in another folder. A bare name that is no file here is left to the system, which knows where libraries are.
fn whole(file: &str) -> Result<String, String> {
    let path = Path::new(file);
    if !file.contains('/') && !path.exists() {
        return Ok(file.into());
    }
    let path = std::path::absolute(path).map_err(|error| format!("{file}: {error}"))?;
    path.into_os_string().into_string().map_err(|path| format!("{} is not UTF-8", path.display()))
}

impl Peers {
    /// Whether there are any.
    pub(crate) fn is_empty(&self) -> bool {
        self.peer.is_empty()
    }

    /// Each with what the user says it computes, as number and name.
    ///
    /// # Errors
    ///
    /// There are neither one algorithm nor one for each.
    pub(crate) fn algorithms(&self) -> Result<Vec<(usize, &str)>, Failure> {
        match self.peer_algorithm.as_slice() {
            [one] => Ok((0..self.peer.len()).map(|number| (number, one.as_str())).collect()),
            each if each.len() == self.peer.len() => Ok(each.iter().map(String::as_str).enumerate().collect()),
            each => Err(Failure::new(format!(
                "there are {} --peer and {} --peer-algorithm: give one for all, or one for each",
                self.peer.len(),
                each.len()
            ))),
        }
    }

    /// What a worker finds when it opens the library with that number.
    ///
    /// # Errors
    ///
    /// The user stopped it. A library that is no use, or that ends the worker, is a row that says so.
    pub(crate) fn ask(&self, number: usize, algorithm: &str, program: &Program) -> Result<ImplementationInfo, Failure> {
        let Peer { name, file, symbol } = &self.peer[number];
        let json = serde_json::to_string(&[Entry { name, file, symbol, algorithm }]).expect("it is plain text");
        let environment: Environment = BTreeMap::from([(VARIABLE.to_owned(), json)]);
        let absent = |reason: String| ImplementationInfo {
            name: format!("{name}/{BACKEND}"),
            provider: name.clone(),
            backend: BACKEND.into(),
            version: String::new(),
            ours: false,
            available: false,
            absent: Some(Absent { reason, remedy: None }),
            operations: Vec::new(),
            lanes: 0,
            environment: environment.clone(),
        };
        let list = match worker::list_in(&program.path, &environment)? {
            Ok(list) => list,
            Err(sentence) => return Ok(absent(format!("the worker that opened {file} {sentence}"))),
        };
        let rows = list.algorithms.into_iter().filter(|one| one.id == algorithm).flat_map(|one| one.implementations);
        let rows: Vec<ImplementationInfo> = rows.filter(|row| row.backend == BACKEND).collect();
        if let Some(row) = rows.iter().find(|row| row.provider == *name) {
            return Ok(ImplementationInfo { environment, ..row.clone() });
        }
        let said = rows.iter().find(|row| row.provider == VARIABLE).and_then(|row| row.absent.as_ref());
        Ok(absent(said.map_or_else(
            || format!("the worker of {} opens no libraries by hand", program.package),
            |absent| absent.reason.clone(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_read_with_and_without_its_symbol() {
        let parsed = |text: &str| parse(text).map(|peer| (peer.name, peer.file, peer.symbol));
        let peer = |name: &str, file: &str, symbol: &str| Ok((name.into(), file.into(), symbol.into()));
        assert_eq!(parsed("a=/x/y.so"), peer("a", "/x/y.so", "crypto_hash"));
        assert_eq!(parsed("a=/x/y.so:f_2"), peer("a", "/x/y.so", "f_2"));
        assert_eq!(parsed("a=/x/q=z:2.so:f"), peer("a", "/x/q=z:2.so", "f"));
        assert_eq!(parsed("a=/x/y.so:not/a/symbol"), peer("a", "/x/y.so:not/a/symbol", "crypto_hash"));
        assert_eq!(parsed("a=liby.so"), peer("a", "liby.so", "crypto_hash"));
        let here = std::env::current_dir().unwrap();
        assert_eq!(parsed("a=./y.so").unwrap().1, here.join("y.so").to_str().unwrap());
        assert_eq!(parsed("a=Cargo.toml").unwrap().1, here.join("Cargo.toml").to_str().unwrap());
        for wrong in ["", "a", "=x.so", "a/b=x.so", "a=", "a=:f", "a+native=x.so"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
