//! `--native`: the same workers built once more for this CPU alone.
//!
//! The implementations of that build are rows of their own, named `provider/backend+native`. A variable that means nothing
//! to a worker tells their processes from the others, as for every row that needs a process of its own. In such a process
//! nothing of the plain build stands beside them: it is another program.

use benchkit::protocol::ImplementationInfo;
use benchkit::record::Record;

use crate::plan::Environment;

/// Behind the names of its implementations.
pub(crate) const SUFFIX: &str = benchkit::table::NATIVE;
/// The compiler's flag.
pub(crate) const FLAG: &str = "-Ctarget-cpu=native";
const VARIABLE: &str = "HASHMATRIX_BUILD";
const VALUE: &str = "native";

/// Whether processes with that environment are of this build.
pub(crate) fn is_native(environment: &Environment) -> bool {
    environment.get(VARIABLE).is_some_and(|value| value == VALUE)
}

/// The implementation as a row of this build.
pub(crate) fn row(mut implementation: ImplementationInfo) -> ImplementationInfo {
    implementation.name.push_str(SUFFIX);
    implementation.backend.push_str(SUFFIX);
    implementation.environment.insert(VARIABLE.into(), VALUE.into());
    implementation
}

/// The name by which the worker knows it.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_suffix(SUFFIX).unwrap_or(name)
}

/// What a worker with that environment wrote, under the names of the rows.
pub(crate) fn renamed(mut record: Record, environment: &Environment) -> Record {
    if is_native(environment) {
        match &mut record {
            Record::Visit(visit) if visit.anchor.is_none() => visit.implementation.push_str(SUFFIX),
            Record::Kat(kat) => kat.implementation.push_str(SUFFIX),
            _ => {}
        }
    }
    record
}
