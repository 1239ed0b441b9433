//! `cargo bench -p FAMILY`: Criterion over the same implementations, for its baselines and filters while one kernel is
//! being worked on. It measures in core cycles, but one cell after the other: for a comparison between implementations
//! use `cargo xtask bench`, which interleaves them.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{BenchmarkId, Criterion, Throughput};

use crate::clock::{Clock as _, GLANCE, Hardware, calibrate, ticks_per_cycle};
use crate::random::Random;
use crate::suite::{Operation, Parameters, Suite};

/// Message lengths in bytes: a short one, a packet, a long one.
const LENGTHS: [usize; 3] = [64, 1536, 65_536];
/// Messages a call where a batch is measured, of 1536 bytes each.
const MESSAGES: usize = 16;

/// Runs Criterion with the arguments of the command line.
pub fn run(suite: &Suite) {
    let mut criterion = Criterion::default()
        .with_measurement(Cycles(Hardware::new()))
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .configure_from_args();
    for algorithm in &suite.algorithms {
        let mut group = criterion.benchmark_group(algorithm.id);
        let mut output = vec![0; algorithm.output.default * MESSAGES];
        for length in LENGTHS {
            let mut message = vec![0; length];
            Random::new(length as u64).fill(&mut message);
            group.throughput(Throughput::Bytes(length as u64));
            for implementation in &algorithm.implementations {
                let Ok(mut hasher) = implementation.make(&Parameters::default()) else { continue };
                let output = &mut output[..algorithm.output.default];
                group.bench_function(BenchmarkId::new(implementation.name(), length), |bencher| {
                    bencher.iter(|| (hasher.hash)(black_box(&message), black_box(&mut *output)));
                });
            }
        }
        let length = LENGTHS[1];
        let mut message = vec![0; length * MESSAGES];
        Random::new(MESSAGES as u64).fill(&mut message);
        let messages: Vec<&[u8]> = message.chunks_exact(length).collect();
        group.throughput(Throughput::Bytes((length * MESSAGES) as u64));
        for implementation in &algorithm.implementations {
            let Ok(hasher) = implementation.make(&Parameters::default()) else { continue };
            let Some(mut batch) = hasher.batch else { continue };
            let name = format!("{} {}", implementation.name(), Operation::Batch);
            group.bench_function(BenchmarkId::new(name, format!("{MESSAGES}x{length}")), |bencher| {
                bencher.iter(|| (batch.call)(black_box(&messages), black_box(&mut output)));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}

/// Core cycles: ticks between two quick calibrations, divided by the mean of what they found.
struct Cycles(Hardware);

impl Cycles {
    fn k(&self) -> f64 {
        // A clock that stood still would make every figure wrong; leave ticks as they are then.
        ticks_per_cycle(&calibrate(&self.0, GLANCE)).unwrap_or(1.0)
    }
}

impl Measurement for Cycles {
    type Intermediate = (f64, u64);
    type Value = f64;

    fn start(&self) -> (f64, u64) {
        let k = self.k();
        (k, self.0.read())
    }

    fn end(&self, (k, start): (f64, u64)) -> f64 {
        let ticks = self.0.read().wrapping_sub(start);
        ticks as f64 / ((k + self.k()) / 2.0)
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Format
    }
}

struct Format;

impl ValueFormatter for Format {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "cycles"
    }

    fn scale_throughputs(&self, _typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        if let Throughput::Bytes(bytes) = throughput {
            for value in values {
                *value /= *bytes as f64;
            }
        }
        "cycles/byte"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "cycles"
    }
}
