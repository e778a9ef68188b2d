//! Published numbers compared with our measurements.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Class of a measurement by its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Cycles of a state machine, or a size; any error is a defect.
    Exact,
    /// A constant, or a choice of program, was fitted to the number, or the number is the constant; it does
    /// not count as reproduced.
    Fitted,
    /// Results from machines and costs that were settled with the published value known. A match shows
    /// consistency, not prediction.
    InSight,
    /// Program, constants and definition were committed before the first measurement and have not changed
    /// since.
    Predicted,
    /// Computed from other published numbers.
    Computed,
    /// Taken from the publication: an input.
    Cited,
    /// On another computer than the published one: not comparable.
    Extrapolated,
}

impl Class {
    /// Name as printed.
    pub fn name(self) -> &'static str {
        match self {
            Class::Exact => "exact",
            Class::Fitted => "fitted",
            Class::InSight => "in sight",
            Class::Predicted => "predicted",
            Class::Computed => "computed",
            Class::Cited => "cited",
            Class::Extrapolated => "extrapolated",
        }
    }
}

/// A published number.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Name of the row, such as `B-07`.
    pub id: &'static str,
    /// Measured quantity.
    pub description: &'static str,
    /// Value in `unit`.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
    /// Figure, table or section of the publication.
    pub figure: &'static str,
    /// Class of our measurement.
    pub class: Class,
    /// Row with the same content, which makes this one redundant.
    pub repeats: Option<&'static str>,
}

/// A row of a table of published numbers.
pub const fn row(
    id: &'static str,
    figure: &'static str,
    class: Class,
    value: f64,
    unit: &'static str,
    description: &'static str,
) -> Published {
    Published { id, description, value, unit, figure, class, repeats: None }
}

impl Published {
    /// The same as a redundant row that repeats another one.
    pub const fn repeating(self, id: &'static str) -> Self {
        Published { repeats: Some(id), ..self }
    }
}

/// Error in percent above which a cause must be stated.
pub const NEEDS_CAUSE: f64 = 15.0;

/// Range of our value under all conditions that the text allows.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Band {
    /// Smallest value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
}

/// Result of comparing a band with the published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The band is narrow and contains the published number.
    Matched,
    /// The band does not contain the published number.
    Missed,
    /// The band contains the published number, but is too wide to be conclusive.
    TooWide,
}

impl Verdict {
    /// Name as printed.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Matched => "matched",
            Verdict::Missed => "missed",
            Verdict::TooWide => "too wide",
        }
    }
}

/// Largest width of a narrow band, in percent of the published number.
pub const NARROW: f64 = 10.0;

impl Band {
    /// Band of several measurements.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let start = Band { least: f64::INFINITY, most: f64::NEG_INFINITY };
        values
            .into_iter()
            .fold(start, |band, value| Band { least: band.least.min(value), most: band.most.max(value) })
    }

    /// Verdict on a published number.
    pub fn verdict(&self, published: f64) -> Verdict {
        // Published numbers are printed with three digits.
        let digit = 0.000_5 * published.abs();
        if published < self.least - digit || published > self.most + digit {
            Verdict::Missed
        } else if 100.0 * (self.most - self.least) >= NARROW * published.abs() {
            Verdict::TooWide
        } else {
            Verdict::Matched
        }
    }
}

/// A published number compared with our measurement.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Row {
    /// Name of the row, such as `B-07`.
    pub id: &'static str,
    /// Measured quantity.
    pub description: &'static str,
    /// Published value.
    pub published: f64,
    /// Our value.
    pub measured: f64,
    /// Unit of both values.
    pub unit: &'static str,
    /// Deviation of our value from the published one.
    pub error_percent: f64,
    /// Class of our measurement.
    pub class: Class,
    /// Figure, table or section of the publication.
    pub figure: &'static str,
    /// Row with the same content, if there is one.
    pub repeats: Option<&'static str>,
    /// Range of our value under all conditions that the text allows, if it was requested.
    pub band: Option<Band>,
    /// Verdict of the band.
    pub verdict: Option<Verdict>,
    /// Cause of a large error.
    pub cause: Option<&'static str>,
}

impl Row {
    /// Row of our measurement in the unit of the published number; the cause is kept only if the error is
    /// large.
    pub fn new(published: &Published, measured: f64, cause: Option<&'static str>) -> Self {
        let &Published { id, description, value, unit, figure, class, repeats } = published;
        let error_percent = 100.0 * (measured - value) / value;
        let cause = cause.filter(|_| error_percent.abs() > NEEDS_CAUSE);
        Row {
            id,
            description,
            published: value,
            measured,
            unit,
            error_percent,
            class,
            figure,
            repeats,
            band: None,
            verdict: None,
            cause,
        }
    }

    /// Adds the range under all conditions.
    pub fn set_band(&mut self, band: Band) {
        (self.band, self.verdict) = (Some(band), Some(band.verdict(self.published)));
    }

    /// Whether the row is correct: an exact row must not have an error.
    pub fn holds(&self) -> bool {
        self.class != Class::Exact || self.error_percent.abs() < 1e-6
    }
}

/// Rows as a Markdown table, with bands if there are any.
pub fn table(rows: &[Row]) -> String {
    let bands = rows.iter().any(|row| row.band.is_some());
    let more = if bands { [" Least | Most | Band says |", "---|---|---|"] } else { ["", ""] };
    let heads = format!(
        "| Id | What | Where | Published | Ours | Unit | Error | Class |{}\n|---|---|---|---|---|---|---|---|{}\n",
        more[0], more[1]
    );
    let line = |row: &Row| {
        let Row { id, description, figure, published, measured, unit, error_percent, .. } = row;
        let class = row.class_and_repeats();
        let band = match (bands, row.band, row.verdict) {
            (true, Some(Band { least, most }), Some(verdict)) => {
                format!(" {least:.3} | {most:.3} | {} |", verdict.name())
            }
            (true, ..) => " | | |".to_string(),
            (false, ..) => String::new(),
        };
        format!(
            "| {id} | {description} | {figure} | {published:.3} | {measured:.3} | {unit} | {error_percent:+.1} % | {class} |{band}\n"
        )
    };
    heads + &rows.iter().map(line).collect::<String>()
}

/// Heading of printed rows.
pub fn heads(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "  {:6}{:13}{:56}{:>10}{:>10} {:8}{:>8}  class",
        "id", "where", "what", "published", "ours", "unit", "error"
    )
}

impl Row {
    fn class_and_repeats(&self) -> String {
        let class = self.class.name();
        self.repeats.map_or(class.to_string(), |other| format!("{class}, repeats {other}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { id, figure, description, published, measured, unit, error_percent, .. } = self;
        let class = self.class_and_repeats();
        write!(
            f,
            "  {id:6}{figure:13}{description:56}{published:10.3}{measured:10.3} {unit:8}{error_percent:+7.1}%  {class}"
        )?;
        if let (Some(Band { least, most }), Some(verdict)) = (self.band, self.verdict) {
            write!(f, "; {least:.3} to {most:.3}: {}", verdict.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: Published = row("B-07", "section 6.2", Class::Exact, 0.1, "us", "core");

    #[test]
    fn error_is_in_percent_of_what_was_published() {
        let row = Row::new(&CORE, 0.110, None);
        assert_eq!((row.published, row.class, row.unit), (0.100, Class::Exact, "us"));
        assert!((row.error_percent - 10.0).abs() < 1e-9 && !row.holds());
        assert!(Row::new(&CORE, 0.100, None).holds());
    }

    #[test]
    fn cause_is_given_where_a_row_is_far_off() {
        assert_eq!(Row::new(&CORE, 0.110, Some("why")).cause, None);
        assert_eq!(Row::new(&CORE, 0.120, Some("why")).cause, Some("why"));
    }

    #[test]
    fn band_matches_if_it_holds_the_number_and_is_narrow() {
        let verdict = |least, most| Band::of([most, least]).verdict(100.0);
        assert_eq!(verdict(97.0, 103.0), Verdict::Matched);
        assert_eq!(verdict(94.0, 104.0), Verdict::TooWide);
        assert_eq!(verdict(101.0, 103.0), Verdict::Missed);
        assert_eq!(verdict(100.04, 103.0), Verdict::Matched, "a published number has three digits");
    }
}
