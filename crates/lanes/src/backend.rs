//! What the `Backend` of every family has in common.

/// Implements `Default`, `Debug`, `Display` and `FromStr` for the `Backend` of a family, and makes its `BackendError`.
///
/// A family's `Backend` has `NAMES`, `detect()`, `name()` and `named(&str) -> Result<Self, BackendError>`; it stands in the
/// module that calls this macro, under that name.
#[macro_export]
macro_rules! backend_traits {
    () => {
        impl Default for Backend {
            #[inline]
            fn default() -> Self {
                Self::detect()
            }
        }

        impl ::core::fmt::Debug for Backend {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "Backend({})", self.name())
            }
        }

        impl ::core::fmt::Display for Backend {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::str::FromStr for Backend {
            type Err = BackendError;

            fn from_str(name: &str) -> ::core::result::Result<Self, BackendError> {
                Self::named(name)
            }
        }

        /// Why [`Backend::named`] gave none.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum BackendError {
            /// The crate has no backend of that name.
            Unknown,
            /// It has, but this CPU lacks the instructions named here (or the build or `HASHMATRIX_DENY` rules them out).
            Unavailable(&'static str),
        }

        impl ::core::fmt::Display for BackendError {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    Self::Unknown => {
                        f.write_str("no such backend; there are ")?;
                        for (i, name) in Backend::NAMES.iter().enumerate() {
                            ::core::write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
                        }
                        Ok(())
                    }
                    Self::Unavailable(_) if ::core::cfg!(hashmatrix_backend = "portable") => {
                        f.write_str("this build has the portable backend only")
                    }
                    Self::Unavailable(lacks) => ::core::write!(f, "this CPU lacks {lacks}"),
                }
            }
        }

        impl ::core::error::Error for BackendError {}
    };
}
