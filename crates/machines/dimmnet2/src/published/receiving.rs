//! Cycles of the reception of a packet, tables 7.4 and 7.5.

use machine_api::Row;

use super::measure::Source;
use super::row;
use crate::paths::{Primitive, transfer};

/// The rows of the two tables and of their difference.
pub fn rows(nics: Source<'_>) -> anyhow::Result<Vec<Row>> {
    let cycles = |primitive| -> anyhow::Result<f64> {
        let line = transfer(primitive, 8, nics)?;
        let receive = line.of(|stage| ["receive", "status"].contains(&stage.name));
        Ok(receive.ps() as f64 / 1e4)
    };
    let (push, ipush) = (cycles(Primitive::Botf)?, cycles(Primitive::Ipush)?);
    Ok(vec![row("M-01", push), row("M-02", ipush), row("M-03", ipush - push)])
}
