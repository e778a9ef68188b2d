//! Measurements, repetitions and saturation points as text.

use std::fmt;

use super::text::{name, which};
use super::{KneeOfSize, Report, Run};
use crate::measuring::{Interval, Knee, Measurement, WarmUp};

/// Writes what was measured; nothing for a workload file.
pub(super) fn write(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let measured = || report.runs.iter().filter_map(|run| Some((run.point, run.measurement.as_ref()?)));
    let is_unmeasured = |run: &&Run| run.point.is_pattern() && run.measurement.is_none();
    for run in report.runs.iter().filter(is_unmeasured) {
        write!(f, "\n\nno message was created in the measurement{}; take a longer one", name(run))?;
    }
    if measured().next().is_none() {
        return Ok(());
    }
    write!(
        f,
        "\n\n{:17}phases in us; load of a sender as a fraction of a link and in MB/s, while measured",
        ""
    )?;
    write!(f, "\n{:>9} {:>6}", report.first_head(), "bytes")?;
    for head in ["warm-up", "measured", "drain", "offered", "accepted", "offered", "accepted"] {
        write!(f, " {head:>10}")?;
    }
    for (point, measurement) in measured() {
        let Measurement { phases, offered, accepted, .. } = measurement;
        which(f, &point, point.bytes)?;
        for ps in [phases.warm_up_ps, phases.measure_ps, phases.drain_ps] {
            write!(f, " {:>10.3}", us(ps as f64))?;
        }
        write!(f, " {:>10.6} {:>10.6}", offered.link_share, accepted.link_share)?;
        write!(f, " {:>10.3} {:>10.3}", offered.bytes_per_second / 1e6, accepted.bytes_per_second / 1e6)?;
        write!(f, "{}{}", if measurement.saturated { "  saturated" } else { "" }, remark(phases.warm_up))?;
    }
    write!(
        f,
        "\n\n{:17}{} in us of measured messages, from creation and from injection (first store)",
        "",
        if report.first_head() == "window" { "round trip" } else { "latency" }
    )?;
    write!(f, "\n{:>9} {:>6} {:>9}", report.first_head(), "bytes", "messages")?;
    for head in ["created", "median", "p99", "p99.9", "injected", "median", "p99", "p99.9"] {
        write!(f, " {head:>10}")?;
    }
    for (point, measurement) in measured() {
        which(f, &point, point.bytes)?;
        write!(f, " {:>9}", measurement.measured)?;
        for of in [&measurement.from_creation, &measurement.from_injection] {
            for ps in [of.mean_ps, of.median_ps, of.p99_ps, of.p99_9_ps] {
                write!(f, " {:>10.3}", us(ps as f64))?;
            }
        }
    }
    repeated(f, report)?;
    report.knees.iter().try_for_each(|knee| write!(f, "\n\n{knee}"))
}

/// Warning about the origin of a warm-up; empty if there is none.
fn remark(warm_up: WarmUp) -> &'static str {
    match warm_up {
        WarmUp::Given | WarmUp::Found => "",
        WarmUp::NotSteady => "  not steady",
        WarmUp::TooFewMessages => "  too few messages to find a warm-up",
    }
}

/// Means over seeds with their intervals of confidence.
fn repeated(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let rows = &report.repeated;
    if rows.is_empty() {
        return Ok(());
    }
    write!(f, "\n\n{:17}mean over seeds and its 95 % confidence interval (Student's t): ", "")?;
    write!(f, "MB/s of a sender, latency in us\n{:>9} {:>6} {:>5}", report.first_head(), "bytes", "seeds")?;
    for head in ["offered", "accepted", "created", "its p99", "injected", "its p99"] {
        write!(f, " {head:>19}")?;
    }
    for row in rows {
        which(f, &row.point, row.point.bytes)?;
        write!(f, " {:>5}", row.seeds)?;
        for value in [
            row.offered_bytes_per_second,
            row.accepted_bytes_per_second,
            row.from_creation_mean,
            row.from_creation_p99,
            row.from_injection_mean,
            row.from_injection_p99,
        ] {
            // Both units are a millionth of those of the values.
            let Interval { mean, half_width } = value;
            write!(f, " {:>19}", format!("{:.3} +- {:.3}", us(mean), us(half_width)))?;
        }
        if row.saturated > 0 {
            write!(f, "  {} of {} saturated", row.saturated, row.seeds)?;
        }
    }
    Ok(())
}

impl fmt::Display for KneeOfSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KneeOfSize { bytes, knee, messages } = self;
        write!(f, "knee, {bytes} bytes: ")?;
        match *knee {
            Knee { load: Some(load), saturated_at: Some(above) } => {
                write!(f, "not saturated at a load of {load}, saturated at {above}")
            }
            Knee { load: Some(load), saturated_at: None } => write!(f, "not saturated at a load of {load}"),
            Knee { load: None, saturated_at: Some(least) } => {
                write!(f, "saturated even at a load of {least}")
            }
            Knee { load: None, saturated_at: None } => write!(f, "no load was tried"),
        }?;
        if *messages < Self::ENOUGH {
            write!(
                f,
                "; not exact, because only {messages} messages of a sender were measured, take a time for at least {}",
                Self::ENOUGH
            )?;
        }
        Ok(())
    }
}

/// Picoseconds in microseconds, or bytes per second in MB/s.
fn us(value: f64) -> f64 {
    value / 1e6
}
