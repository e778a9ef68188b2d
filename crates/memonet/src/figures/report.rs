//! What `memonet figures` prints and writes.

use std::fmt;
use std::path::Path;

use cluster::Stage;
use dimmnet2_machine::host::cost;
use serde::Serialize;

use super::plot::{self, Figure};
use super::published::{self, Class, Row, TABLE};
use super::{Section, Shape, page};
use crate::explain::{self, Primitive};
use crate::nic::Kind;
use crate::output;

/// All that was measured.
#[derive(Serialize)]
pub struct Report {
    nic: Kind,
    rows: Vec<Row>,
    pub(super) shapes: Vec<Shape>,
    pub(super) figures: Vec<Figure>,
    /// Host, network interface and switch in a PUSH of 8 bytes, in us (table 7.1).
    pub(super) parts: [f64; 3],
    /// Of the predicted rows, without sign.
    median_error_percent: f64,
    worst_error_percent: f64,
    worst: &'static str,
    /// Constants that were fitted, each with what to.
    pub(super) fitted: Vec<Fitted>,
}

/// A constant that was chosen by published measurements.
#[derive(Serialize)]
pub struct Fitted {
    pub name: &'static str,
    pub ns: f64,
    pub to: &'static [&'static str],
    pub source: &'static str,
}

impl Report {
    /// Puts rows in the order of the thesis and sums them up.
    pub fn new(nic: Kind, section: Section) -> anyhow::Result<Self> {
        let Section { mut rows, figures, mut shapes } = section;
        shapes.sort_by_key(|shape| shape.id);
        rows.sort_by_key(|row| TABLE.iter().position(|published| published.id == row.id));
        let mut errors: Vec<_> = rows
            .iter()
            .filter(|row| row.class == Class::Predicted)
            .map(|row| (row.error_percent.abs(), row.id))
            .collect();
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (worst_error_percent, worst) = errors.last().copied().unwrap_or_default();
        Ok(Report {
            nic,
            parts: parts(nic)?,
            shapes,
            figures,
            median_error_percent: errors.get(errors.len() / 2).map_or(0.0, |error| error.0),
            worst_error_percent,
            worst,
            fitted: cost::ALL
                .iter()
                .filter(|cost| !cost.fitted_to.is_empty())
                .map(|cost| Fitted {
                    name: cost.name,
                    ns: cost.duration.ps() as f64 / 1e3,
                    to: cost.fitted_to,
                    source: cost.source,
                })
                .collect(),
            rows,
        })
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Writes the page and the figures.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        plot::write(folder, "figure", &self.figures)?;
        output::write(&folder.join("fidelity.md"), page::page(self).as_bytes())
    }

    /// The result in a sentence.
    pub fn summary(&self) -> String {
        let predicted = self.rows.iter().filter(|row| row.class == Class::Predicted).count();
        let errors = if predicted == 0 {
            String::new()
        } else {
            let (median, worst) = (self.median_error_percent, self.worst_error_percent);
            format!(": median error {median:.1} %, worst {worst:.1} % ({})", self.worst)
        };
        format!("{predicted} predicted rows{errors}; {} fitted constants", self.fitted.len())
    }
}

/// Host, network interface and switch in a PUSH of 8 bytes, in us.
fn parts(nic: Kind) -> anyhow::Result<[f64; 3]> {
    let line = explain::transfer(Primitive::Rvs, 8, nic)?;
    let of = |part: &dyn Fn(&Stage) -> bool| -> f64 {
        line.stages().iter().filter(|stage| part(stage)).map(|stage| stage.duration.ps() as f64 / 1e6).sum()
    };
    let host = |stage: &Stage| ["issue", "bus", "poll"].contains(&stage.name);
    let switch = |stage: &Stage| stage.name == "switch";
    Ok([of(&host), of(&|stage| !host(stage) && !switch(stage)), of(&switch)])
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        published::heads(f)?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        for shape @ Shape { id, says, .. } in &self.shapes {
            writeln!(f, "  {id}  {}  {says}", shape.verdict())?;
        }
        for row in self.rows.iter().filter(|row| row.cause.is_some()) {
            writeln!(f, "  {} {:+.1}%: {}", row.id, row.error_percent, row.cause.unwrap_or_default())?;
        }
        write!(f, "{}", self.summary())
    }
}
