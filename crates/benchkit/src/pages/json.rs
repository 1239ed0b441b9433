//! Everything that was derived, for programs. Strict JSON: what has no value is `null`.
//!
//! Units stand in the keys: `cycles_per_call`, or `ticks_per_call` where the clock failed its self-test.

use serde_json::{Map, Value, json};

use super::words;
use crate::table::{Cell, Comparison, MachineTable, Own, Row, State, Summary, Tables};

/// Version of this form.
const VERSION: u32 = 1;

pub(super) fn write(tables: &Tables) -> String {
    let machines: Vec<Value> = tables.machines.iter().map(machine).collect();
    format!("{:#}\n", json!({ "format": "hashmatrix-tables", "version": VERSION, "machines": machines }))
}

fn machine(table: &MachineTable) -> Value {
    let runs: Vec<Value> =
        table.runs.iter().map(|run| json!({ "run": run.run, "end": run.end, "processes": run.processes })).collect();
    let unit = words::unit(table);
    json!({
        "machine": table.machine,
        "clock": table.clock,
        "unit": unit,
        "statistic": "stabilized quartiles (StQ1, StQ2, StQ3) of all timed calls; of loops of calls, where the profile is \
                      one of loops",
        "raw": "nothing subtracted",
        "net": "the StQ2 of a call that does nothing subtracted",
        "first_calls": "the first 16 calls of each visit, the cold ones among them, nothing subtracted",
        "own": "the statistic of the row's profile, nothing subtracted",
        "ticks_per_second": table.ticks_per_second,
        "ticks_per_cycle": table.ticks_per_cycle,
        "core_hertz": table.core_hertz(),
        "contended": table.contended,
        "runs": runs,
        "algorithms": table.algorithms,
        "rows": table.rows.iter().map(|row| self::row(row, unit)).collect::<Vec<_>>(),
        "comparisons": table.comparisons.iter().map(comparison).collect::<Vec<_>>(),
        "warnings": table.warnings,
    })
}

fn row(row: &Row, unit: &str) -> Value {
    let (state, reason, remedy) = match &row.state {
        State::Measured => ("measured", None, None),
        State::KatFail { reason } => ("kat-fail", Some(reason), None),
        State::DigestFail { reason } => ("digest-fail", Some(reason), None),
        State::Absent { reason, remedy } => ("absent", Some(reason), remedy.as_ref()),
    };
    let slope = row.slope.as_ref().map(|slope| {
        object([
            (format!("{unit}_per_byte"), json!(slope.cycles_per_byte)),
            (format!("fixed_{unit}"), json!(slope.fixed_cycles)),
            ("lengths".to_owned(), json!(slope.lengths)),
            ("block_aligned".to_owned(), json!(slope.aligned)),
        ])
    });
    json!({
        "algorithm": row.algorithm,
        "implementation": row.implementation,
        "version": row.version,
        "ours": row.ours,
        "operation": row.work.map(|work| work.operation),
        "messages": row.work.map(|work| work.messages),
        "profile": row.work.map(|work| work.profile),
        "statistic": row.work.map(|work| work.profile.statistic()),
        "state": state,
        "reason": reason,
        "remedy": remedy,
        "cells": row.cells.iter().map(|cell| self::cell(cell, unit)).collect::<Vec<_>>(),
        "long": row.long.as_ref().map(|cell| self::cell(cell, unit)),
        "slope": slope,
    })
}

fn cell(cell: &Cell, unit: &str) -> Value {
    object([
        ("length_bytes".to_owned(), json!(cell.length)),
        ("bytes_per_call".to_owned(), json!(cell.bytes)),
        ("raw".to_owned(), summary(&cell.raw, cell, unit)),
        ("net".to_owned(), cell.net.map_or(Value::Null, |net| summary(&net, cell, unit))),
        ("first_calls".to_owned(), cell.first.map_or(Value::Null, |first| summary(&first, cell, unit))),
        ("own".to_owned(), cell.own.map_or(Value::Null, |own| self::own(&own, cell, unit))),
        ("samples".to_owned(), json!(cell.samples)),
        ("visits".to_owned(), json!(cell.visits)),
        ("visits_left_out".to_owned(), json!(cell.left_out)),
        ("processes".to_owned(), json!(cell.processes)),
        ("runs".to_owned(), json!(cell.runs)),
        (format!("process_spread_{unit}_per_call"), json!(cell.process_spread)),
        ("slowdown".to_owned(), json!(cell.slowdown)),
        ("noise".to_owned(), json!(cell.noise)),
        ("marks".to_owned(), cell.marks.iter().map(|mark| mark.symbol()).collect()),
    ])
}

fn own(own: &Own, cell: &Cell, unit: &str) -> Value {
    object([
        (format!("{unit}_per_call"), json!(own.cycles)),
        (format!("{unit}_per_byte"), json!(cell.per_byte(own.cycles))),
        ("seconds_per_call".to_owned(), json!(own.seconds)),
    ])
}

fn summary(summary: &Summary, cell: &Cell, unit: &str) -> Value {
    let quartiles = |scale: &dyn Fn(f64) -> Option<f64>| {
        json!({
            "stabilized_quartiles": summary.quartiles.map(scale),
            "quartiles": summary.classic.map(scale),
            "min": scale(summary.min),
            "mean": scale(summary.mean),
            "deviation": summary.deviation.and_then(scale),
        })
    };
    let per_byte = if cell.bytes > 0 { quartiles(&|figure| cell.per_byte(figure)) } else { Value::Null };
    object([(format!("{unit}_per_call"), quartiles(&Some)), (format!("{unit}_per_byte"), per_byte)])
}

fn comparison(comparison: &Comparison) -> Value {
    json!({
        "algorithm": comparison.algorithm,
        "operation": comparison.work.operation,
        "messages": comparison.work.messages,
        "profile": comparison.work.profile,
        "length_bytes": comparison.length,
        "ours": comparison.ours,
        "peer": comparison.peer,
        "ratio": comparison.ratio,
        "interval_95": comparison.interval,
        "blocks": comparison.pairs,
        "noise": comparison.noise,
    })
}

fn object<const N: usize>(fields: [(String, Value); N]) -> Value {
    Value::Object(Map::from_iter(fields))
}
