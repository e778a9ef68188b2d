//! Reproduction of a published evaluation.

use cluster::Machine;
use cluster::host::{Computer, HostCosts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::conditions::{Choice, Conditions, Request};
use crate::published::{Class, Published, Row, Verdict};
use crate::{Figure, Nics, PublishedShape, Series, Shape};

/// Rows and texts of a publication.
#[derive(Clone, Copy, Debug)]
pub struct Publication {
    /// Every compared number once, in the order of the publication.
    pub rows: &'static [Published],
    /// Figures to draw, in addition to those of rows.
    pub figures: &'static [&'static str],
    /// Causes of large errors, by row.
    pub causes: &'static [(&'static str, &'static str)],
    /// Named sets of rows to which costs can be fitted.
    pub calibrations: &'static [(&'static str, &'static [&'static str])],
    /// Errors at earlier commits.
    pub history: &'static [Past],
    /// First paragraph of the page in Markdown: what is compared.
    pub begin: &'static str,
    /// Discussion of matches and differences.
    pub story: &'static str,
    /// Introduction of the figures on the page.
    pub drawn: &'static str,
    /// Clusters needed for all measurements, to estimate the duration.
    pub clusters: u64,
}

impl Publication {
    /// A row with our measurement of a published number, in its unit.
    ///
    /// # Panics
    /// If no number is published under `id`.
    pub fn row(&self, id: &str, measured: f64) -> Row {
        let published = self.rows.iter().find(|row| row.id == id);
        let published = published.unwrap_or_else(|| panic!("nothing is published under {id}"));
        let cause = self.causes.iter().find(|(row, _)| *row == id).map(|(_, cause)| *cause);
        Row::new(published, measured, cause)
    }

    /// Rows selected on a command line: names of rows, `FIRST..LAST`, figures or sets, separated by commas.
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

    /// Figures, tables and sections that can be selected, each once.
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

/// Errors of rows at an earlier commit, by the counting of that time.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Past {
    /// Abbreviated hash of the commit.
    pub commit: &'static str,
    /// Change made by the commit.
    pub did: &'static str,
    /// Number of rows classified as predicted.
    pub rows: usize,
    /// Median error of these rows, in percent.
    pub median: f64,
    /// Largest error of these rows, in percent.
    pub worst: f64,
}

/// A machine with a published evaluation.
pub trait Evaluated: Machine {
    /// Costs of its hosts' accesses.
    type Costs: HostCosts;

    /// Published evaluation.
    const PUBLICATION: Publication;
    /// Computer of the published measurements.
    const COMPUTER: Computer;
    /// Choices that the publication leaves open.
    const CHOICES: &'static [Choice];

    /// Replaces the costs of the hosts' accesses.
    fn set_costs(settings: &mut Self::Settings, costs: Self::Costs);

    /// Performs at least the selected measurements.
    fn measure(
        nics: &(dyn Nics<Self> + Sync),
        conditions: &Conditions<Self::Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings>;

    /// Parameters fitted to published measurements, other than costs and choices.
    fn fitted() -> Vec<Fitted>;
}

/// All parameters fitted to published measurements: costs, choices and others of the machine.
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

/// Results of measurements.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Published numbers compared with our measurements.
    pub rows: Vec<Row>,
    /// Measured curves.
    pub figures: Vec<Figure>,
    /// Checked shapes of curves.
    pub shapes: Vec<Shape>,
    /// Additional tables.
    pub tables: Vec<Table>,
}

impl Findings {
    /// Adds further results.
    pub fn add(&mut self, other: Findings) {
        self.rows.extend(other.rows);
        self.figures.extend(other.figures);
        self.shapes.extend(other.shapes);
        self.tables.extend(other.tables);
    }

    /// Adds the check of a shape. A shape of several figures holds if the curves of each figure have it.
    pub fn shape(&mut self, shape: &PublishedShape, curves: &[&Series]) {
        let judged = shape.judge(curves);
        let same = |other: &&mut Shape| (other.id, other.says) == (judged.id, judged.says);
        match self.shapes.iter_mut().find(same) {
            Some(before) => before.holds &= judged.holds,
            None => self.shapes.push(judged),
        }
    }
}

/// An additional table of numbers that were not published in this form.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Table {
    /// Heading of the table.
    pub title: &'static str,
    /// Description of the contents.
    pub text: &'static str,
    /// Headings of the columns.
    pub heads: Vec<&'static str>,
    /// Cells by line.
    pub lines: Vec<Vec<String>>,
}

impl Table {
    /// Table in Markdown.
    pub fn markdown(&self) -> String {
        let mut table = format!("| {} |\n|{}\n", self.heads.join(" | "), "---|".repeat(self.heads.len()));
        for line in &self.lines {
            table += &format!("| {} |\n", line.join(" | "));
        }
        table
    }
}

/// Kind of a fitted parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FittedKind {
    /// A numeric constant.
    Constant,
    /// A choice of the behaviour of a program or machine.
    Choice,
}

/// A parameter fitted to published measurements.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Fitted {
    /// Number or choice.
    pub kind: FittedKind,
    /// Name of the parameter.
    pub name: &'static str,
    /// Its value, if it is a time.
    pub duration_ps: Option<u64>,
    /// Rows to which it was fitted.
    pub to: Vec<&'static str>,
    /// Source of its value without the fit.
    pub source: &'static str,
}

/// Absolute errors of the rows of a class, in percent, without rows that repeat another one.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Errors {
    /// Number of rows.
    pub rows: usize,
    /// Median error; `null` for too few predicted rows.
    pub median: Option<f64>,
    /// Largest error.
    pub worst: f64,
    /// Row with the largest error.
    pub worst_row: &'static str,
}

/// Fewest predicted rows for which a median is reported.
pub const LEAST_PREDICTED: usize = 12;

impl Errors {
    /// Errors of the rows of a class; `None` without rows.
    pub fn of(rows: &[Row], class: Class) -> Option<Self> {
        Self::of_classes(rows, &[class])
    }

    /// Errors of the rows of several classes; `None` without rows.
    fn of_classes(rows: &[Row], classes: &[Class]) -> Option<Self> {
        let rows = rows.iter().filter(|row| classes.contains(&row.class) && row.repeats.is_none());
        let mut errors: Vec<_> = rows.map(|row| (row.error_percent.abs(), row.id)).collect();
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let &(worst, worst_row) = errors.last()?;
        let tells = classes != [Class::Predicted] || errors.len() >= LEAST_PREDICTED;
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

/// Number with a noun: `1 row`, `2 rows`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Numbers of rows by the verdicts of their bands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Verdicts {
    /// Rows whose narrow band contains the published number.
    pub matched: usize,
    /// Rows whose band does not contain it.
    pub missed: usize,
    /// Rows whose band is too wide to be conclusive.
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

/// Summary of an evaluation.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Evaluation {
    /// Rows in the order of the publication.
    pub rows: Vec<Row>,
    /// Checked shapes of curves.
    pub shapes: Vec<Shape>,
    /// Measured curves.
    pub figures: Vec<Figure>,
    /// Additional tables.
    pub tables: Vec<Table>,
    /// Errors of predicted rows.
    pub predicted: Option<Errors>,
    /// Errors of rows whose published value was known when machine and costs were settled.
    pub in_sight: Option<Errors>,
    /// Verdicts of bands, if they were measured.
    pub verdicts: Option<Verdicts>,
    /// Parameters fitted to published measurements.
    pub fitted: Vec<Fitted>,
    /// Errors at earlier commits.
    pub history: &'static [Past],
}

impl Evaluation {
    /// Sorts rows in the order of the publication, removes those that were not selected, and summarizes.
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

    /// Summary as lines of a quantity and its value: fitted parameters first, then rows that no fit saw, then the
    /// rest.
    pub fn overview(&self) -> Vec<[String; 2]> {
        let errors = |classes: &[Class]| match Errors::of_classes(&self.rows, classes) {
            None => "none".to_string(),
            Some(Errors { rows, median, worst, worst_row }) => {
                let median = median.map_or(String::new(), |median| format!(", median error {median:.1} %"));
                format!("{rows}{median}, worst {worst:.1} % ({worst_row})")
            }
        };
        let holding = self.shapes.iter().filter(|shape| shape.holds).count();
        [
            ("fitted degrees of freedom", self.fitted.len().to_string()),
            ("rows that no fit saw", errors(&[Class::InSight, Class::Predicted])),
            ("rows that a fit or a choice saw", errors(&[Class::Fitted])),
            ("exact rows", errors(&[Class::Exact])),
            ("shapes of curves that hold", format!("{holding} of {}", self.shapes.len())),
        ]
        .map(|(quantity, value)| [quantity.to_string(), value])
        .into()
    }

    /// Summary in one sentence.
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
    fn rows_are_in_the_order_of_the_publication_with_the_worst() {
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
    fn rows_are_selected_by_name_range_figure_or_set() {
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
    fn few_predicted_rows_have_no_median() {
        let few = evaluated(vec![PUBLISHED.row("E", 5.5)], |_| true);
        assert_eq!(few.predicted.and_then(|errors| errors.median), None);
        assert!(few.summary().starts_with("1 predicted row, too few for a median: worst 10.0 % (E)"));
        let many = vec![PUBLISHED.row("E", 5.5); LEAST_PREDICTED];
        let median = evaluated(many, |_| true).predicted.and_then(|errors| errors.median);
        assert!((median.unwrap() - 10.0).abs() < 1e-9);
    }

    #[test]
    fn overview_begins_with_fits_and_the_rows_that_they_did_not_see() {
        let mut rows = vec![PUBLISHED.row("A", 1.1), PUBLISHED.row("B", 2.6), PUBLISHED.row("C", 3.0)];
        rows[0].class = Class::Fitted;
        rows.push(PUBLISHED.row("D", 40.0));
        rows.push(PUBLISHED.row("E", 5.5));
        let lines = evaluated(rows, |_| true).overview();
        let values: Vec<_> = lines.iter().map(|[_, value]| value.as_str()).collect();
        assert_eq!(lines[1][0], "rows that no fit saw");
        assert_eq!(values[0], "0");
        assert_eq!(values[1], "2, median error 30.0 %, worst 30.0 % (B)", "D repeats B");
        assert_eq!(values[2], "1, median error 10.0 %, worst 10.0 % (A)");
        assert_eq!(values[3..], ["1, median error 0.0 %, worst 0.0 % (C)", "0 of 0"]);
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
    fn unselected_rows_are_left_out() {
        let rows = vec![PUBLISHED.row("A", 1.0), PUBLISHED.row("C", 3.0)];
        let some = evaluated(rows, |figure| figure == "2");
        assert_eq!(some.rows.iter().map(|row| row.id).collect::<String>(), "C");
        assert_eq!(PUBLISHED.known(), ["1", "2", "3"]);
    }
}
