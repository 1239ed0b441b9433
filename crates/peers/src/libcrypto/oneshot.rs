//! `EVP_Digest`: a whole message in one call, on a context that libcrypto allocates and frees each time.
//!
//! This is what `openssl speed -evp` calls. For users it is the convenient way; the row shows what that costs beside
//! `openssl/evp`, which keeps its context.

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::ptr::{null, null_mut};
use std::rc::Rc;

use benchkit::suite::{Absent, Hasher, Implementation};

use super::{Digest, Evp, Fetch, Libcrypto, PROVIDER};
use crate::dynamic::functions;
use crate::peer::{check_output, refuse_options};

functions! {
    /// openssl/evp.h. `EVP_MD` and `ENGINE` are `void` here.
    struct OneShot {
        digest: "EVP_Digest" => fn(*const c_void, usize, *mut u8, *mut c_uint, *const c_void, *mut c_void) -> c_int;
    }
}

/// The row `openssl/oneshot`.
pub(super) fn row(libcrypto: &Libcrypto, name: &CStr) -> Result<Implementation, Absent> {
    const BACKEND: &str = "oneshot";
    // SAFETY: openssl/evp.h declares them so, as the module above says of `Evp` and `Fetch`; EVP_Digest since 0.9.7.
    let (functions, evp, fetch) = unsafe {
        let library = &libcrypto.library;
        (OneShot::load(library)?, Evp::load(library)?, Fetch::load(library).ok())
    };
    let general = libcrypto.general;
    let digest = Rc::new(Digest::new(libcrypto, fetch, name)?);
    let digest_bytes = digest.bytes(libcrypto, &evp, name)?;
    Ok(Implementation::ready(PROVIDER, BACKEND, &libcrypto.version, move |parameters| {
        refuse_options(parameters, PROVIDER, BACKEND, digest_bytes)?;
        let digest = Rc::clone(&digest);
        let hash = move |message: &[u8], output: &mut [u8]| {
            check_output(output, digest_bytes);
            // SAFETY: EVP_DigestInit(3): as many readable bytes as given, room for the digest, a valid digest; null: the
            // length is not asked for, and no engine.
            let done = unsafe {
                (functions.digest)(
                    message.as_ptr().cast(),
                    message.len(),
                    output.as_mut_ptr(),
                    null_mut(),
                    digest.md.as_ptr(),
                    null::<c_void>().cast_mut(),
                )
            };
            if done != 1 {
                general.fail("EVP_Digest");
            }
        };
        Ok(Hasher::new(Box::new(hash), || BACKEND.to_owned()))
    }))
}
