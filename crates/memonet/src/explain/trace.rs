//! A time line as trace events, which Chrome and Perfetto open.

use serde_json::{Value, json};

use super::TimeLine;

/// Stages as complete events, one thread per lane. The unit of the format is a microsecond.
pub fn events(line: &TimeLine) -> Value {
    let us = |ps: u64| ps as f64 / 1e6;
    let thread = |lane: &str| line.lanes.iter().position(|known| *known == lane).expect("a stage has a lane");
    let mut events = vec![json!({
        "name": "process_name", "ph": "M", "pid": 0, "args": { "name": line.title() },
    })];
    events.extend(line.lanes.iter().map(|lane| {
        json!({ "name": "thread_name", "ph": "M", "pid": 0, "tid": thread(lane), "args": { "name": lane } })
    }));
    events.extend(line.stages().iter().map(|stage| {
        json!({
            "name": stage.name, "cat": stage.lane, "ph": "X", "pid": 0, "tid": thread(stage.lane),
            "ts": us(stage.begin.ps()), "dur": us(stage.duration.ps()),
            "args": { "id": (line.code)(stage.name), "ps": stage.duration.ps() },
        })
    }));
    json!({ "displayTimeUnit": "ns", "traceEvents": events })
}
