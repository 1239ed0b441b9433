//! Every method of every trait that the hashers have, as a user calls them.

#[macro_use]
mod common;

use common::{Fixed, Hasher, Xof, backends, pattern};
use hmac::{Hmac, HmacReset, KeyInit, Mac, SimpleHmac};
use thunder::{
    Backend, Digest,
    digest::{
        CollisionResistance, DynDigest, FixedOutput, FixedOutputReset, Output, OutputSizeUser, Reset, Update,
        XofReader,
        block_api::{
            AlgorithmName, BlockSizeUser, CoreProxy, EagerHash, ExtendableOutputCore, FixedOutputCore, UpdateCore,
            XofReaderCore,
        },
        typenum::Unsigned,
    },
};

#[test]
fn every_method_of_digest() {
    fn check<H: Fixed>() {
        let data = pattern(333);
        let expected = H::oneshot_with(Backend::PORTABLE, &data);
        let empty = H::oneshot_with(Backend::PORTABLE, b"");
        let prefix = H::oneshot_with(Backend::PORTABLE, b"prefix");

        assert_eq!(<H as Digest>::digest(&data).as_slice(), expected);
        assert_eq!(<H as Digest>::output_size(), expected.len());
        assert_eq!(<H as Digest>::new_with_prefix(b"prefix").finalize().as_slice(), prefix);
        let chained = <H as Digest>::new().chain_update(&data[..100]).chain_update(&data[100..]);
        assert_eq!(chained.finalize().as_slice(), expected);

        let mut hasher = <H as Digest>::new();
        Digest::update(&mut hasher, &data);
        let mut out = Output::<H>::default();
        Digest::finalize_into(hasher.clone(), &mut out);
        assert_eq!(out.as_slice(), expected);
        assert_eq!(Digest::finalize_reset(&mut hasher).as_slice(), expected);
        assert_eq!(Digest::finalize_reset(&mut hasher).as_slice(), empty);
        Digest::update(&mut hasher, &data);
        Digest::finalize_into_reset(&mut hasher, &mut out);
        assert_eq!(out.as_slice(), expected);
        Digest::update(&mut hasher, &data[..70]);
        Digest::reset(&mut hasher);
        assert_eq!(Digest::finalize(hasher).as_slice(), empty);
    }
    for_fixed!(check);
}

#[test]
fn every_method_of_the_traits_below_digest() {
    fn check<H: Fixed>() {
        let data = pattern(333);
        let expected = H::oneshot_with(Backend::PORTABLE, &data);
        let empty = H::oneshot_with(Backend::PORTABLE, b"");

        let mut hasher = H::default();
        Update::update(&mut hasher, &data[..5]);
        let mut hasher = Update::chain(hasher, &data[5..]);
        assert_eq!(FixedOutput::finalize_fixed(hasher.clone()).as_slice(), expected);
        let mut out = Output::<H>::default();
        FixedOutput::finalize_into(hasher.clone(), &mut out);
        assert_eq!(out.as_slice(), expected);
        assert_eq!(FixedOutputReset::finalize_fixed_reset(&mut hasher).as_slice(), expected);
        Update::update(&mut hasher, &data);
        FixedOutputReset::finalize_into_reset(&mut hasher, &mut out);
        assert_eq!(out.as_slice(), expected);
        Update::update(&mut hasher, &data);
        Reset::reset(&mut hasher);
        assert_eq!(FixedOutput::finalize_fixed(hasher).as_slice(), empty);
        assert_eq!(<H as OutputSizeUser>::output_size(), expected.len());
        assert_eq!(<H as CollisionResistance>::CollisionResistance::USIZE, expected.len() / 2);
    }
    for_fixed!(check);
}

#[test]
fn every_method_of_dyn_digest() {
    fn check<H: Fixed>() {
        let data = pattern(333);
        let expected = H::oneshot_with(Backend::PORTABLE, &data);
        let mut hasher: Box<dyn DynDigest> = Box::new(H::default());
        hasher.update(&data);
        assert_eq!(hasher.output_size(), expected.len());
        assert_eq!(hasher.box_clone().finalize()[..], expected);
        let mut out = vec![0; expected.len()];
        assert_eq!(hasher.finalize_reset()[..], expected);
        hasher.update(&data);
        assert!(hasher.finalize_into_reset(&mut out[1..]).is_err());
        hasher.reset();
        hasher.finalize_into_reset(&mut out).expect("a buffer of the right size");
        assert_eq!(out, H::oneshot_with(Backend::PORTABLE, b""));
    }
    for_fixed!(check);
}

#[test]
fn every_method_of_extendable_output() {
    fn check<H: Xof>() {
        let data = pattern(333);
        let mut expected = vec![0; 3 * H::BYTES + 1];
        H::into_slice(Backend::PORTABLE, &data, &mut expected);
        let mut out = vec![0; expected.len()];

        let mut hasher = H::default();
        hasher.update(&data);
        let mut reader = hasher.clone().finalize_xof();
        reader.read(&mut out);
        assert_eq!(out, expected);
        assert_eq!(*hasher.clone().finalize_boxed(expected.len()), *expected);
        hasher.clone().finalize_xof_into(&mut out);
        assert_eq!(out, expected);
        H::digest_xof(&data, &mut out);
        assert_eq!(out, expected);

        hasher.finalize_xof_reset_into(&mut out);
        assert_eq!(out, expected);
        hasher.update(&data);
        let mut reader = hasher.finalize_xof_reset();
        assert_eq!(*reader.read_boxed(expected.len()), *expected);
        hasher.update(&data);
        assert_eq!(*hasher.finalize_boxed_reset(7), expected[..7]);
        hasher.update(&data);
        Reset::reset(&mut hasher);
        let mut empty = vec![0; 9];
        H::into_slice(Backend::PORTABLE, b"", &mut empty);
        assert_eq!(*hasher.finalize_boxed_reset(9), *empty);

        // A read of nothing changes nothing; clones go their own ways.
        hasher.update(&data);
        let mut one = hasher.finalize_xof();
        one.read(&mut []);
        let mut two = one.clone();
        one.read(&mut out[..100]);
        two.read(&mut out[..100]);
        assert_eq!(out[..100], expected[..100]);

        let level = match H::ID {
            "thunder-xof-256" => 32,
            "thunder-xof-384" => 48,
            _ => 64,
        };
        assert_eq!(<H as CollisionResistance>::CollisionResistance::USIZE, level);
    }
    for_xof!(check);
}

#[test]
fn read_like_a_file() {
    fn check<H: Xof>() {
        use std::io::Read;

        let mut expected = vec![0; 1000];
        H::into_slice(Backend::PORTABLE, b"abc", &mut expected);
        let mut hasher = H::default();
        hasher.update(b"abc");
        let mut reader = hasher.finalize_xof();
        let mut out = vec![0; 1000];
        assert_eq!(Read::read(&mut reader, &mut out[..10]).unwrap(), 10);
        reader.read_exact(&mut out[10..]).unwrap();
        assert_eq!(out, expected);
    }
    for_xof!(check);
}

#[test]
fn reset_keeps_the_backend() {
    fn check<H: Hasher>() {
        for backend in backends() {
            let mut hasher = H::with_backend(backend);
            hasher.update(&pattern(200));
            hasher.finish_reset();
            assert_eq!(hasher.backend(), backend);
            hasher.update(&pattern(200));
            Reset::reset(&mut hasher);
            assert_eq!(hasher.backend(), backend);
            assert_eq!(hasher.clone().backend(), backend);
        }
        assert_eq!(H::default().backend(), Backend::detect());
    }
    for_all!(check);
}

#[test]
fn names_and_debug_show_nothing_of_the_message() {
    fn check<H: Hasher>() {
        struct Name<H>(std::marker::PhantomData<H>);
        impl<H: AlgorithmName> std::fmt::Display for Name<H> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                H::write_alg_name(f)
            }
        }
        assert_eq!(Name::<H>(std::marker::PhantomData).to_string(), H::NAME);
        let mut hasher = H::default();
        let fresh = format!("{hasher:?} {hasher:#?}");
        hasher.update(b"a secret");
        assert_eq!(format!("{hasher:?} {hasher:#?}"), fresh);
        assert!(fresh.starts_with("Thunder") && fresh.contains("{ ... }"), "{fresh}");
        assert_eq!(<H as BlockSizeUser>::block_size(), H::block());
    }
    fn readers<H: Xof>() {
        let shown = format!("{:?}", H::default().finalize_xof());
        assert!(shown.starts_with("ThunderXof") && shown.ends_with("Reader { ... }"), "{shown}");
    }
    for_all!(check);
    for_xof!(readers);
}

#[test]
fn written_to_like_a_file() {
    fn check<H: Hasher>() {
        let data = pattern(1000);
        let mut hasher = H::default();
        assert_eq!(hasher.write(&data[..10]).unwrap(), 10);
        hasher.write_all(&data[10..20]).unwrap();
        std::io::copy(&mut &data[20..], &mut hasher).unwrap();
        hasher.flush().unwrap();
        assert_eq!(hasher.finish(), H::oneshot(&data));
    }
    for_all!(check);
}

#[test]
fn taken_apart_and_put_together() {
    fn check<H: Hasher>() {
        let data = pattern(300);
        let mut hasher = H::with_backend(Backend::PORTABLE);
        hasher.update(&data);
        let (core, buffer) = hasher.decompose();
        let mut whole = H::compose(core, buffer);
        assert_eq!(whole.backend(), Backend::PORTABLE);
        whole.update(&data);
        assert_eq!(whole.finish(), H::oneshot(&[&data[..], &data].concat()));
    }
    for_all!(check);
}

#[test]
fn cores_over_blocks() {
    fn fixed<H: Fixed + EagerHash>()
    where
        <H as EagerHash>::Core: OutputSizeUser<OutputSize = <H as OutputSizeUser>::OutputSize>,
    {
        let data = pattern(3 * H::block());
        let mut core = <H as EagerHash>::Core::default();
        for block in data.chunks(H::block()) {
            core.update_blocks(&[block.try_into().expect("a whole block")]);
        }
        let mut out = Output::<H>::default();
        core.finalize_fixed_core(&mut Default::default(), &mut out);
        assert_eq!(out.as_slice(), H::oneshot(&data));
    }
    fn xof<H: Xof>()
    where
        <H as CoreProxy>::Core: ExtendableOutputCore + Default,
    {
        let data = pattern(3 * H::block());
        let mut core = <H as CoreProxy>::Core::default();
        for block in data.chunks(H::block()) {
            core.update_blocks(&[block.try_into().expect("a whole block")]);
        }
        let mut reader = core.finalize_xof_core(&mut Default::default());
        let mut expected = vec![0; 3 * H::BYTES];
        H::into_slice(Backend::PORTABLE, &data, &mut expected);
        for squeezed in expected.chunks(H::BYTES) {
            assert_eq!(reader.read_block().as_slice(), squeezed);
        }
    }
    for_fixed!(fixed);
    for_xof!(xof);
}

/// HMAC (FIPS 198-1, section 4) written out, since nobody has published answers for this hash.
#[test]
fn hmac_is_what_it_is_made_of() {
    fn check<H: Fixed + EagerHash>()
    where
        Hmac<H>: Mac + KeyInit,
        HmacReset<H>: Mac + KeyInit + FixedOutputReset,
        SimpleHmac<H>: Mac + KeyInit,
    {
        let data = pattern(300);
        for n in [0, 1, H::block() - 1, H::block(), H::block() + 1, 300] {
            let key = pattern(n);
            let mut block = if n > H::block() { H::oneshot(&key) } else { key.clone() };
            // FIPS 198-1 does not know of a digest longer than a block, as that of Thunder-1024 is.
            if block.len() > H::block() {
                continue;
            }
            block.resize(H::block(), 0);
            let pad = |with: u8| -> Vec<u8> { block.iter().map(|byte| byte ^ with).collect() };
            let inner = H::oneshot(&[pad(0x36), data.clone()].concat());
            let expected = H::oneshot(&[pad(0x5c), inner].concat());

            let mut mac = <Hmac<H> as KeyInit>::new_from_slice(&key).expect("any key will do");
            Mac::update(&mut mac, &data);
            Mac::verify_slice(mac, &expected).expect("the tag");
            let mut mac = <HmacReset<H> as KeyInit>::new_from_slice(&key).expect("any key will do");
            for _ in 0..2 {
                Mac::update(&mut mac, &data);
                assert_eq!(Mac::finalize_reset(&mut mac).into_bytes().as_slice(), expected);
            }
            let mut mac = <SimpleHmac<H> as KeyInit>::new_from_slice(&key).expect("any key will do");
            Mac::update(&mut mac, &data);
            assert_eq!(Mac::finalize(mac).into_bytes().as_slice(), expected);
        }
    }
    for_fixed!(check);
}

/// Wiping on drop is promised by the type, and nothing is left in memory.
#[cfg(feature = "zeroize")]
#[test]
fn nothing_is_left_in_memory() {
    use benchkit::remains::Remains;

    fn check<H: Hasher + zeroize::ZeroizeOnDrop>() {
        let mut remains = Remains::new(H::default);
        let hasher = remains.value();
        let secret = pattern(H::block() + 40).into_iter().map(|byte| byte ^ 0x5a).collect::<Vec<_>>();
        hasher.update(&secret);
        let state = hasher.serialize();
        assert!(
            remains.hold(&secret[H::block()..]) && remains.hold(&state[..8]),
            "{}: the test looks elsewhere",
            H::ID
        );
        remains.drop_value();
        for run in secret[H::block()..].windows(4).chain(state[..200].windows(4)) {
            assert!(!remains.hold(run), "{}: {run:x?} is left", H::ID);
        }
    }
    fn readers<H: Xof<Reader: zeroize::ZeroizeOnDrop>>() {
        let mut hasher = H::default();
        hasher.update(&pattern(40));
        let mut remains = Remains::new(|| hasher.finalize_xof());
        let state = thunder::digest::common::hazmat::SerializableState::serialize(&*remains.value());
        assert!(remains.hold(&state[..8]), "{}: the test looks elsewhere", H::ID);
        remains.drop_value();
        for run in state[..200].windows(4) {
            assert!(!remains.hold(run), "{}: {run:x?} is left", H::ID);
        }
    }
    for_all!(check);
    for_xof!(readers);
}
