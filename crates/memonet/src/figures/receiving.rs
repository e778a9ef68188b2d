//! Cycles of the reception of a packet, tables 7.4 and 7.5.

use super::published::Row;
use crate::explain::{self, Primitive};
use crate::nic::Kind;

/// The rows of the two tables and of their difference.
pub fn rows(nic: Kind) -> anyhow::Result<Vec<Row>> {
    let cycles = |primitive| -> anyhow::Result<f64> {
        let line = explain::transfer(primitive, 8, nic)?;
        let receive = line.stages().iter().filter(|stage| ["receive", "status"].contains(&stage.name));
        Ok(receive.map(|stage| stage.duration.ps() as f64 / 1e4).sum())
    };
    let (push, ipush) = (cycles(Primitive::Botf)?, cycles(Primitive::Ipush)?);
    Ok(vec![Row::new("M-01", push), Row::new("M-02", ipush), Row::new("M-03", ipush - push)])
}
