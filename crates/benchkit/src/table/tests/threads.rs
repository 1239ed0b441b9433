//! Several threads at once.

use super::*;

/// Two threads that do not hinder one another take as long for two messages as one takes for one.
#[test]
fn what_threads_finish_together_is_shared_out() {
    let mut run = Simulation::new("a", "r", 1);
    run.noise = 0.0;
    run.algorithm("sha256", None, &[("ours/fast", true), ("ours/portable", true), ("peer/evp", false)]);
    for threads in [1, 2] {
        run.work = (Operation::Threads, threads);
        run.process(20.0).block("sha256", 4096, &cycles(4096, 0.0));
    }
    // Windows of a million cycles; with two threads the second one finishes half of what the first one does.
    for record in &mut run.records {
        if let Record::Visit(visit) = record {
            visit.ticks = vec![64_000_000; 4];
            let each = if visit.messages == 2 { vec![100, 50] } else { vec![100] };
            visit.finished = vec![each; 4];
        }
    }
    let tables = build(&[&run]);
    let work = |messages| Work { operation: Operation::Threads, messages, profile: Profile::Native };
    let cell = |messages| only(&tables).row("sha256", "ours/fast", work(messages)).unwrap().cell(4096).unwrap();
    close(cell(1).raw.middle(), 10_000.0, 1e-9);
    // 150 messages in a window: 75 calls of two messages.
    close(cell(2).raw.middle(), 1e6 / 75.0, 1e-9);
    assert_eq!((cell(1).bytes, cell(2).bytes), (4096, 8192));
    // One empty call is subtracted for a window, not for each message.
    close(cell(1).net.unwrap().middle(), 10_000.0 - 0.2, 1e-6);
    assert_eq!(cell(2).first, None);
    let page = crate::pages::render("terminal", &tables, &Default::default()).unwrap();
    // 1000 / 4000 of a gigahertz: 62.5 million cycles a second.
    let line = |work: &str| page.lines().find(|line| line.contains("ours/fast") && line.contains(work)).unwrap();
    assert!(line("threads x2").contains("0.75") && line("threads x2").contains("38"), "{page}");
    assert!(page.contains("MB/s"));
}
