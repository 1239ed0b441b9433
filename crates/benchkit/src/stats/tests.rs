use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn close(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
}

/// Check values that were worked out with the definition by copies, by hand or by another program.
#[test]
fn stabilized_check_values() {
    let repeat = |value: f64, count| std::iter::repeat_n(value, count);
    let mut two_speeds: Vec<f64> = repeat(100.0, 8).chain(repeat(120.0, 8)).collect();
    two_speeds.reverse();
    let cases: [(Vec<f64>, [f64; 3]); 9] = [
        (vec![7.0], [7.0, 7.0, 7.0]),
        (vec![10.0, 20.0], [10.0, 15.0, 20.0]),
        (vec![1.0, 2.0, 3.0], [1.1667, 2.0, 2.8333]),
        (vec![1.0, 2.0, 3.0, 4.0], [1.5, 2.5, 3.5]),
        (vec![10.0, 12.0, 11.0, 1000.0, 13.0], [10.7, 12.0, 309.1]),
        ((1..=16).map(f64::from).collect(), [4.5, 8.5, 12.5]),
        ((1..=48).map(f64::from).collect(), [12.5, 24.5, 36.5]),
        (two_speeds, [100.0, 110.0, 120.0]),
        (repeat(100.0, 15).chain([9999.0]).collect(), [100.0, 100.0, 100.0]),
    ];
    for (samples, wanted) in cases {
        let found = stabilized_quartiles(&samples).unwrap();
        for (found, wanted) in found.into_iter().zip(wanted) {
            close(found, wanted, 0.00005);
        }
    }
}

#[test]
fn nothing_to_say_is_none() {
    for samples in [&[][..], &[f64::NAN], &[1.0, f64::INFINITY]] {
        assert_eq!(stabilized_quartiles(samples), None);
        assert_eq!(quartiles(samples), None);
        assert_eq!(median(samples), None);
        assert_eq!(min(samples), None);
        assert_eq!(max(samples), None);
        assert_eq!(mean(samples), None);
        assert_eq!(deviation(samples), None);
        assert_eq!(bootstrap_median(samples, 1), None);
    }
    assert_eq!(theil_sen(&[]), None);
    assert_eq!(theil_sen(&[(1.0, 2.0), (1.0, 3.0)]), None);
    assert_eq!(theil_sen(&[(1.0, f64::NAN), (2.0, 3.0)]), None);
}

#[test]
fn one_sample_has_no_spread() {
    assert_eq!(stabilized_quartiles(&[7.0]), Some([7.0; 3]));
    assert_eq!(quartiles(&[7.0]), Some([7.0; 3]));
    assert_eq!(mean(&[7.0]), Some(7.0));
    assert_eq!(deviation(&[7.0]), None);
    assert_eq!(bootstrap_median(&[7.0], 1), None);
}

/// Values of R: `quantile(x)`, `mean(x)`, `sd(x)`.
#[test]
fn classic_values() {
    let samples = [4.0, 1.0, 3.0, 2.0, 10.0];
    assert_eq!(quartiles(&samples), Some([2.0, 3.0, 4.0]));
    assert_eq!(quartiles(&[1.0, 2.0, 3.0, 4.0]), Some([1.75, 2.5, 3.25]));
    assert_eq!(median(&[1.0, 2.0, 3.0, 4.0]), Some(2.5));
    assert_eq!(mean(&samples), Some(4.0));
    close(deviation(&samples).unwrap(), 3.535_534, 1e-6);
    assert_eq!((min(&samples), max(&samples)), (Some(1.0), Some(10.0)));
}

#[test]
fn theil_sen_ignores_one_wild_point() {
    let mut points: Vec<(f64, f64)> =
        [2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0].map(|x| (x, 2.0 * x + 44.0)).to_vec();
    assert_eq!(theil_sen(&points), Some(Line { slope: 2.0, intercept: 44.0 }));
    points[3].1 *= 3.0;
    assert_eq!(theil_sen(&points), Some(Line { slope: 2.0, intercept: 44.0 }));
}

/// The exact bootstrap distribution of the median of three is known: the median is sample j of 0, 1, 2 with
/// probability 7, 13, 7 of 27, so both ends of the interval are the outer samples.
#[test]
fn bootstrap_of_three() {
    let interval = bootstrap_median(&[3.0, 1.0, 2.0], 5).unwrap();
    assert_eq!(interval, Interval { estimate: 2.0, lower: 1.0, upper: 3.0 });
}

/// For 101 evenly spaced samples the drawn place of the median has a deviation of 101 / (2 sqrt 101) = 5.0.
#[test]
fn bootstrap_interval_has_the_known_width() {
    let samples: Vec<f64> = (0..101).map(f64::from).collect();
    let interval = bootstrap_median(&samples, 11).unwrap();
    assert_eq!(interval.estimate, 50.0);
    close(interval.lower, 50.0 - 1.96 * 5.0, 1.5);
    close(interval.upper, 50.0 + 1.96 * 5.0, 1.5);
    assert_eq!(bootstrap_median(&samples, 11), Some(interval));
}

/// The definition itself: every sample eight times, means of three stretches.
fn by_copies(samples: &[f64]) -> [f64; 3] {
    let mut copies: Vec<f64> = samples.iter().flat_map(|&sample| [sample; 8]).collect();
    copies.sort_unstable_by(f64::total_cmp);
    let n = samples.len();
    [1, 3, 5].map(|k| copies[k * n..(k + 2) * n].iter().sum::<f64>() / (2 * n) as f64)
}

proptest! {
    #[test]
    fn weights_sum_to_two_n(n in 1_usize..500, j in 0_usize..3) {
        prop_assert_eq!((0..n).map(|i| weight(i, n, j)).sum::<usize>(), 2 * n);
    }

    #[test]
    fn stabilized_is_the_definition(samples in vec(0.0..1e6, 1..100)) {
        for (found, wanted) in stabilized_quartiles(&samples).unwrap().into_iter().zip(by_copies(&samples)) {
            prop_assert!((found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0));
        }
    }

    #[test]
    fn order_does_not_matter(samples in vec(0.0..1e6, 1..60), seed: u64) {
        let mut shuffled = samples.clone();
        Random::new(seed).shuffle(&mut shuffled);
        prop_assert_eq!(stabilized_quartiles(&samples), stabilized_quartiles(&shuffled));
        prop_assert_eq!(quartiles(&samples), quartiles(&shuffled));
        prop_assert_eq!(mean(&samples), mean(&shuffled));
        prop_assert_eq!(deviation(&samples), deviation(&shuffled));
        prop_assert_eq!(bootstrap_median(&samples, 1), bootstrap_median(&shuffled, 1));
    }

    #[test]
    fn bounds(samples in vec(-1e9..1e9, 1..60)) {
        let (low, high) = (min(&samples).unwrap(), max(&samples).unwrap());
        for [q1, q2, q3] in [stabilized_quartiles(&samples).unwrap(), quartiles(&samples).unwrap()] {
            prop_assert!(low <= q1 && q1 <= q2 && q2 <= q3 && q3 <= high);
        }
        let mean = mean(&samples).unwrap();
        prop_assert!(low <= mean && mean <= high);
        if let Some(interval) = bootstrap_median(&samples, 3) {
            prop_assert!(low <= interval.lower && interval.lower <= interval.upper && interval.upper <= high);
        }
    }

    #[test]
    fn equal_samples(sample in -1e9..1e9, n in 1_usize..70) {
        let samples = vec![sample; n];
        prop_assert_eq!(stabilized_quartiles(&samples), Some([sample; 3]));
        prop_assert_eq!(quartiles(&samples), Some([sample; 3]));
        prop_assert_eq!(median(&samples), Some(sample));
    }

    #[test]
    fn scaling_scales(samples in vec(1.0..1e6, 1..60)) {
        let doubled: Vec<f64> = samples.iter().map(|sample| 2.0 * sample).collect();
        let [a, b, c] = stabilized_quartiles(&samples).unwrap();
        prop_assert_eq!(stabilized_quartiles(&doubled), Some([2.0 * a, 2.0 * b, 2.0 * c]));
    }
}
