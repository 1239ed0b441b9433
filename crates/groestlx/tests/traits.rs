//! Every method of every trait that the hashers have, as a user of RustCrypto's `groestl` calls them.

#[macro_use]
mod common;

use common::{Hasher, pattern};
use groestlx::{
    Backend, Digest,
    digest::{
        CollisionResistance, DynDigest, FixedOutput, FixedOutputReset, Output, OutputSizeUser, Reset, Update,
        block_api::{AlgorithmName, BlockSizeUser, EagerHash, FixedOutputCore, UpdateCore},
        typenum::Unsigned,
    },
};
use hmac::{Hmac, HmacReset, KeyInit, Mac, SimpleHmac};

#[test]
fn every_method_of_digest() {
    fn check<H: Hasher>() {
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
    for_all!(check);
}

#[test]
fn every_method_of_the_traits_below_digest() {
    fn check<H: Hasher>() {
        let data = pattern(333);
        let expected = H::oneshot_with(Backend::PORTABLE, &data);
        let empty = H::oneshot_with(Backend::PORTABLE, b"");

        let mut hasher = H::default();
        Update::update(&mut hasher, &data[..5]);
        let hasher = Update::chain(hasher, &data[5..]);
        assert_eq!(FixedOutput::finalize_fixed(hasher.clone()).as_slice(), expected);
        let mut out = Output::<H>::default();
        FixedOutput::finalize_into(hasher.clone(), &mut out);
        assert_eq!(out.as_slice(), expected);

        let mut hasher = hasher;
        assert_eq!(FixedOutputReset::finalize_fixed_reset(&mut hasher).as_slice(), expected);
        Update::update(&mut hasher, &data);
        FixedOutputReset::finalize_into_reset(&mut hasher, &mut out);
        assert_eq!(out.as_slice(), expected);
        Update::update(&mut hasher, &data);
        Reset::reset(&mut hasher);
        assert_eq!(FixedOutput::finalize_fixed(hasher).as_slice(), empty);

        assert_eq!(<H as OutputSizeUser>::output_size(), expected.len());
        assert_eq!(<H as BlockSizeUser>::block_size(), H::block());
        assert_eq!(<H as CollisionResistance>::CollisionResistance::USIZE, expected.len() / 2);

        // Clones go their own ways.
        let mut one = H::default();
        Update::update(&mut one, b"a");
        let mut two = one.clone();
        Update::update(&mut one, b"b");
        Update::update(&mut two, b"c");
        assert_eq!(FixedOutput::finalize_fixed(one).as_slice(), H::oneshot(b"ab"));
        assert_eq!(FixedOutput::finalize_fixed(two).as_slice(), H::oneshot(b"ac"));
    }
    for_all!(check);
}

#[test]
fn every_method_of_dyn_digest() {
    fn check<H: Hasher>() {
        let data = pattern(333);
        let expected = H::oneshot_with(Backend::PORTABLE, &data);
        let empty = H::oneshot_with(Backend::PORTABLE, b"");
        let mut hasher: Box<dyn DynDigest> = Box::new(H::default());
        hasher.update(&data);
        assert_eq!(hasher.output_size(), expected.len());
        assert_eq!(hasher.box_clone().finalize()[..], expected);
        let mut out = vec![0; expected.len()];
        let mut whole = H::default();
        DynDigest::update(&mut whole, &data);
        assert!(DynDigest::finalize_into(whole.clone(), &mut out[1..]).is_err());
        DynDigest::finalize_into(whole, &mut out).expect("a buffer of the right size");
        assert_eq!(out, expected);
        assert_eq!(hasher.finalize_reset()[..], expected);
        hasher.update(&data);
        assert!(hasher.finalize_into_reset(&mut out[1..]).is_err());
        hasher.reset();
        hasher.finalize_into_reset(&mut out).expect("a buffer of the right size");
        assert_eq!(out, empty);
    }
    for_all!(check);
}

#[test]
fn reset_keeps_the_backend() {
    fn check<H: Hasher>() {
        for backend in H::backends() {
            let mut hasher = H::with_backend(backend);
            Digest::update(&mut hasher, pattern(200));
            Digest::finalize_reset(&mut hasher);
            assert_eq!(hasher.backend(), backend);
            Digest::update(&mut hasher, pattern(200));
            Digest::reset(&mut hasher);
            assert_eq!(hasher.backend(), backend);
            assert_eq!(hasher.clone().backend(), backend);
        }
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
        let name = H::ID.replace("groestl", "Groestl-");
        assert_eq!(Name::<H>(std::marker::PhantomData).to_string(), name);
        let mut hasher = H::default();
        let fresh = format!("{hasher:?} {hasher:#?}");
        Digest::update(&mut hasher, b"a secret");
        assert_eq!(format!("{hasher:?} {hasher:#?}"), fresh);
        assert!(fresh.starts_with("Groestl") && fresh.contains("{ ... }"), "{fresh}");
    }
    for_all!(check);
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
        assert_eq!(Digest::finalize(hasher).as_slice(), H::oneshot(&data));
    }
    for_all!(check);
}

#[test]
fn taken_apart_and_put_together() {
    fn check<H: Hasher>() {
        let data = pattern(300);
        let mut hasher = H::with_backend(Backend::PORTABLE);
        Digest::update(&mut hasher, &data);
        let (core, buffer) = hasher.decompose();
        let mut whole = H::compose(core, buffer);
        assert_eq!(whole.backend(), Backend::PORTABLE);
        Digest::update(&mut whole, &data);
        assert_eq!(Digest::finalize(whole).as_slice(), H::oneshot(&[&data[..], &data].concat()));
    }
    for_all!(check);
}

#[test]
fn cores_over_blocks() {
    fn check<H: Hasher>()
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
    for_all!(check);
}

/// HMAC, RFC 2104, over one-shots: there are no published answers for it.
#[test]
fn hmac() {
    fn check<H: Hasher + EagerHash + BlockSizeUser>()
    where
        Hmac<H>: Mac + KeyInit,
        HmacReset<H>: Mac + KeyInit + FixedOutputReset,
        SimpleHmac<H>: Mac + KeyInit,
    {
        for key in [pattern(0), pattern(20), pattern(H::block()), pattern(H::block() + 3)] {
            let data = pattern(300);
            let mut padded = if key.len() > H::block() { H::oneshot(&key) } else { key.clone() };
            padded.resize(H::block(), 0);
            let with = |pad: u8, message: &[u8]| {
                let start: Vec<_> = padded.iter().map(|byte| byte ^ pad).collect();
                H::oneshot(&[&start, message].concat())
            };
            let expected = &with(0x5c, &with(0x36, &data))[..];

            let mut mac = <Hmac<H> as KeyInit>::new_from_slice(&key).expect("any key will do");
            Mac::update(&mut mac, &data);
            Mac::verify_slice(mac, expected).expect("the tag of the definition");
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
    for_all!(check);
}

/// Wiping on drop is promised by the type, and nothing is left in memory.
#[cfg(feature = "zeroize")]
#[test]
fn nothing_is_left_in_memory() {
    use benchkit::remains::Remains;

    fn check<H: Hasher + zeroize::ZeroizeOnDrop>()
    where
        <H as groestlx::digest::block_api::CoreProxy>::Core: zeroize::ZeroizeOnDrop,
    {
        let mut remains = Remains::new(H::default);
        let hasher = remains.value();
        let secret = pattern(H::block() + 40).into_iter().map(|byte| byte ^ 0x5a).collect::<Vec<_>>();
        Digest::update(hasher, &secret);
        let mut state = hasher.serialize();
        // In memory a column begins with its first row.
        for column in state[..H::block()].as_chunks_mut::<8>().0 {
            column.reverse();
        }
        assert!(
            remains.hold(&secret[H::block()..]) && remains.hold(&state[..8]),
            "{}: the test looks elsewhere",
            H::ID
        );
        remains.drop_value();
        for run in secret[H::block()..].windows(4).chain(state[..H::block()].windows(4)) {
            assert!(!remains.hold(run), "{}: {run:x?} is left", H::ID);
        }
    }
    for_all!(check);
}

/// The names of RustCrypto's crate in the same places: nothing but the `use` line differs.
#[test]
fn migration() {
    macro_rules! program {
        ($groestl:ident) => {{
            use $groestl::digest::Update as _;
            use $groestl::{Digest, Groestl224, Groestl256, Groestl384, Groestl512};

            let mut hasher = Groestl256::new();
            Digest::update(&mut hasher, b"hello ");
            Digest::update(&mut hasher, "world");
            let mut digests = vec![hasher.finalize().to_vec()];
            digests.push(Groestl224::digest(b"hello world").to_vec());
            digests.push(Groestl384::new().chain(b"hello world").finalize().to_vec());
            digests.push(Groestl512::new_with_prefix(b"hello world").finalize().to_vec());
            digests
        }};
    }
    assert_eq!(program!(groestlx), program!(groestl));
}
