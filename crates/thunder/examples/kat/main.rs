//! Makes the KAT files of the NGCC submission anew and compares their SHA-256 with the published ones.
//!
//! ```text
//! cargo run --release -p thunder --example kat -- [--full] [--out FOLDER] [INSTANCE ..]
//! ```
//!
//! One line a file: SHA-256 of the file, SHA-256 of its canonical form, name, verdict; then one line an instance. Without
//! `--full`, KAT_2_12 and KAT_2_23; with it, KAT_Loop and KAT_2_33 too, which take minutes. `--out` keeps the files.
//!
//! Exit status: 0 good, 1 usage or a file that cannot be written, 2 a wrong digest.

mod drng;
mod files;

use std::path::PathBuf;
use std::process::ExitCode;

use files::{INSTANCES, Instance, Kind, Published, canonical, published};
use sha2::{Digest, Sha256};

struct Arguments {
    full: bool,
    out: Option<PathBuf>,
    instances: Vec<Instance>,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments { full: false, out: None, instances: Vec::new() };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match &argument[..] {
            "--full" => parsed.full = true,
            "--out" => parsed.out = Some(given.next().ok_or("--out needs a folder")?.into()),
            name => {
                let known = |instance: &&Instance| instance.name.eq_ignore_ascii_case(name);
                let instance = INSTANCES.iter().find(known).ok_or_else(|| {
                    let names: Vec<_> = INSTANCES.iter().map(|instance| instance.name).collect();
                    format!("`{name}` is no option and no instance; there are --full, --out, {}", names.join(", "))
                })?;
                parsed.instances.push(*instance);
            }
        }
    }
    if parsed.instances.is_empty() {
        parsed.instances = INSTANCES.to_vec();
    }
    Ok(parsed)
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn run() -> Result<bool, String> {
    let Arguments { full, out, instances } = arguments()?;
    let kinds = [Kind::Short, Kind::Long, Kind::Loop, Kind::Longest];
    let mut good = vec![true; instances.len()];
    for kind in &kinds[..if full { 4 } else { 2 }] {
        for ((instance, file), good) in instances.iter().zip(kind.files(&instances)).zip(&mut good) {
            let name = format!("{}_{}.txt", kind.label(), instance.name);
            if let Some(folder) = &out {
                let path = folder.join(&name);
                std::fs::create_dir_all(folder)
                    .and_then(|()| std::fs::write(&path, &file))
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
            let (plain, canonical) = (sha256(&file), sha256(&canonical(&file)));
            let verdict = match published(&name) {
                None => "no digest is published",
                Some(Published { plain: known, canonical: right })
                    if canonical == right && known.is_none_or(|known| known == plain) =>
                {
                    "as published"
                }
                Some(_) => {
                    *good = false;
                    "NOT as published"
                }
            };
            println!("{plain} {canonical} {name}: {verdict}");
        }
    }
    for (instance, good) in instances.iter().zip(&good) {
        println!("RESULT hash-33 {} {}", instance.name, if *good { "PASS" } else { "FAIL" });
    }
    Ok(good.iter().all(|good| *good))
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    }
}
