//! Ways of timing: our own, and those of published pages.
//!
//! Each gives a statistic of its own, so figures of two profiles are never merged or compared.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::sample::Timing;
use crate::stats;

/// Calls of a cold visit.
const COLD_SAMPLES: usize = 16;
/// Cycles between two reads of back-to-back calls.
const THROUGHPUT_CYCLES: f64 = 20_000.0;
/// Loops of a back-to-back visit.
const THROUGHPUT_LOOPS: usize = 8;
/// Ticks of the clock that one loop of the `openssl` profile takes: a thousandth of its time.
const OPENSSL_LOOPS: f64 = 1000.0;

/// A way of timing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Single calls on warm caches, each timed.
    #[default]
    Native,
    /// Single calls, each after twice the second-level cache was swept.
    Cold,
    /// Calls back to back for some 20,000 cycles, timed together.
    Throughput,
    /// As many calls as a fixed time holds (`openssl speed`).
    Openssl,
    /// Five means over the same number of calls (the NICCS page).
    Niccs,
    /// Ten means of 100 calls after 25 others, of which a page takes the smallest.
    Minmean,
}

impl Profile {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] = [Self::Native, Self::Cold, Self::Throughput, Self::Openssl, Self::Niccs, Self::Minmean];

    /// The name in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Cold => "cold",
            Self::Throughput => "throughput",
            Self::Openssl => "openssl",
            Self::Niccs => "niccs",
            Self::Minmean => "minmean",
        }
    }

    /// Whether its visits stand side by side in blocks with anchors among them. Those of the others take too long for
    /// that: they are what a page prints, not what is compared.
    pub const fn interleaved(self) -> bool {
        matches!(self, Self::Native | Self::Cold | Self::Throughput)
    }

    /// The figure that the profile's own page takes from the loops of one visit; `None`: its figures are quartiles of all
    /// timed calls.
    pub fn figure(self, loops: &[f64]) -> Option<f64> {
        match self {
            Self::Native | Self::Cold | Self::Throughput => None,
            Self::Openssl | Self::Niccs => stats::mean(loops),
            Self::Minmean => stats::min(loops),
        }
    }

    /// What its figures are, in words.
    pub const fn statistic(self) -> &'static str {
        match self {
            Self::Native => "stabilized quartiles of single calls on warm caches",
            Self::Cold => "stabilized quartiles of single calls, each after twice the second-level cache was swept",
            Self::Throughput => "stabilized quartiles of calls back to back between two reads of the clock",
            Self::Openssl => "mean of the calls that a fixed time holds, median of the visits",
            Self::Niccs => "mean of five trials of many calls, median of the visits",
            Self::Minmean => "smallest of 10 means of 100 calls after 25 others, median of the visits",
        }
    }

    /// What a visit times, when one call takes `one` ticks. `seconds` is the profile's own time: that of all loops
    /// together for `openssl`, that of one mean for `niccs`.
    pub fn timing(self, one: u64, ticks_per_cycle: f64, ticks_per_second: f64, seconds: f64) -> Timing {
        let one = one.max(1) as f64;
        match self {
            Self::Native => Timing::Single,
            Self::Cold => Timing::Cold { samples: COLD_SAMPLES },
            Self::Throughput => {
                let calls = (THROUGHPUT_CYCLES * ticks_per_cycle / one).ceil().max(1.0) as u64;
                Timing::Loops { untimed: 0, calls, loops: THROUGHPUT_LOOPS }
            }
            Self::Openssl => {
                let ticks = seconds * ticks_per_second;
                Timing::Until { calls: (ticks / OPENSSL_LOOPS / one).ceil().max(1.0) as u64, ticks: ticks as u64 }
            }
            Self::Niccs => {
                let calls = (seconds * ticks_per_second / one).ceil().clamp(20.0, 20_000.0) as u64;
                Timing::Loops { untimed: 1, calls, loops: 5 }
            }
            Self::Minmean => Timing::Loops { untimed: 25, calls: 100, loops: 10 },
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|profile| profile.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|profile| profile.name()).collect();
            format!("`{name}` is no profile; there are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: f64 = 0.725;
    const PER_SECOND: f64 = 2.6e9;

    fn loops(profile: Profile, one: u64, seconds: f64) -> (u64, usize) {
        match profile.timing(one, K, PER_SECOND, seconds) {
            Timing::Loops { calls, loops, .. } => (calls, loops),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn niccs_makes_20_to_20000_calls_five_times() {
        // 0.2 s are 520 million ticks.
        assert_eq!(loops(Profile::Niccs, 100, 0.2), (20_000, 5));
        assert_eq!(loops(Profile::Niccs, 520_000, 0.2), (1000, 5));
        assert_eq!(loops(Profile::Niccs, 520_001, 0.2), (1000, 5));
        assert_eq!(loops(Profile::Niccs, 1_000_000_000, 0.2), (20, 5));
    }

    #[test]
    fn back_to_back_calls_fill_20000_cycles() {
        assert_eq!(loops(Profile::Throughput, 145, 0.0), (100, THROUGHPUT_LOOPS));
        assert_eq!(loops(Profile::Throughput, 1_000_000, 0.0), (1, THROUGHPUT_LOOPS));
        assert_eq!(loops(Profile::Throughput, 0, 0.0), (14_500, THROUGHPUT_LOOPS));
    }

    #[test]
    fn openssl_runs_for_its_time() {
        let timing = Profile::Openssl.timing(260, K, PER_SECOND, 1.0);
        assert_eq!(timing, Timing::Until { calls: 10_000, ticks: 2_600_000_000 });
    }

    #[test]
    fn minmean_is_ten_times_a_hundred() {
        assert_eq!(loops(Profile::Minmean, 1, 0.0), (100, 10));
    }

    #[test]
    fn each_page_takes_its_own_figure() {
        let loops = [5.0, 3.0, 4.0, 8.0];
        let figures = Profile::ALL.map(|profile| profile.figure(&loops));
        assert_eq!(figures, [None, None, None, Some(5.0), Some(5.0), Some(3.0)]);
        assert!(Profile::ALL.iter().all(|profile| profile.figure(&loops).is_none() == profile.interleaved()));
    }

    #[test]
    fn names_are_read_back() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        assert!("eager".parse::<Profile>().expect_err("no such profile").contains("native, cold"));
    }
}
