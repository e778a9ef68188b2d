//! A published evaluation, measured again.

use cluster::Machine;
use serde::Serialize;

use crate::published::{Class, Published, Row};
use crate::{Figure, Nics, Synthesis};

/// What was published, and what is said of it.
#[derive(Clone, Copy, Debug)]
pub struct Publication {
    /// Every number that is compared anywhere, once, in the order of the publication.
    pub rows: &'static [Published],
    /// Figures that are drawn, beside those that rows belong to.
    pub figures: &'static [&'static str],
    /// Why rows are far off.
    pub causes: &'static [(&'static str, &'static str)],
    /// The beginning of the page, in Markdown: what is compared with what.
    pub begin: &'static str,
    /// What matches and what does not, and why.
    pub story: &'static str,
    /// What the page says of its figures.
    pub drawn: &'static str,
    /// How many clusters are made to measure all of it, for the estimate of how long it takes.
    pub clusters: u64,
}

impl Publication {
    /// What we measured for a published number, in its unit.
    ///
    /// # Panics
    /// If no such number was published.
    pub fn row(&self, id: &str, measured: f64) -> Row {
        let published = self.rows.iter().find(|row| row.id == id);
        let published = published.unwrap_or_else(|| panic!("nothing is published under {id}"));
        let cause = self.causes.iter().find(|(row, _)| *row == id).map(|(_, cause)| *cause);
        Row::new(published, measured, cause)
    }

    /// Figures, tables and sections that can be asked for, each once.
    pub fn known(&self) -> Vec<&'static str> {
        let mut known = Vec::new();
        for figure in self.rows.iter().map(|row| row.figure).chain(self.figures.iter().copied()) {
            if !known.contains(&figure) {
                known.push(figure);
            }
        }
        known
    }

    fn place(&self, id: &str) -> usize {
        self.rows.iter().position(|row| row.id == id).unwrap_or(usize::MAX)
    }
}

/// A machine that was evaluated by its makers.
pub trait Evaluated: Machine {
    /// What they published.
    const PUBLICATION: Publication;
    /// What its device costs in hardware.
    const SYNTHESIS: Synthesis;

    /// Measures what is asked for, by figure, table or section; more does no harm.
    fn measure(nics: &(dyn Nics<Self> + Sync), asked: &dyn Fn(&str) -> bool) -> anyhow::Result<Findings>;
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Published numbers beside ours.
    pub rows: Vec<Row>,
    /// Curves.
    pub figures: Vec<Figure>,
    /// What curves look like.
    pub shapes: Vec<Shape>,
    /// What is set beside the publication.
    pub tables: Vec<Table>,
    /// Constants that were chosen by published measurements.
    pub fitted: Vec<Fitted>,
}

impl Findings {
    /// Adds what else was measured.
    pub fn add(&mut self, other: Findings) {
        self.rows.extend(other.rows);
        self.figures.extend(other.figures);
        self.shapes.extend(other.shapes);
        self.tables.extend(other.tables);
        self.fitted.extend(other.fitted);
    }

    /// Adds a shape.
    pub fn shape(&mut self, id: &'static str, holds: bool, says: &'static str) {
        self.shapes.push(Shape { id, holds, says });
    }
}

/// What a curve looks like.
#[derive(Clone, Debug, Serialize)]
pub struct Shape {
    /// Its name, or its figure.
    pub id: &'static str,
    /// Ours looks like this.
    pub holds: bool,
    /// What the published curve looks like.
    pub says: &'static str,
}

impl Shape {
    /// In words.
    pub fn verdict(&self) -> &'static str {
        if self.holds { "holds" } else { "DOES NOT HOLD" }
    }
}

/// A table of numbers that were not published like this.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// Its heading.
    pub title: &'static str,
    /// What it shows.
    pub text: &'static str,
    /// Heads of its columns.
    pub heads: Vec<&'static str>,
    /// Its lines.
    pub lines: Vec<Vec<String>>,
}

impl Table {
    /// In Markdown.
    pub fn markdown(&self) -> String {
        let mut table = format!("| {} |\n|{}\n", self.heads.join(" | "), "---|".repeat(self.heads.len()));
        for line in &self.lines {
            table += &format!("| {} |\n", line.join(" | "));
        }
        table
    }
}

/// A constant that was chosen by published measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Fitted {
    /// What it is.
    pub name: &'static str,
    /// Its value, where it is a time.
    pub ns: Option<f64>,
    /// Rows that chose it.
    pub to: Vec<&'static str>,
    /// Where it comes from otherwise.
    pub source: &'static str,
}

/// An evaluation, summed up.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// In the order of the publication.
    pub rows: Vec<Row>,
    /// What curves look like.
    pub shapes: Vec<Shape>,
    /// Curves.
    pub figures: Vec<Figure>,
    /// What is set beside the publication.
    pub tables: Vec<Table>,
    /// Of the predicted rows, without sign.
    pub median_error_percent: f64,
    /// Of the predicted rows, without sign.
    pub worst_error_percent: f64,
    /// The row that it belongs to.
    pub worst: &'static str,
    /// Constants that were chosen by published measurements.
    pub fitted: Vec<Fitted>,
}

impl Evaluation {
    /// Puts rows in the order of the publication, leaves out what nobody asked for, and sums up.
    pub fn new(publication: &Publication, findings: Findings, asked: impl Fn(&str) -> bool) -> Self {
        let Findings { mut rows, mut figures, mut shapes, tables, fitted } = findings;
        rows.retain(|row| asked(row.figure));
        rows.sort_by_key(|row| publication.place(row.id));
        figures.retain(|figure| asked(figure.id));
        shapes.sort_by_key(|shape| shape.id);
        let predicted = rows.iter().filter(|row| row.class == Class::Predicted);
        let mut errors: Vec<_> = predicted.map(|row| (row.error_percent.abs(), row.id)).collect();
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (worst_error_percent, worst) = errors.last().copied().unwrap_or_default();
        let median_error_percent = errors.get(errors.len() / 2).map_or(0.0, |error| error.0);
        Evaluation { rows, shapes, figures, tables, median_error_percent, worst_error_percent, worst, fitted }
    }

    /// The result in a sentence.
    pub fn summary(&self) -> String {
        let predicted = self.rows.iter().filter(|row| row.class == Class::Predicted).count();
        let rows = if predicted == 1 { "row" } else { "rows" };
        let errors = if predicted == 0 {
            String::new()
        } else {
            let (median, worst) = (self.median_error_percent, self.worst_error_percent);
            format!(": median error {median:.1} %, worst {worst:.1} % ({})", self.worst)
        };
        format!("{predicted} predicted {rows}{errors}; {} fitted constants", self.fitted.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: Publication = Publication {
        rows: &[
            Published::new("A", "1", Class::Predicted, 1.0, "us", "first"),
            Published::new("B", "2", Class::Predicted, 2.0, "us", "second"),
            Published::new("C", "2", Class::Exact, 3.0, "us", "third"),
        ],
        figures: &["2", "3"],
        causes: &[("B", "because")],
        begin: "",
        story: "",
        drawn: "",
        clusters: 0,
    };

    #[test]
    fn rows_stand_in_the_order_of_the_publication_and_the_worst_is_named() {
        let rows = [("C", 3.0), ("B", 2.5), ("A", 1.1)].map(|(id, value)| PUBLISHED.row(id, value)).into();
        let all = Evaluation::new(&PUBLISHED, Findings { rows, ..Findings::default() }, |_| true);
        assert_eq!(all.rows.iter().map(|row| row.id).collect::<String>(), "ABC");
        assert_eq!((all.worst, all.worst_error_percent), ("B", 25.0));
        assert_eq!(all.rows[1].cause, Some("because"));
        assert_eq!(
            all.summary(),
            "2 predicted rows: median error 25.0 %, worst 25.0 % (B); 0 fitted constants"
        );
    }

    #[test]
    fn what_nobody_asked_for_is_left_out() {
        let rows = vec![PUBLISHED.row("A", 1.0), PUBLISHED.row("C", 3.0)];
        let findings = Findings { rows, ..Findings::default() };
        let some = Evaluation::new(&PUBLISHED, findings, |figure| figure == "2");
        assert_eq!(some.rows.iter().map(|row| row.id).collect::<String>(), "C");
        assert_eq!(PUBLISHED.known(), ["1", "2", "3"]);
    }
}
