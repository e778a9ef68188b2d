//! Options of measuring: phases, repetition, knee, and the hot spot.

use cluster::Duration;
use workload::{HotSpot, Length, Pattern, PhaseLengths, Point, parse_duration};

use crate::{numbers, usage};

/// Messages of each sender without another length, and those of runs that look for a steady state.
const MESSAGES: u64 = 16;
const MESSAGES_IF_STEADY: u64 = 200;
/// Fewest messages of each sender for a knee: two of them in flight are less than the 5 % of saturation.
const LEAST_OF_KNEE: u64 = 50;

/// Load without another one.
const LOAD: f64 = 0.1;

/// Options for measuring under a traffic pattern.
#[derive(clap::Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasuringArgs {
    /// Time before the measurement, with --measure or --time. Default: found by comparing batch means
    /// (docs/measuring.md).
    #[arg(long, value_name = "TIME", requires = "sending")]
    warm_up: Option<String>,
    /// Time in which messages are created that are measured. Default: what warm-up and drain leave of --time or
    /// --messages.
    #[arg(long, value_name = "TIME", group = "sending")]
    measure: Option<String>,
    /// Time in which senders create messages after the measurement, with --measure or --time. Default: a tenth of
    /// --measure, or else of the sending time.
    #[arg(long, value_name = "TIME", requires = "sending")]
    drain: Option<String>,
    /// Sending time of a pattern, instead of a number of messages: 200us, 1ms.
    #[arg(long, group = "sending")]
    pub time: Option<String>,
    /// Messages of each sender of a pattern. Default: 16, or 200 with --knee or --window.
    #[arg(long, conflicts_with = "sending", value_parser = numbers::positive)]
    messages: Option<u64>,
    /// Number of runs, each with the next seed; report means and 95 % confidence intervals.
    #[arg(long, value_name = "RUNS", default_value_t = 1, value_parser = numbers::within::<u64>(1..=1000, "the number of runs"))]
    pub repeat: u64,
    /// Closed loop instead of --load: receivers answer each message, and a sender has at most this many messages
    /// without answer.
    #[arg(long, value_name = "MESSAGES", value_delimiter = ',', value_parser = numbers::positive, conflicts_with_all = ["load", "knee", "sending"])]
    window: Vec<u64>,
    /// Find the load at which the network saturates; report the curve of loads around it.
    #[arg(long, conflicts_with_all = ["load", "repeat"])]
    pub knee: bool,
    /// Preferred receiver of hot-spot. Default: 0.
    #[arg(long, value_name = "NODE", value_parser = numbers::count)]
    hot_node: Option<usize>,
    /// Share of the messages of hot-spot that go to the preferred receiver: 20%. Default: 10%.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    hot_share: Option<u32>,
}

impl MeasuringArgs {
    /// Messages of each sender.
    pub fn messages(&self) -> u64 {
        let is_steady = self.knee || !self.window.is_empty();
        self.messages.unwrap_or(if is_steady { MESSAGES_IF_STEADY } else { MESSAGES })
    }

    /// The option that is only for patterns, if one was given.
    pub fn of_patterns(&self) -> Option<&'static str> {
        let given = [
            (self.knee, "--knee"),
            (self.repeat > 1, "--repeat"),
            (self.measure.is_some(), "--measure"),
            (!self.window.is_empty(), "--window"),
            (self.time.is_some(), "--time"),
            (self.messages.is_some(), "--messages"),
            (self.warm_up.is_some(), "--warm-up"),
            (self.drain.is_some(), "--drain"),
            (self.of_hot_spots().is_some(), "--hot-node or --hot-share"),
        ];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// The option that is only for hot spots, if one was given.
    fn of_hot_spots(&self) -> Option<&'static str> {
        let node = self.hot_node.map(|_| "--hot-node <NODE>");
        node.or_else(|| self.hot_share.map(|_| "--hot-share <SHARE>"))
    }

    /// Checks that options fit the pattern, and that runs are long enough to tell whether they are saturated.
    pub fn check(&self, pattern: Option<Pattern>) -> anyhow::Result<()> {
        if let Some(pattern) = pattern.filter(|pattern| *pattern != Pattern::HotSpot)
            && let Some(option) = self.of_hot_spots()
        {
            return Err(usage::conflict(option, format_args!("--workload {}", pattern.name())));
        }
        match self.messages {
            Some(messages) if self.knee && messages < LEAST_OF_KNEE => {
                let reason = format!("a knee needs at least {LEAST_OF_KNEE} messages of each sender");
                Err(usage::invalid("--messages <MESSAGES>", messages, reason))
            }
            _ => Ok(()),
        }
    }

    /// Windows of messages of `bytes` bytes, or else these loads.
    pub fn points(&self, loads: &[f64], bytes: u64) -> Vec<Point> {
        let bytes = Some(bytes);
        let windows = self.window.iter().map(|&window| Point { window: Some(window), bytes, load: None });
        let loads = if loads.is_empty() { &[LOAD] } else { loads };
        let loads = loads.iter().map(|&load| Point { load: Some(load), bytes, window: None });
        if self.window.is_empty() { loads.collect() } else { windows.collect() }
    }

    pub fn hot_spot(&self) -> HotSpot {
        let HotSpot { node, share } = HotSpot::default();
        HotSpot { node: self.hot_node.unwrap_or(node), share: self.hot_share.unwrap_or(share) }
    }

    /// The phases that were asked for.
    pub fn phases(&self) -> anyhow::Result<PhaseLengths> {
        let lengths = PhaseLengths {
            warm_up: length("--warm-up <TIME>", self.warm_up.as_deref())?,
            measure: self
                .measure
                .as_ref()
                .map(|text| usage::duration("--measure <TIME>", text))
                .transpose()?,
            drain: length("--drain <TIME>", self.drain.as_deref())?,
        };
        if let Some(text) = &self.time {
            let time = usage::duration("--time <TIME>", text)?;
            let around = [lengths.warm_up, lengths.drain].into_iter().flatten().map(Duration::ps);
            if around.fold(0, u64::saturating_add) >= time.ps() {
                let reason = "warm-up and drain leave no time for the measurement";
                return Err(usage::invalid("--time <TIME>", text, reason));
            }
        }
        Ok(lengths)
    }

    /// Length of the pattern.
    pub fn length(&self) -> anyhow::Result<Length> {
        if let Some(time) = self.phases()?.sending() {
            return Ok(Length::Time(time));
        }
        match &self.time {
            Some(text) => Ok(Length::Time(usage::duration("--time <TIME>", text)?)),
            None => Ok(Length::Messages(self.messages())),
        }
    }

    /// The option that gave the length of the pattern, and its value.
    pub fn length_option(&self) -> (&'static str, String) {
        match (&self.measure, &self.time) {
            (Some(text), _) => ("--measure <TIME>", text.clone()),
            (None, Some(text)) => ("--time <TIME>", text.clone()),
            (None, None) => ("--messages <MESSAGES>", self.messages().to_string()),
        }
    }
}

/// Length of a phase, which may be 0.
fn length(option: &str, text: Option<&str>) -> anyhow::Result<Option<Duration>> {
    let parsed = text.map(|text| parse_duration(text).map_err(|error| usage::invalid(option, text, error)));
    parsed.transpose()
}
