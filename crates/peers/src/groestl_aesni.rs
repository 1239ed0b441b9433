//! The crate `groestl-aesni` of the cryptocorrosion project: SSE2, SSSE3 or AES-NI, by its own choice. It has the traits of
//! `digest` 0.9.

use benchkit::suite::Implementation;

const PROVIDER: &str = "cryptocorrosion";

/// The rows of an algorithm: one, if the crate has it.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    match id {
        "groestl224" | "groestl256" | "groestl384" | "groestl512" => vec![row(id)],
        _ => Vec::new(),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn row(_: &str) -> Implementation {
    Implementation::absent(PROVIDER, "default", "the crate groestl-aesni is for x86-64", None)
}

#[cfg(target_arch = "x86_64")]
use x86_64::row;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use benchkit::suite::{Implementation, Stream};
    use groestl_aesni::digest::generic_array::typenum::Unsigned;
    use groestl_aesni::digest::{BlockInput, FixedOutputDirty, Reset, Update};
    use groestl_aesni::{Groestl224, Groestl256, Groestl384, Groestl512};

    use crate::peer::{self, Peer};
    use crate::rustcrypto::version;

    pub(super) fn row(id: &str) -> Implementation {
        match id {
            "groestl224" => fixed::<Groestl224>(),
            "groestl256" => fixed::<Groestl256>(),
            "groestl384" => fixed::<Groestl384>(),
            _ => fixed::<Groestl512>(),
        }
    }

    fn fixed<D: BlockInput + Default + FixedOutputDirty + Reset + Update + 'static>() -> Implementation {
        peer::row(super::PROVIDER, "default", &version("groestl-aesni"), || Ok(Fixed(D::default())))
    }

    struct Fixed<D>(D);

    impl<D: FixedOutputDirty + Reset + Update> Stream for Fixed<D> {
        fn reset(&mut self) {
            self.0.reset();
        }

        fn update(&mut self, piece: &[u8]) {
            self.0.update(piece);
        }

        fn finish(&mut self, output: &mut [u8]) {
            peer::check_output(output, D::OutputSize::USIZE);
            self.0.finalize_into_dirty(output.into());
            self.0.reset();
        }
    }

    impl<D: Default + FixedOutputDirty + Reset + Update + 'static> Peer for Fixed<D> {
        fn digest_bytes(&self) -> usize {
            D::OutputSize::USIZE
        }

        fn hash(&mut self, message: &[u8], output: &mut [u8]) {
            peer::check_output(output, D::OutputSize::USIZE);
            let mut fresh = D::default();
            fresh.update(message);
            fresh.finalize_into_dirty(output.into());
        }
    }
}
