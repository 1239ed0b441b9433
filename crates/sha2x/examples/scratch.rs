use sha2x::*;
use std::hint::black_box;
use std::time::Instant;
fn time(mut f: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..40 {
        let n = 200;
        let t = Instant::now();
        for _ in 0..n {
            f()
        }
        best = best.min(t.elapsed().as_secs_f64() / n as f64);
    }
    best * 1e9
}
fn main() {
    let data: Vec<u8> = (0..65536u32).map(|i| (i % 251) as u8).collect();
    for len in [8, 64, 576, 1536, 4096, 65536] {
        let d = &data[..len];
        print!(
            "{len:6}  sha2 {:9.1}",
            time(|| {
                black_box(sha2::Sha256::digest(black_box(d)));
            })
        );
        for b in Backend::available() {
            print!(
                "  {b} {:9.1}",
                time(|| {
                    black_box(sha256_with(black_box(b), black_box(d)));
                })
            );
        }
        print!(
            "  stream {:9.1}",
            time(|| {
                black_box(Sha256::digest(black_box(d)));
            })
        );
        println!();
        print!(
            "        sha2-512 {:9.1}",
            time(|| {
                black_box(sha2::Sha512::digest(black_box(d)));
            })
        );
        for b in Sha512::backends() {
            print!(
                "  {b} {:9.1}",
                time(|| {
                    black_box(sha512_with(black_box(b), black_box(d)));
                })
            );
        }
        println!();
    }
}
