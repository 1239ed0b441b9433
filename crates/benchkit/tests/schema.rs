//! The JSON Schema of the records says what the Rust types say, no more and no less.
//!
//! Full records are written out field by field, so that a new field does not compile until it stands here, and does not
//! pass until it stands in the schema. Then both are asked about thousands of damaged records, and must agree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use benchkit::machine::{Cache, Frequency, Machine};
use benchkit::profile::Profile;
use benchkit::protocol::{AlgorithmInfo, ImplementationInfo};
use benchkit::record::{
    AbsentRow, Build, Cal, Discarded, End, Kat, Overhead, Process, ProcessEnd, Record, Repeat, RepeatCell, Resume, Run,
    SCHEMA, Start, Unit, Visit,
};
use benchkit::suite::{Absent, BitOrder, Lengths, Operation, Options, OutputLength, Pages};
use jsonschema::Validator;
use serde::Deserialize;
use serde_json::{Value, json};

fn schema() -> Value {
    let path = format!("{}/schema/records-{SCHEMA}.schema.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).unwrap()
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn map() -> BTreeMap<String, String> {
    BTreeMap::from([("a".to_owned(), "b".to_owned())])
}

/// One record of each kind with every field there is.
fn full() -> Vec<Record> {
    vec![
        Record::Run(Box::new(Run {
            schema: SCHEMA,
            run: "20260101T000000Z".to_owned(),
            started: "2026-01-01T00:00:00Z".to_owned(),
            arguments: vec!["bench".to_owned()],
            seed: u64::MAX,
            rounds: u32::MAX,
            cpu: Some(1),
            machine: machine(),
            build: Build {
                rustc: "rustc 1.95.0".to_owned(),
                profile: "bench".to_owned(),
                rustflags: String::new(),
                native_rustflags: "-Ctarget-cpu=native".to_owned(),
                lock: "00".to_owned(),
                workers: map(),
                commit: "1234".to_owned(),
                dirty: true,
            },
        })),
        Record::Algorithm(Box::new(algorithm())),
        Record::Process(Process {
            process: 0,
            family: "sha2x".to_owned(),
            seed: 1,
            clock: "tsc".to_owned(),
            ticks_per_second: 2.6e9,
            unit: Unit::Cycles,
            self_test: "good".to_owned(),
            cpu: Some(1),
            locked: true,
            environment: map(),
        }),
        Record::Absent(AbsentRow {
            algorithm: "sha256".to_owned(),
            implementation: "gcrypt/default".to_owned(),
            reason: "not there".to_owned(),
            remedy: text("install it"),
        }),
        Record::Kat(Kat {
            algorithm: "sha256".to_owned(),
            implementation: "sha2x/shani".to_owned(),
            version: "1".to_owned(),
            ok: false,
            checks: 10,
            skipped: 1,
            failure: text("Len = 8: digest differs"),
            vectors: map(),
        }),
        Record::Cal(Cal { cal: 0, process: 0, ticks: vec![9000, 9001], settled: 1, wide: vec![1500] }),
        Record::ProcessEnd(ProcessEnd { process: 0, visits: 10, repeated_for_switch: 1, steal: Some(2) }),
        Record::Overhead(Overhead { process: 0, ticks: vec![20], cal: [0, 1] }),
        Record::Visit(Visit {
            process: 0,
            block: 0,
            position: 1,
            attempt: 0,
            algorithm: "sha256".to_owned(),
            implementation: "sha2x/shani".to_owned(),
            operation: Operation::Hash,
            profile: Profile::Native,
            length: 64,
            messages: 1,
            seed: 1,
            calls: 1,
            ticks: vec![200, 201],
            finished: vec![vec![7, 8]],
            untimed: vec![900],
            cal: [2, 3],
            switches: 0,
            digest_ok: true,
            anchor: Some(1),
            discarded: Some(Discarded::Opening),
        }),
        Record::Start(Start { process: 0, round: 1, part: 2 }),
        Record::Repeat(Repeat {
            process: 12,
            rounds: 4,
            cells: vec![RepeatCell {
                algorithm: "sha256".to_owned(),
                implementation: text("sha2x/shani"),
                operation: Operation::Hash,
                profile: Profile::Native,
                messages: 1,
                length: 64,
            }],
            left_out: 1,
        }),
        Record::Resume(Resume { resumed: "2026-01-01T00:01:00Z".to_owned(), cut: vec![[0, 1]], cut_bytes: 3 }),
        Record::End(End { ended: "2026-01-01T00:01:00Z".to_owned(), visits: 1, outcome: "complete".to_owned() }),
    ]
}

fn machine() -> Machine {
    Machine {
        slug: "a".to_owned(),
        brand: "A".to_owned(),
        id: text("id"),
        architecture: "x86_64".to_owned(),
        system: "linux".to_owned(),
        kernel: text("6"),
        kernel_parameters: vec!["isolcpus=1".to_owned()],
        vendor: text("v"),
        family: Some(25),
        model: Some(1),
        stepping: Some(1),
        microcode: text("0x1"),
        features: vec!["avx2".to_owned()],
        hypervisor: text("kvm"),
        cpus: Some(2),
        smt: Some(false),
        isolated: vec![1],
        caches: vec![Cache { level: 1, kind: "Data".to_owned(), bytes: 32768, cpus: vec![0] }],
        memory: Some(1 << 33),
        huge_pages: text("madvise"),
        governor: text("performance"),
        driver: text("d"),
        boost: Some(true),
        frequency: Frequency { min: Some(1), max: Some(2), base: Some(3), now: Some(4) },
        mitigations: map(),
        clocksource: text("tsc"),
        counters: Some(true),
        perf_event_paranoid: Some(-1),
        load: Some([0.5, 1.0, 1.5]),
        steal: Some(7),
    }
}

fn algorithm() -> AlgorithmInfo {
    let lengths = Some(Lengths { min: 1, max: Some(64) });
    AlgorithmInfo {
        id: "sha256".to_owned(),
        pages: Pages { ebash: text("sha256"), openssl: text("sha256"), niccs: text("SHA-256") },
        block_bytes: 64,
        output: OutputLength { default: 32, min: 32, max: Some(32) },
        bits: Some(BitOrder::MostSignificantFirst),
        options: Options { key: lengths, salt: lengths, personalization: lengths, customization: lengths },
        implementations: vec![ImplementationInfo {
            name: "sha2x/shani".to_owned(),
            provider: "sha2x".to_owned(),
            backend: "shani".to_owned(),
            version: "1".to_owned(),
            ours: true,
            available: false,
            absent: Some(Absent { reason: "this CPU lacks SHA-NI".to_owned(), remedy: text("another CPU") }),
            operations: vec![Operation::Hash],
            lanes: 2,
            environment: map(),
        }],
    }
}

/// Does not compile without a new kind of record; then it has to stand in [`full`].
fn kind(record: &Record) -> &'static str {
    match record {
        Record::Run(_) => "run",
        Record::Algorithm(_) => "algorithm",
        Record::Start(_) => "start",
        Record::Process(_) => "process",
        Record::Absent(_) => "absent",
        Record::Kat(_) => "kat",
        Record::Cal(_) => "cal",
        Record::ProcessEnd(_) => "process-end",
        Record::Overhead(_) => "overhead",
        Record::Visit(_) => "visit",
        Record::Repeat(_) => "repeat",
        Record::Resume(_) => "resume",
        Record::End(_) => "end",
    }
}

/// Whether a reader of files takes the line.
fn read(value: &Value) -> bool {
    benchkit::record::read_lines(format!("{value}\n").as_bytes(), Path::new("x")).records.len() == 1
}

/// The schema of a value within a record, and the value, for every part of it that has properties of its own.
fn walk<'a>(root: &'a Value, node: &'a Value, value: &'a Value, see: &mut impl FnMut(&'a Value, &'a Value)) {
    if let Some(name) = node["$ref"].as_str() {
        return walk(root, root.pointer(name.strip_prefix('#').unwrap()).unwrap(), value, see);
    }
    for one in node["anyOf"].as_array().into_iter().flatten().filter(|one| one["type"] != "null") {
        walk(root, one, value, see);
    }
    see(node, value);
    for (name, inner) in node["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get(name) {
            walk(root, inner, value, see);
        }
    }
    for value in value.as_array().into_iter().flatten().filter(|_| node.get("items").is_some()) {
        walk(root, &node["items"], value, see);
    }
}

#[test]
fn it_is_a_schema() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["$defs"]["run"]["properties"]["schema"]["const"], SCHEMA);
}

#[test]
fn every_kind_is_there() {
    let schema = schema();
    let full = full();
    let kinds: BTreeSet<String> = full.iter().map(|record| format!("#/$defs/{}", kind(record))).collect();
    assert_eq!(kinds.len(), full.len());
    let known = schema["oneOf"].as_array().unwrap().iter().map(|one| one["$ref"].as_str().unwrap().to_owned());
    assert_eq!(known.collect::<BTreeSet<_>>(), kinds);
}

/// Every property of the schema is a field, and every field a property.
#[test]
fn full_records() {
    let (schema, validator) = (schema(), validator());
    for record in full() {
        let value = serde_json::to_value(&record).unwrap();
        assert_eq!(value["kind"], kind(&record));
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error}", kind(&record));
        }
        let mut parts = 0;
        walk(&schema, &schema["$defs"][kind(&record)], &value, &mut |node, value| {
            let Some(properties) = node["properties"].as_object() else { return };
            let fields = value.as_object().unwrap_or_else(|| panic!("{} is no object", value));
            assert!(properties.keys().eq(fields.keys()), "{:?}\n{:?}", properties.keys(), fields.keys());
            assert_eq!(node["additionalProperties"], false);
            parts += 1;
        });
        assert!(parts > 0);
    }
}

/// Whatever the reader can do without, left out: exactly the required ones stay.
#[test]
fn minimal_records() {
    let (schema, validator) = (schema(), validator());
    for record in full() {
        let mut value = serde_json::to_value(&record).unwrap();
        for pointer in pointers(&value).into_iter().rev() {
            let mut without = value.clone();
            if remove(&mut without, &pointer) && read(&without) {
                value = without;
            }
        }
        assert!(validator.is_valid(&value), "{value}");
        walk(&schema, &schema["$defs"][kind(&record)], &value, &mut |node, value| {
            if node.get("properties").is_none() {
                return;
            }
            let required: BTreeSet<&str> =
                node["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap()).collect();
            let fields: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(fields, required, "{}", kind(&record));
        });
        // As it is written again, with the values that were left out.
        let again = Record::deserialize(&value).unwrap();
        assert!(validator.is_valid(&serde_json::to_value(&again).unwrap()), "{again:?}");
    }
}

/// JSON pointers of everything in a value, a whole before its parts.
fn pointers(value: &Value) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(array) => array.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let of = |(name, value): (String, &Value)| {
        let parts = pointers(value).into_iter().map(|rest| format!("/{name}{rest}")).collect::<Vec<_>>();
        std::iter::once(format!("/{name}")).chain(parts)
    };
    inner.into_iter().flat_map(of).collect()
}

/// Takes a field out of an object; whether there was one.
fn remove(value: &mut Value, pointer: &str) -> bool {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    value.pointer_mut(parent).and_then(Value::as_object_mut).is_some_and(|object| object.remove(name).is_some())
}

/// Values that no field, or only some fields, may have.
fn damages(schema: &Value) -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!("no such word"),
        json!(-1),
        json!(0),
        json!(1),
        json!(3),
        json!(1.5),
        json!(1_u64 << 32),
        json!(1_u64 << 53),
        json!((1_u64 << 53) + 1),
        json!(u64::MAX),
        json!(2.0_f64.powi(64)),
        json!(i64::MIN),
        json!([]),
        json!([1, 2]),
        json!([1, 2, 3]),
        json!(["x"]),
        json!([null]),
        json!({}),
        json!({ "x": "y" }),
        json!({ "x": 1 }),
    ];
    // Every word that the schema knows, wherever it belongs.
    fn words(node: &Value, values: &mut Vec<Value>) {
        match node {
            Value::Object(object) => {
                values.extend(object.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
                object.values().for_each(|inner| words(inner, values));
            }
            Value::Array(array) => array.iter().for_each(|inner| words(inner, values)),
            _ => {}
        }
    }
    words(schema, &mut values);
    values
}

/// The maps of [`full`] are all alike.
fn is_map(value: &Value) -> bool {
    *value == json!(map())
}

/// Where the schema asks for more than the reader does, on purpose.
fn stricter(pointer: &str, kind: &str, before: &Value, after: &Value) -> bool {
    match (kind, pointer) {
        // A reader decides by the number what to do with the file; this schema is of one version.
        ("run", "/schema") => after.is_u64(),
        ("visit", "/anchor") => after.is_u64(),
        // Serde takes the fields of an object in order from an array too, and does not mind unknown ones. Maps have none.
        _ => before.is_object() && (after.is_array() || (after.is_object() && !is_map(before))),
    }
}

#[test]
fn damaged_records_are_refused_by_both_alike() {
    let (schema, validator) = (schema(), validator());
    let damages = damages(&schema);
    let (mut taken, mut refused) = (0, 0);
    for record in full() {
        let value = serde_json::to_value(&record).unwrap();
        let mut agree = |damaged: &Value, what: &str, stricter: bool| {
            let (read, valid) = (read(damaged), validator.is_valid(damaged));
            assert!(read == valid || (stricter && read), "{}: {what}: read {read}, valid {valid}", kind(&record));
            if valid { taken += 1 } else { refused += 1 }
        };
        for pointer in pointers(&value) {
            let mut without = value.clone();
            if remove(&mut without, &pointer) {
                agree(&without, &format!("without {pointer}"), false);
            }
            let before = value.pointer(&pointer).unwrap();
            for damage in &damages {
                let mut damaged = value.clone();
                *damaged.pointer_mut(&pointer).unwrap() = damage.clone();
                agree(&damaged, &format!("{pointer} = {damage}"), stricter(&pointer, kind(&record), before, damage));
            }
        }
    }
    // Both outcomes occur, or this test would say nothing.
    assert!(taken > 500 && refused > 3000, "{taken} taken, {refused} refused");
}

/// A field that is misspelt, or of a newer writer, is no field of this version.
#[test]
fn unknown_fields_are_refused() {
    let validator = validator();
    for record in full() {
        let value = serde_json::to_value(&record).unwrap();
        let mut objects = vec![String::new()];
        objects.extend(pointers(&value).into_iter().filter(|pointer| value.pointer(pointer).unwrap().is_object()));
        for pointer in objects.into_iter().filter(|pointer| !is_map(value.pointer(pointer).unwrap())) {
            let mut more = value.clone();
            more.pointer_mut(&pointer).unwrap()["profil"] = json!("cold");
            assert!(!validator.is_valid(&more), "{} {pointer}", kind(&record));
        }
    }
    for line in [json!({}), json!([]), json!(null), json!({ "kind": "tea" }), json!({ "kind": 1 })] {
        assert!(!validator.is_valid(&line), "{line}");
    }
}

/// Every word that a type can be is one of the schema's.
#[test]
fn every_word_is_known() {
    let validator = validator();
    let with = |number: usize, pointer: &str, word: Value| {
        let mut value = serde_json::to_value(&full()[number]).unwrap();
        *value.pointer_mut(pointer).unwrap() = word;
        assert!(read(&value) && validator.is_valid(&value), "{value}");
    };
    for operation in Operation::ALL {
        with(8, "/operation", json!(operation));
        with(1, "/implementations/0/operations/0", json!(operation));
    }
    for profile in Profile::ALL {
        with(8, "/profile", json!(profile));
    }
    // Each of these does not compile without a new word; then it has to stand in the list.
    for unit in [Unit::Cycles, Unit::Ticks] {
        match unit {
            Unit::Cycles | Unit::Ticks => with(2, "/unit", json!(unit)),
        }
    }
    for order in [BitOrder::MostSignificantFirst, BitOrder::LeastSignificantFirst] {
        match order {
            BitOrder::MostSignificantFirst | BitOrder::LeastSignificantFirst => with(1, "/bits", json!(order)),
        }
    }
    for discarded in [Discarded::Opening, Discarded::Frequency, Discarded::Switch, Discarded::Shared] {
        match discarded {
            Discarded::Opening | Discarded::Frequency | Discarded::Switch | Discarded::Shared => {
                with(8, "/discarded", json!(discarded))
            }
        }
    }
}
