//! C libraries that are opened at run time.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_char};
use core::mem::ManuallyDrop;
use std::ffi::OsString;

use benchkit::suite::{Absent, Implementation};

/// A library that may be here, and what a user can do if it is not.
pub(crate) struct Wanted {
    /// What users call it.
    pub(crate) title: &'static str,
    /// Environment variable that names another file.
    pub(crate) variable: &'static str,
    /// File names, best first; without a slash the system's search path applies.
    pub(crate) names: &'static [&'static str],
    /// Where to get it: `the package A (system), B (system)`.
    pub(crate) packages: &'static str,
}

/// A library that stays open for the rest of the process.
pub(crate) struct Library {
    /// Never closed: function pointers taken from it are then valid for as long as the process.
    handle: ManuallyDrop<libloading::Library>,
    file: String,
    remedy: String,
}

impl Wanted {
    /// Opens the file that the environment names, or else the first that there is.
    ///
    /// # Errors
    ///
    /// What was tried, and what the system said.
    pub(crate) fn open(&self) -> Result<Library, Absent> {
        self.open_file(std::env::var_os(self.variable).filter(|file| !file.is_empty()))
    }

    /// Opens that file, or else the first of the usual ones that there is.
    pub(crate) fn open_file(&self, file: Option<OsString>) -> Result<Library, Absent> {
        let remedy = match &file {
            Some(_) => format!("name a file of {} in {}, or unset it", self.title, self.variable),
            None => format!("install {}, or name the file in {}", self.packages, self.variable),
        };
        let names = match file {
            Some(file) => vec![file],
            None => self.names.iter().map(OsString::from).collect(),
        };
        let mut errors = Vec::new();
        for name in &names {
            // SAFETY: the initialisers of the file run. It is a published library, or one that the user named to be run.
            match unsafe { libloading::Library::new(name) } {
                Ok(library) => {
                    let file = name.to_string_lossy().into_owned();
                    return Ok(Library { handle: ManuallyDrop::new(library), file, remedy });
                }
                Err(error) => errors.push(describe(&error)),
            }
        }
        // A file that is there and cannot be opened tells more than one that is not there.
        let telling = errors.iter().find(|error| !error.to_lowercase().contains("no such file")).or(errors.first());
        let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
        let reason = format!(
            "cannot open {} ({}): {}",
            self.title,
            names.join(", "),
            telling.map_or("there is no name for it on this system", String::as_str)
        );
        Err(Absent { reason, remedy: Some(remedy) })
    }
}

/// The system's own words, which libloading keeps as the source of its own.
pub(crate) fn describe(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

impl Library {
    /// The first of these symbols that the library has.
    ///
    /// # Safety
    ///
    /// `T` is the type of a function pointer, or a `&'static` reference, that agrees with how the library's header
    /// declares each of the symbols.
    ///
    /// # Errors
    ///
    /// If it has none of them.
    pub(crate) unsafe fn get<T: Copy>(&self, symbols: &[&str]) -> Result<T, Absent> {
        for symbol in symbols {
            // SAFETY: of the type that the caller answers for; `Option` makes a null pointer `None`, and libloading
            // refuses to compile a type that is no pointer.
            if let Ok(found) = unsafe { self.handle.get::<Option<T>>(*symbol) }
                && let Some(found) = *found
            {
                return Ok(found);
            }
        }
        Err(self.lacks(&symbols.join(" or ")))
    }

    /// That the library, though it is here, lacks something.
    pub(crate) fn lacks(&self, what: &str) -> Absent {
        Absent { reason: format!("{} has no {what}", self.file), remedy: Some(self.remedy.clone()) }
    }
}

/// A struct of C functions under names of its own, and `load`, which finds them by their symbols: `a: "x" | "y" => fn(..)`
/// takes `y` where there is no `x`.
macro_rules! functions {
    (
        $(#[$meta:meta])*
        struct $name:ident {
            $($field:ident: $($symbol:literal)|+ => fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        struct $name {
            $($field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $name {
            /// # Safety
            ///
            /// The library is one whose header declares the functions as this table does.
            unsafe fn load(library: &$crate::dynamic::Library) -> Result<Self, benchkit::suite::Absent> {
                Ok(Self {
                    $(
                        // SAFETY: the caller answers for the declaration.
                        $field: unsafe { library.get(&[$($symbol),+]) }?,
                    )*
                })
            }
        }
    };
}
pub(crate) use functions;

/// The row of something that is not here.
pub(crate) fn absent(provider: &'static str, backend: &'static str, absent: Absent) -> Implementation {
    Implementation::absent(provider, backend, absent.reason, absent.remedy)
}

/// A copy of a C string; empty for a null pointer.
///
/// # Safety
///
/// The pointer is null, or it points to a string that ends with a zero byte.
pub(crate) unsafe fn string(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: not null, and the caller answers for the rest.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// Memory for a C struct, zeroed, and aligned as a cache line, which is more than any of them needs.
pub(crate) struct Memory(Box<[Line]>);

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Memory {
    /// At least that many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self(vec![Line([0; 64]); bytes.div_ceil(64).max(1)].into_boxed_slice())
    }

    /// Its start.
    pub(crate) fn pointer<T>(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted = Wanted {
        title: "Example",
        variable: "HASHMATRIX_LIBEXAMPLE",
        names: &["libhashmatrix-example.so.2", "libhashmatrix-example.so.1"],
        packages: "the package libexample1 (some system)",
    };

    fn refused(file: Option<OsString>) -> Absent {
        match WANTED.open_file(file) {
            Ok(_) => panic!("opened"),
            Err(absent) => absent,
        }
    }

    #[test]
    fn missing_library_names_files_and_package() {
        let absent = refused(None);
        assert!(absent.reason.contains("libhashmatrix-example.so.2, libhashmatrix-example.so.1"), "{}", absent.reason);
        let remedy = absent.remedy.expect("there is a remedy");
        assert!(remedy.contains("libexample1") && remedy.contains("HASHMATRIX_LIBEXAMPLE"), "{remedy}");
    }

    #[test]
    fn file_that_is_no_library_is_refused_with_the_reason_of_the_system() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let absent = refused(Some(file.into()));
        // The system adds something to the name, in words that differ between systems.
        let said = absent.reason.rsplit("): ").next().expect("split gives at least one");
        assert!(absent.reason.contains(file) && said.len() > 10, "{}", absent.reason);
        assert!(absent.remedy.expect("there is a remedy").contains("HASHMATRIX_LIBEXAMPLE"));
    }

    #[test]
    fn memory_is_aligned_and_large_enough() {
        for bytes in [0, 1, 64, 65, 216] {
            let mut memory = Memory::new(bytes);
            assert_eq!(memory.pointer::<u8>() as usize % 64, 0);
            assert!(memory.0.len() * 64 >= bytes);
        }
    }

    #[cfg(unix)]
    #[test]
    fn missing_symbol_is_named() {
        // The C library of the process is already loaded: every dynamic Unix program has it under this handle.
        let handle: libloading::Library = libloading::os::unix::Library::this().into();
        let library =
            Library { handle: ManuallyDrop::new(handle), file: "it".to_owned(), remedy: "mend it".to_owned() };
        // SAFETY: C declares strlen as this; the others do not exist.
        let found =
            unsafe { library.get::<unsafe extern "C" fn(*const c_char) -> usize>(&["hashmatrix_none", "strlen"]) };
        // SAFETY: a C string.
        assert_eq!(unsafe { found.expect("strlen exists")(c"four".as_ptr()) }, 4);
        // SAFETY: as above.
        let missing = unsafe { library.get::<unsafe extern "C" fn()>(&["hashmatrix_none", "hashmatrix_neither"]) };
        let absent = missing.expect_err("no such functions");
        assert_eq!(absent.reason, "it has no hashmatrix_none or hashmatrix_neither");
        assert_eq!(absent.remedy.as_deref(), Some("mend it"));
    }
}
