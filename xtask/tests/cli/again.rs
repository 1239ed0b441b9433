//! Noisy cells are measured again, once, in the same run.

use std::fs;

use benchkit::record::{Record, Repeat};

use crate::sandbox::{Answer, Sandbox, outcome, visits};

const ARGUMENTS: [&str; 11] =
    ["bench", "--rounds", "2", "--samples", "2", "--profile", "native", "--operation", "hash", "--algorithm", "toy8"];

fn noisy(sandbox: &Sandbox, more: &[&str], quiet: &str) -> Answer {
    let mut command = sandbox.command(&[&ARGUMENTS[..], more].concat());
    sandbox.answer(command.env("TOY_NOISY", "peer/default").env("TOY_QUIET", quiet))
}

fn repeats(records: &[Record]) -> Vec<&Repeat> {
    records.iter().filter_map(|record| if let Record::Repeat(repeat) = record { Some(repeat) } else { None }).collect()
}

#[test]
fn noisy_cells_are_measured_again_with_twice_the_rounds() {
    let sandbox = Sandbox::new();
    let answer = noisy(&sandbox, &["--length", "64,2048,4096"], "4").with_code(0);
    answer.says(&["measuring 3 noisy or undecided cells again", "noisy cells again, round 4 of 4"]);
    let records = sandbox.records();
    let [repeat] = repeats(&records)[..] else { panic!("{records:?}") };
    assert_eq!((repeat.process, repeat.rounds, repeat.left_out), (4, 4, 0));
    assert!(repeat.cells.iter().all(|cell| cell.implementation.as_deref() == Some("peer/default")));
    // Again: the noisy one with ours beside it, in four processes, and nobody else.
    let again = |name: &str| visits(&records).iter().filter(|v| v.process >= 4 && v.implementation == name).count();
    assert_eq!((again("peer/default"), again("alpha/fast"), again("alpha/portable")), (4 * 16, 4 * 16, 4 * 16));
    assert_eq!(again("peer/forced"), 0);
    assert!(
        answer.stdout.contains(
            "3 noisy or undecided cells were measured again in 4 processes instead of 2, and their figures are the later \
             ones; none is noisy or undecided still"
        ),
        "{}",
        answer.stdout
    );
    // Its figure is that of the quiet processes: 100 + 3 * 64 + 12 less 20 cycles for 64 bytes.
    let row = answer.stdout.lines().find(|line| line.contains("peer/default")).unwrap();
    assert!(row.contains(" 4.44 ") && !row.contains('~'), "{row}");
    assert_eq!(outcome(&records), "complete");
}

#[test]
fn what_is_noisy_still_is_named_and_not_measured_a_third_time() {
    let sandbox = Sandbox::new();
    let answer = noisy(&sandbox, &["--length", "64"], "1000").with_code(0);
    assert!(answer.stdout.contains("1 are so still: toy8 peer/default hash 64"), "{}", answer.stdout);
    assert_eq!(repeats(&sandbox.records()).len(), 1);
}

#[test]
fn a_cut_within_the_second_measuring_goes_on() {
    let sandbox = Sandbox::new();
    noisy(&sandbox, &["--length", "64"], "1000").with_code(0);
    let file = sandbox.file();
    let text = fs::read_to_string(&file).unwrap();
    let whole = visits(&sandbox.records()).len();
    let repeat = text.find(r#"{"kind":"repeat""#).unwrap();
    let last = text.rfind(r#"{"kind":"process""#).unwrap();
    for place in [repeat + 10, text[repeat..].find('\n').unwrap() + repeat + 1, last] {
        fs::write(&file, &text[..place]).unwrap();
        let mut command = sandbox.command(&["bench", "--resume"]);
        sandbox.answer(command.env("TOY_NOISY", "peer/default")).with_code(0);
        let records = sandbox.records();
        assert_eq!((visits(&records).len(), repeats(&records).len()), (whole, 1), "cut at byte {place}");
    }
}

#[test]
fn quick_and_once_measure_once() {
    let sandbox = Sandbox::new();
    for more in [&["--quick", "--length", "64"][..], &["--once", "--length", "64"]] {
        noisy(&sandbox, more, "1000").with_code(0);
        assert_eq!(repeats(&sandbox.records()).len(), 0);
        fs::remove_file(sandbox.file()).unwrap();
    }
}
