//! A time line as trace events.

use serde_json::{Value, json};

use super::TimeLine;
use crate::trace_events::{complete, document, process, thread};

/// Stages as complete events, one thread for each lane.
pub fn events(line: &TimeLine) -> Value {
    let row = |lane: &str| line.lanes.iter().position(|known| *known == lane).expect("a stage has a lane");
    let mut events = vec![process(&line.title())];
    events.extend(line.lanes.iter().map(|lane| thread(row(lane), lane)));
    events.extend(line.stages().iter().map(|stage| {
        let args = json!({ "id": (line.code)(stage.name), "ps": stage.duration.ps() });
        complete(row(stage.lane), stage.lane, stage.name, stage.begin, stage.duration, args)
    }));
    document(events)
}
