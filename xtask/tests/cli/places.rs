//! Everything lands in its place, wherever the user stands and wherever cargo builds.

use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

const SHORT: [&str; 7] = ["bench", "--rounds", "1", "--length", "8", "--algorithm", "toy9"];

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_clean(sandbox: &Sandbox) {
    for package in ["alpha", "beta"] {
        assert_eq!(names(&sandbox.root().join(package)), ["Cargo.toml", "benches", "src"]);
        assert_eq!(names(&sandbox.root().join(package).join("src")), ["lib.rs"]);
    }
}

#[test]
fn from_a_folder_of_a_package() {
    let sandbox = Sandbox::new();
    let folder = sandbox.root().join("alpha/src");
    sandbox.answer(sandbox.command(&SHORT).current_dir(folder)).with_code(0);
    assert!(sandbox.file().starts_with(sandbox.root().join("results")));
    assert_clean(&sandbox);
}

#[test]
fn from_elsewhere_it_is_the_workspace_that_the_program_belongs_to() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&SHORT);
    // As cargo sets it for `cargo run --manifest-path`.
    command.current_dir("/").env("CARGO_MANIFEST_DIR", sandbox.root().join("beta"));
    sandbox.answer(&mut command).with_code(0);
    assert_eq!(sandbox.files().len(), 1);
    assert_clean(&sandbox);
}

#[test]
fn outside_of_any_workspace() {
    let sandbox = Sandbox::new();
    let answer = sandbox.answer(sandbox.command(&["list"]).current_dir(sandbox.temporary())).with_code(1);
    answer.says(&["cargo cannot read the workspace", "Cargo.toml"]);
}

#[test]
fn with_target_folders_of_every_sort() {
    let sandbox = Sandbox::new();
    sandbox.answer(sandbox.command(&SHORT).env("CARGO_TARGET_DIR", "tt")).with_code(0);
    assert!(sandbox.root().join("tt/release").is_dir());
    let elsewhere = sandbox.temporary().join("built here");
    sandbox.answer(sandbox.command(&SHORT).env("CARGO_TARGET_DIR", &elsewhere)).with_code(0);
    assert!(elsewhere.join("release").is_dir());
    fs::create_dir(sandbox.root().join(".cargo")).unwrap();
    fs::write(sandbox.root().join(".cargo/config.toml"), "[build]\ntarget-dir = \"configured\"\n").unwrap();
    sandbox.run(&SHORT).with_code(0);
    assert!(sandbox.root().join("configured/release").is_dir());
    assert_eq!(sandbox.files().len(), 3);
    assert!(!sandbox.root().join("target").exists());
    assert_clean(&sandbox);
}

#[test]
fn what_is_up_to_date_is_not_built_again_and_no_network_is_needed() {
    let sandbox = Sandbox::new();
    sandbox.run(&["list"]).with_code(0);
    let programs = sandbox.root().join("target/release/deps");
    let times = || -> Vec<_> {
        let paths = names(&programs).into_iter().map(|name| programs.join(name));
        paths.map(|path| (path.clone(), fs::metadata(path).unwrap().modified().unwrap())).collect()
    };
    let before = times();
    let mut command = sandbox.command(&SHORT);
    command.env("CARGO_NET_OFFLINE", "true");
    sandbox.answer(&mut command).with_code(0);
    assert_eq!(before, times());
}
