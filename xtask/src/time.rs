//! The date and the length of time, as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment in UTC, to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Utc {
    seconds: u64,
}

impl Utc {
    /// Now.
    pub(crate) fn now() -> Self {
        Self { seconds: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()) }
    }

    /// Year, month, day by the proleptic Gregorian calendar. March is taken as the first month, so that the leap day is
    /// the last day of a year.
    const fn date(self) -> (u64, u64, u64) {
        const DAYS_IN_400_YEARS: u64 = 146_097;
        let days = self.seconds / 86_400 + 719_468;
        let (era, day_of_era) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
        (year, month, day)
    }

    /// `2026-03-21T12:00:05Z`, as RFC 3339 writes it.
    pub(crate) fn rfc3339(self) -> String {
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.clock();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// `20260321T120005Z`, fit for a file name.
    pub(crate) fn stamp(self) -> String {
        self.rfc3339().replace(['-', ':'], "")
    }

    const fn clock(self) -> (u64, u64, u64) {
        (self.seconds / 3_600 % 24, self.seconds / 60 % 60, self.seconds % 60)
    }
}

/// `45 s`, `3 min 20 s`, `1 h 5 min`: as fine as the length deserves.
pub(crate) fn rough(duration: Duration) -> String {
    let seconds = (duration.as_secs_f64()).ceil().max(1.0) as u64;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let at = |seconds| Utc { seconds }.rfc3339();
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(at(1_709_251_200), "2024-03-01T00:00:00Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(Utc { seconds: 1_234_567_890 }.stamp(), "20090213T233130Z");
    }

    #[test]
    fn lengths_of_time_are_round() {
        assert_eq!(rough(Duration::from_millis(20)), "1 s");
        assert_eq!(rough(Duration::from_millis(44_100)), "45 s");
        assert_eq!(rough(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(rough(Duration::from_secs(3_900)), "1 h 5 min");
    }
}
