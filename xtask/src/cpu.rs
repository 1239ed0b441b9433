//! The CPU to measure on.

use benchkit::system::allowed_cpus;

use crate::exit::Failure;

/// The one that was asked for, or the last of those allowed: interrupts tend to go to the first. `None` where the system
/// does not tell which there are.
///
/// # Errors
///
/// The one asked for is not allowed.
pub(crate) fn choose(asked: Option<usize>) -> Result<Option<usize>, Failure> {
    choose_among(asked, &allowed_cpus())
}

/// The numbers of threads to measure: those asked for, or from one thread to one on each CPU, doubling where there are many.
///
/// # Errors
///
/// There are not as many CPUs.
pub(crate) fn threads(asked: &[usize]) -> Result<Vec<usize>, Failure> {
    let cpus = allowed_cpus().len();
    let cpus = if cpus > 0 { cpus } else { std::thread::available_parallelism().map_or(1, |cpus| cpus.get()) };
    threads_on(asked, cpus)
}

fn threads_on(asked: &[usize], cpus: usize) -> Result<Vec<usize>, Failure> {
    const EACH: usize = 8;
    if let Some(many) = asked.iter().find(|&&threads| threads > cpus) {
        return Err(Failure::new(format!("{many} threads need as many CPUs, and {cpus} are allowed here")));
    }
    let mut threads = match asked {
        [] if cpus <= EACH => (1..=cpus).collect(),
        [] => (0..).map(|power| 1 << power).take_while(|&threads| threads < cpus).chain([cpus]).collect(),
        asked => asked.to_vec(),
    };
    threads.sort_unstable();
    threads.dedup();
    Ok(threads)
}

fn choose_among(asked: Option<usize>, allowed: &[usize]) -> Result<Option<usize>, Failure> {
    match asked {
        Some(cpu) if allowed.contains(&cpu) => Ok(Some(cpu)),
        Some(cpu) if allowed.is_empty() => {
            Err(Failure::new(format!("this system does not pin to CPU {cpu}; leave out --cpu")))
        }
        Some(cpu) => Err(Failure::new(format!("CPU {cpu} is not allowed here; allowed are {}", ranges(allowed)))),
        None => Ok(allowed.last().copied()),
    }
}

/// `0-3, 8`.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let texts: Vec<String> = runs
        .map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            run => run.iter().map(usize::to_string).collect(),
        })
        .collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_go_up_to_the_cpus() {
        assert_eq!(threads_on(&[], 3).unwrap(), [1, 2, 3]);
        assert_eq!(threads_on(&[], 16).unwrap(), [1, 2, 4, 8, 16]);
        assert_eq!(threads_on(&[], 12).unwrap(), [1, 2, 4, 8, 12]);
        assert_eq!(threads_on(&[2, 1, 2], 2).unwrap(), [1, 2]);
        assert!(threads_on(&[3], 2).unwrap_err().message.contains("3 threads need as many CPUs, and 2"));
    }

    #[test]
    fn the_last_allowed_one_is_taken() {
        assert_eq!(choose_among(None, &[0, 1, 2]).unwrap(), Some(2));
        assert_eq!(choose_among(None, &[]).unwrap(), None);
        assert_eq!(choose_among(Some(1), &[0, 1]).unwrap(), Some(1));
    }

    #[test]
    fn one_that_is_not_allowed_is_refused_with_the_allowed_ones() {
        let message = choose_among(Some(7), &[0, 1, 2, 3, 8]).unwrap_err().message;
        assert!(message.contains("0-3, 8"), "{message}");
        assert!(choose_among(Some(0), &[]).is_err());
    }
}
