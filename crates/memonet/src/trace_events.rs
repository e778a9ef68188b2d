//! Trace events for Chrome and Perfetto. The format counts in microseconds.

use cluster::{Duration, Time};
use serde_json::{Value, json};

fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

/// Names the process.
pub fn process(name: &str) -> Value {
    json!({ "name": "process_name", "ph": "M", "pid": 0, "args": { "name": name } })
}

/// Names a row.
pub fn thread(row: usize, name: &str) -> Value {
    json!({ "name": "thread_name", "ph": "M", "pid": 0, "tid": row, "args": { "name": name } })
}

/// An event with beginning and duration. Viewers show `args` when it is selected.
pub fn complete(row: usize, kind: &str, name: &str, begin: Time, duration: Duration, args: Value) -> Value {
    json!({
        "name": name, "cat": kind, "ph": "X", "pid": 0, "tid": row,
        "ts": us(begin.ps()), "dur": us(duration.ps()), "args": args,
    })
}

/// An event without an end.
pub fn beginning(row: usize, kind: &str, name: &str, begin: Time) -> Value {
    json!({ "name": name, "cat": kind, "ph": "B", "pid": 0, "tid": row, "ts": us(begin.ps()) })
}

/// A JSON document with these events.
pub fn document(events: Vec<Value>) -> Value {
    json!({ "displayTimeUnit": "ns", "traceEvents": events })
}
