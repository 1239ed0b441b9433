//! Every method of every trait that the hashers have, as a user of RustCrypto's `sha2` calls them.

#[macro_use]
mod common;

use common::{Hasher, pattern};
use hex_literal::hex;
use hmac::{Hmac, HmacReset, KeyInit, Mac, SimpleHmac};
use sha2x::{
    Backend, Digest, Sha224, Sha256, Sha384, Sha512,
    digest::{
        CollisionResistance, DynDigest, FixedOutput, FixedOutputReset, Output, OutputSizeUser, Reset, Update,
        block_api::{AlgorithmName, BlockSizeUser, EagerHash, FixedOutputCore, UpdateCore},
        typenum::Unsigned,
    },
};

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
        let name = match H::ID {
            "sha224" => "SHA-224",
            "sha256" => "SHA-256",
            "sha384" => "SHA-384",
            "sha512" => "SHA-512",
            "sha512-224" => "SHA-512/224",
            _ => "SHA-512/256",
        };
        assert_eq!(Name::<H>(std::marker::PhantomData).to_string(), name);
        let mut hasher = H::default();
        let fresh = format!("{hasher:?} {hasher:#?}");
        Digest::update(&mut hasher, b"a secret");
        assert_eq!(format!("{hasher:?} {hasher:#?}"), fresh);
        assert!(fresh.starts_with("Sha") && fresh.contains("{ ... }"), "{fresh}");
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

/// RFC 4231, test cases 1, 2, 4 and 6 (a key longer than a block), as far as each hash has them.
#[test]
fn hmac() {
    fn check<H>(key: &[u8], data: &[u8], expected: &[u8])
    where
        Hmac<H>: Mac + KeyInit,
        HmacReset<H>: Mac + KeyInit + FixedOutputReset,
        SimpleHmac<H>: Mac + KeyInit,
        H: EagerHash + BlockSizeUser,
    {
        let mut mac = <Hmac<H> as KeyInit>::new_from_slice(key).expect("any key will do");
        Mac::update(&mut mac, data);
        Mac::verify_slice(mac, expected).expect("the tag of the RFC");
        let mut mac = <HmacReset<H> as KeyInit>::new_from_slice(key).expect("any key will do");
        for _ in 0..2 {
            Mac::update(&mut mac, data);
            assert_eq!(Mac::finalize_reset(&mut mac).into_bytes().as_slice(), expected);
        }
        let mut mac = <SimpleHmac<H> as KeyInit>::new_from_slice(key).expect("any key will do");
        Mac::update(&mut mac, data);
        assert_eq!(Mac::finalize(mac).into_bytes().as_slice(), expected);
    }

    let (key, data) = ([0x0b; 20], b"Hi There");
    check::<Sha224>(&key, data, &hex!("896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"));
    check::<Sha256>(&key, data, &hex!("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
    check::<Sha384>(
        &key,
        data,
        &hex!(
            "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
            "faea9ea9076ede7f4af152e8b2fa9cb6"
        ),
    );
    check::<Sha512>(
        &key,
        data,
        &hex!(
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
            "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
    );
    let (key, data) = (b"Jefe", b"what do ya want for nothing?");
    check::<Sha256>(key, data, &hex!("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    let (key, data) = ([0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First");
    check::<Sha256>(&key, data, &hex!("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
}

#[cfg(feature = "oid")]
#[test]
fn object_identifiers() {
    use sha2x::digest::const_oid::AssociatedOid;

    // RFC 8017, appendix B.1; NIST's Computer Security Objects Register.
    assert_eq!(Sha256::OID.to_string(), "2.16.840.1.101.3.4.2.1");
    assert_eq!(Sha384::OID.to_string(), "2.16.840.1.101.3.4.2.2");
    assert_eq!(Sha512::OID.to_string(), "2.16.840.1.101.3.4.2.3");
    assert_eq!(Sha224::OID.to_string(), "2.16.840.1.101.3.4.2.4");
    assert_eq!(sha2x::Sha512_224::OID.to_string(), "2.16.840.1.101.3.4.2.5");
    assert_eq!(sha2x::Sha512_256::OID.to_string(), "2.16.840.1.101.3.4.2.6");
    assert_eq!(Sha256::OID, <sha2::Sha256 as AssociatedOid>::OID);
}

/// Wiping on drop is promised by the type, and nothing is left in memory.
#[cfg(feature = "zeroize")]
#[test]
fn nothing_is_left_in_memory() {
    use benchkit::remains::Remains;

    fn check<H: Hasher + zeroize::ZeroizeOnDrop>()
    where
        <H as sha2x::digest::block_api::CoreProxy>::Core: zeroize::ZeroizeOnDrop,
    {
        let mut remains = Remains::new(H::default);
        let hasher = remains.value();
        let secret = pattern(H::block() + 40).into_iter().map(|byte| byte ^ 0x5a).collect::<Vec<_>>();
        Digest::update(hasher, &secret);
        let state = hasher.serialize();
        assert!(
            remains.hold(&secret[H::block()..]) && remains.hold(&state[..8]),
            "{}: the test looks elsewhere",
            H::ID
        );
        remains.drop_value();
        for run in secret[H::block()..].windows(4).chain(state[..H::block() / 2].windows(4)) {
            assert!(!remains.hold(run), "{}: {run:x?} is left", H::ID);
        }
    }
    for_all!(check);
}

/// The names of RustCrypto's crate in the same places: nothing but the `use` line differs.
#[test]
fn migration() {
    macro_rules! program {
        ($sha2:ident) => {{
            use $sha2::digest::Update as _;
            use $sha2::{Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

            let mut hasher = Sha256::new();
            Digest::update(&mut hasher, b"hello ");
            Digest::update(&mut hasher, "world");
            let mut digests = vec![hasher.finalize().to_vec()];
            digests.push(Sha224::digest(b"hello world").to_vec());
            digests.push(Sha384::new().chain(b"hello world").finalize().to_vec());
            digests.push(Sha512::new_with_prefix(b"hello world").finalize().to_vec());
            digests.push(Sha512_224::digest(b"hello world").to_vec());
            digests.push(Sha512_256::digest(b"hello world").to_vec());
            let mut state = [7; 8];
            $sha2::block_api::compress256(&mut state, &[[1; 64], [2; 64]]);
            digests.push(state.iter().flat_map(|word: &u32| word.to_be_bytes()).collect());
            let mut state = [7; 8];
            $sha2::block_api::compress512(&mut state, &[[1; 128], [2; 128]]);
            digests.push(state.iter().flat_map(|word: &u64| word.to_be_bytes()).collect());
            digests
        }};
    }
    assert_eq!(program!(sha2x), program!(sha2));
}
