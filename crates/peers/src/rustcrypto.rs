//! The crates of RustCrypto, as they come: default features, own choice of backend.

use benchkit::suite::{Implementation, Stream};
use digest::array::Array;
use digest::{Digest, FixedOutput, FixedOutputReset, OutputSizeUser};

use crate::peer::{Peer, row};

mod groestl;

/// The rows of an algorithm: one, if RustCrypto has it. Each family has its module.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    let families: &[fn(&str) -> Vec<Implementation>] = &[
        sha2_rows, //
        groestl::rows,
    ];
    families.iter().flat_map(|rows| rows(id)).collect()
}

fn sha2_rows(id: &str) -> Vec<Implementation> {
    let row = match id {
        "sha224" => fixed::<sha2::Sha224>("sha2"),
        "sha256" => fixed::<sha2::Sha256>("sha2"),
        "sha384" => fixed::<sha2::Sha384>("sha2"),
        "sha512" => fixed::<sha2::Sha512>("sha2"),
        "sha512-224" => fixed::<sha2::Sha512_224>("sha2"),
        "sha512-256" => fixed::<sha2::Sha512_256>("sha2"),
        _ => return Vec::new(),
    };
    vec![row]
}

/// A hash with one digest length, from the crate of that name.
fn fixed<D: Digest + FixedOutputReset + 'static>(name: &str) -> Implementation {
    row("rustcrypto", "default", &version(name), || Ok(Fixed(D::new())))
}

/// The name of a crate that this one depends on, and its version.
pub(crate) fn version(name: &str) -> String {
    match locked_version(LOCK, env!("CARGO_PKG_NAME"), name) {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    }
}

struct Fixed<D>(D);

fn array<D: OutputSizeUser>(output: &mut [u8]) -> &mut Array<u8, D::OutputSize> {
    crate::peer::check_output(output, <D as OutputSizeUser>::output_size());
    output.try_into().expect("the length was checked")
}

impl<D: Digest + FixedOutputReset> Stream for Fixed<D> {
    fn reset(&mut self) {
        Digest::reset(&mut self.0);
    }

    fn update(&mut self, piece: &[u8]) {
        Digest::update(&mut self.0, piece);
    }

    fn finish(&mut self, output: &mut [u8]) {
        FixedOutputReset::finalize_into_reset(&mut self.0, array::<D>(output));
    }
}

impl<D: Digest + FixedOutputReset + 'static> Peer for Fixed<D> {
    fn digest_bytes(&self) -> usize {
        <D as OutputSizeUser>::output_size()
    }

    // `D::digest`, except that it writes to where the caller wants it.
    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        FixedOutput::finalize_into(D::new_with_prefix(message), array::<D>(output));
    }
}

/// The lock file of the workspace. The crates do not tell their version, and this is what cargo built them from: the
/// crate is not published, and cargo brings the file up to date before it compiles.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// The version of `name` that the package `dependent` is built with. A lock file names a dependency by `name` alone, or
/// by `name version` if it holds several versions of it.
fn locked_version<'a>(lock: &'a str, dependent: &str, name: &str) -> Option<&'a str> {
    let value = |package: &'a str, key: &str| {
        package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'))
    };
    let packages = || lock.split("[[package]]").skip(1);
    let dependent = packages().find(|package| value(package, "name") == Some(dependent))?;
    let mut entry = dependent
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
        .map(|entry| entry.split(' '))
        .find(|entry| entry.clone().next() == Some(name))?;
    match entry.nth(1) {
        Some(version) => Some(version),
        None => value(packages().find(|package| value(package, "name") == Some(name))?, "version"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_found_by_the_dependent() {
        let one = "version = 4\n\n[[package]]\nname = \"peers\"\nversion = \"0.1.0\"\ndependencies = [\n \"digest\",\n \"sha2\",\n]\n\n\
                   [[package]]\nname = \"sha2\"\nversion = \"0.11.7\"\n";
        assert_eq!(locked_version(one, "peers", "sha2"), Some("0.11.7"));
        assert_eq!(locked_version(one, "peers", "sha3"), None);
        assert_eq!(locked_version(one, "xtask", "sha2"), None);

        let two = "[[package]]\nname = \"peers\"\nversion = \"0.1.0\"\ndependencies = [\n \"sha2 0.11.7\",\n]\n\n\
                   [[package]]\nname = \"sha2\"\nversion = \"0.10.9\"\n\n[[package]]\nname = \"sha2\"\nversion = \"0.11.7\"\n";
        assert_eq!(locked_version(two, "peers", "sha2"), Some("0.11.7"));
    }

    #[test]
    fn version_of_this_build_is_known() {
        let version = locked_version(LOCK, "peers", "sha2").expect("sha2 is a dependency");
        assert!(version.starts_with("0.11."), "{version}");
    }
}
