//! A published evaluation, measured again.

use cluster::Machine;
use cluster::host::{Computer, HostCosts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::conditions::{Choice, Conditions, Request};
use crate::published::{Class, Published, Row, Verdict};
use crate::{Figure, Nics};

/// What was published, and what is said of it.
#[derive(Clone, Copy, Debug)]
pub struct Publication {
    /// Every number that is compared anywhere, once, in the order of the publication.
    pub rows: &'static [Published],
    /// Figures that are drawn, beside those that rows belong to.
    pub figures: &'static [&'static str],
    /// Why rows are far off.
    pub causes: &'static [(&'static str, &'static str)],
    /// Sets of rows that costs can be fitted to, by name.
    pub calibrations: &'static [(&'static str, &'static [&'static str])],
    /// How far off rows were when they were measured first, and since.
    pub history: &'static [Past],
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

    /// Rows by what they are called on a command line: names of rows, `FIRST..LAST`, of figures, or of a set, with commas between.
    pub fn called(&self, text: &str) -> Result<Vec<&'static str>, String> {
        let mut ids: Vec<&'static str> = Vec::new();
        for word in text.split(',').map(str::trim) {
            let found: Vec<_> = if let Some((_, set)) =
                self.calibrations.iter().find(|(name, _)| *name == word)
            {
                set.to_vec()
            } else if let Some((first, last)) = word.split_once("..") {
                let (first, last) = (self.place(first), self.place(last));
                let range = self.rows.iter().enumerate().filter(|(place, _)| (first..=last).contains(place));
                if last == usize::MAX { Vec::new() } else { range.map(|(_, row)| row.id).collect() }
            } else {
                self.rows
                    .iter()
                    .filter(|row| row.id == word || row.figure == word)
                    .map(|row| row.id)
                    .collect()
            };
            if found.is_empty() {
                let sets: Vec<_> = self.calibrations.iter().map(|(name, _)| format!("`{name}`")).collect();
                return Err(format!(
                    "no row, figure or set is called `{word}`; sets are {}",
                    sets.join(", ")
                ));
            }
            ids.extend(found.into_iter().filter(|id| !ids.contains(id)).collect::<Vec<_>>());
        }
        Ok(ids)
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

/// How far off rows were at a commit, counted as it was then.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Past {
    /// The commit.
    pub commit: &'static str,
    /// What it did.
    pub did: &'static str,
    /// Rows that were called predicted.
    pub rows: usize,
    /// Their median error, in percent.
    pub median: f64,
    /// The worst one, in percent.
    pub worst: f64,
}

/// A machine that was evaluated by its makers.
pub trait Evaluated: Machine {
    /// What accesses cost its hosts.
    type Costs: HostCosts;

    /// What they published.
    const PUBLICATION: Publication;
    /// The computer that they measured on.
    const COMPUTER: Computer;
    /// What they leave open.
    const CHOICES: &'static [Choice];

    /// Measures what is asked for; more does no harm.
    fn measure(
        nics: &(dyn Nics<Self> + Sync),
        conditions: &Conditions<Self::Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings>;

    /// What else was chosen by published measurements, beside costs and choices.
    fn fitted() -> Vec<Fitted>;
}

/// All that was chosen by published measurements: costs, choices, and what the machine has else.
pub fn fitted<M: Evaluated>() -> Vec<Fitted> {
    let costs = M::Costs::TABLE.iter().filter(|cost| !cost.fitted_to.is_empty()).map(|cost| Fitted {
        kind: FittedKind::Constant,
        name: cost.name,
        duration_ps: Some(cost.duration.ps()),
        to: cost.fitted_to.to_vec(),
        source: cost.source,
    });
    let choices = M::CHOICES.iter().filter(|choice| !choice.chosen_by.is_empty()).map(|choice| Fitted {
        kind: FittedKind::Choice,
        name: choice.ours,
        duration_ps: None,
        to: choice.chosen_by.to_vec(),
        source: choice.text,
    });
    costs.chain(M::fitted()).chain(choices).collect()
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
}

impl Findings {
    /// Adds what else was measured.
    pub fn add(&mut self, other: Findings) {
        self.rows.extend(other.rows);
        self.figures.extend(other.figures);
        self.shapes.extend(other.shapes);
        self.tables.extend(other.tables);
    }

    /// Adds a shape.
    pub fn shape(&mut self, id: &'static str, holds: bool, says: &'static str) {
        self.shapes.push(Shape { id, holds, says });
    }
}

/// What a curve looks like.
#[derive(Clone, Debug, JsonSchema, Serialize)]
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
#[derive(Clone, Debug, JsonSchema, Serialize)]
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

/// What kind of thing was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FittedKind {
    /// A number.
    Constant,
    /// What a program does, or a machine.
    Choice,
}

/// A degree of freedom that published measurements took.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Fitted {
    /// What kind of thing it is.
    pub kind: FittedKind,
    /// What it is.
    pub name: &'static str,
    /// Its value, where it is a time.
    pub duration_ps: Option<u64>,
    /// Rows that chose it.
    pub to: Vec<&'static str>,
    /// Where it comes from otherwise.
    pub source: &'static str,
}

/// Errors of the rows of a class, without sign, in percent; a row that repeats another one does not count.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Errors {
    /// How many rows.
    pub rows: usize,
    /// Half of them are no further off. None of too few predicted rows.
    pub median: Option<f64>,
    /// The furthest.
    pub worst: f64,
    /// The row that it belongs to.
    pub worst_row: &'static str,
}

/// Of fewer predicted rows no median is told.
pub const LEAST_PREDICTED: usize = 12;

impl Errors {
    /// Of the rows of a class; none if there are none.
    pub fn of(rows: &[Row], class: Class) -> Option<Self> {
        let rows = rows.iter().filter(|row| row.class == class && row.repeats.is_none());
        let mut errors: Vec<_> = rows.map(|row| (row.error_percent.abs(), row.id)).collect();
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let &(worst, worst_row) = errors.last()?;
        let tells = class != Class::Predicted || errors.len() >= LEAST_PREDICTED;
        let median = tells.then(|| errors[errors.len() / 2].0);
        Some(Errors { rows: errors.len(), median, worst, worst_row })
    }

    fn says(this: Option<Self>, class: Class) -> String {
        let Some(Errors { rows, median, worst, worst_row }) = this else {
            return format!("no {} rows", class.name());
        };
        let rows = counted(rows, &format!("{} row", class.name()));
        let median = median
            .map_or(", too few for a median:".into(), |median| format!(": median error {median:.1} %,"));
        format!("{rows}{median} worst {worst:.1} % ({worst_row})")
    }
}

/// So many of something: `1 row`, `2 rows`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What bands say, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Verdicts {
    /// Rows whose narrow band holds the published number.
    pub matched: usize,
    /// Rows whose band does not hold it.
    pub missed: usize,
    /// Rows whose band is too wide to say anything.
    pub too_wide: usize,
}

impl Verdicts {
    fn of(rows: &[Row]) -> Option<Self> {
        let mut counts = Verdicts::default();
        for row in rows.iter().filter(|row| row.repeats.is_none()) {
            match row.verdict {
                Some(Verdict::Matched) => counts.matched += 1,
                Some(Verdict::Missed) => counts.missed += 1,
                Some(Verdict::TooWide) => counts.too_wide += 1,
                None => {}
            }
        }
        (counts != Verdicts::default()).then_some(counts)
    }
}

/// An evaluation, summed up.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Evaluation {
    /// In the order of the publication.
    pub rows: Vec<Row>,
    /// What curves look like.
    pub shapes: Vec<Shape>,
    /// Curves.
    pub figures: Vec<Figure>,
    /// What is set beside the publication.
    pub tables: Vec<Table>,
    /// How far off predicted rows are.
    pub predicted: Option<Errors>,
    /// How far off rows are that were before our eyes.
    pub in_sight: Option<Errors>,
    /// What bands say, if they were measured.
    pub verdicts: Option<Verdicts>,
    /// Degrees of freedom that published measurements took.
    pub fitted: Vec<Fitted>,
    /// How far off rows were before.
    pub history: &'static [Past],
}

impl Evaluation {
    /// Puts rows in the order of the publication, leaves out what nobody asked for, and sums up.
    pub fn new(
        publication: &Publication,
        fitted: Vec<Fitted>,
        findings: Findings,
        asked: impl Fn(&str) -> bool,
    ) -> Self {
        let Findings { mut rows, mut figures, mut shapes, tables } = findings;
        rows.retain(|row| asked(row.figure));
        rows.sort_by_key(|row| publication.place(row.id));
        figures.retain(|figure| asked(figure.id));
        shapes.sort_by_key(|shape| shape.id);
        Evaluation {
            predicted: Errors::of(&rows, Class::Predicted),
            in_sight: Errors::of(&rows, Class::InSight),
            verdicts: Verdicts::of(&rows),
            rows,
            shapes,
            figures,
            tables,
            fitted,
            history: publication.history,
        }
    }

    /// The result in a sentence.
    pub fn summary(&self) -> String {
        let predicted = Errors::says(self.predicted, Class::Predicted);
        let in_sight = Errors::says(self.in_sight, Class::InSight);
        let fitted = self.fitted.len();
        let bands = self.verdicts.map_or(String::new(), |Verdicts { matched, missed, too_wide }| {
            format!(
                "; bands: {} matched, {missed} missed, {too_wide} too wide to say",
                counted(matched, "row")
            )
        });
        format!("{predicted}; {in_sight}; {fitted} fitted degrees of freedom{bands}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Band;

    const PUBLISHED: Publication = Publication {
        rows: &[
            crate::published::row("A", "1", Class::InSight, 1.0, "us", "first"),
            crate::published::row("B", "2", Class::InSight, 2.0, "us", "second"),
            crate::published::row("C", "2", Class::Exact, 3.0, "us", "third"),
            crate::published::row("D", "2", Class::InSight, 4.0, "us", "as the second").repeating("B"),
            crate::published::row("E", "2", Class::Predicted, 5.0, "us", "fifth"),
        ],
        figures: &["2", "3"],
        causes: &[("B", "because")],
        calibrations: &[("both", &["A", "C"])],
        history: &[],
        begin: "",
        story: "",
        drawn: "",
        clusters: 0,
    };

    fn evaluated(rows: Vec<Row>, asked: impl Fn(&str) -> bool) -> Evaluation {
        Evaluation::new(&PUBLISHED, Vec::new(), Findings { rows, ..Findings::default() }, asked)
    }

    #[test]
    fn rows_stand_in_the_order_of_the_publication_and_the_worst_is_named() {
        let rows = [("C", 3.0), ("D", 8.0), ("B", 2.5), ("A", 1.1)];
        let all = evaluated(rows.map(|(id, value)| PUBLISHED.row(id, value)).into(), |_| true);
        assert_eq!(all.rows.iter().map(|row| row.id).collect::<String>(), "ABCD");
        assert_eq!(all.rows[1].cause, Some("because"));
        assert_eq!(
            all.summary(),
            "no predicted rows; 2 in sight rows: median error 25.0 %, worst 25.0 % (B); 0 fitted degrees of freedom"
        );
    }

    #[test]
    fn rows_are_called_by_name_range_figure_or_set() {
        assert_eq!(PUBLISHED.called("A, C").unwrap(), ["A", "C"]);
        assert_eq!(PUBLISHED.called("B..D,both").unwrap(), ["B", "C", "D", "A"]);
        assert_eq!(PUBLISHED.called("1").unwrap(), ["A"]);
        assert!(PUBLISHED.called("A,Z").unwrap_err().contains("`Z`; sets are `both`"));
        assert!(
            PUBLISHED.called("A..Z").is_err()
                && PUBLISHED.called("D..A").is_err()
                && PUBLISHED.called("").is_err()
        );
    }

    #[test]
    fn of_few_predicted_rows_no_median_is_told() {
        let few = evaluated(vec![PUBLISHED.row("E", 5.5)], |_| true);
        assert_eq!(few.predicted.and_then(|errors| errors.median), None);
        assert!(few.summary().starts_with("1 predicted row, too few for a median: worst 10.0 % (E)"));
        let many = vec![PUBLISHED.row("E", 5.5); LEAST_PREDICTED];
        let median = evaluated(many, |_| true).predicted.and_then(|errors| errors.median);
        assert!((median.unwrap() - 10.0).abs() < 1e-9);
    }

    #[test]
    fn verdicts_of_bands_are_counted() {
        let band = |id, least, most| {
            let mut row = PUBLISHED.row(id, least);
            row.set_band(Band { least, most });
            row
        };
        let rows =
            vec![band("A", 0.99, 1.02), band("B", 2.1, 2.2), band("E", 4.0, 6.0), PUBLISHED.row("C", 3.0)];
        let counts = Verdicts { matched: 1, missed: 1, too_wide: 1 };
        assert_eq!(evaluated(rows, |_| true).verdicts, Some(counts));
    }

    #[test]
    fn what_nobody_asked_for_is_left_out() {
        let rows = vec![PUBLISHED.row("A", 1.0), PUBLISHED.row("C", 3.0)];
        let some = evaluated(rows, |figure| figure == "2");
        assert_eq!(some.rows.iter().map(|row| row.id).collect::<String>(), "C");
        assert_eq!(PUBLISHED.known(), ["1", "2", "3"]);
    }
}
