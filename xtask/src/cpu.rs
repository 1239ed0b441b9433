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
