//! A published number beside ours.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// How our number comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Cycles of a state machine, or a size; any error is a fault.
    Exact,
    /// A constant, or a choice of program, was made so that it comes out, or it is the constant itself; it does not count as
    /// reproduced.
    Fitted,
    /// Out of machines and costs that were settled while the published number was before our eyes. That it comes out shows that they
    /// agree, not that they foretell.
    InSight,
    /// Its program, its constants and its definition were committed before it was measured first, and have not changed since.
    Predicted,
    /// Arithmetic with other published numbers.
    Computed,
    /// Taken over from the publication as it is: an input.
    Cited,
    /// On another computer than the published one: nothing to compare with.
    Extrapolated,
}

impl Class {
    /// As it is printed.
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
    /// Name by which it is called here.
    pub id: &'static str,
    /// What was measured.
    pub description: &'static str,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Figure, table or section of the publication.
    pub figure: &'static str,
    /// How ours comes about.
    pub class: Class,
    /// The row that says the same: this one tells nothing new.
    pub repeats: Option<&'static str>,
}

/// A row of a table.
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
    /// The same, as a row that says what another one says.
    pub const fn repeating(self, id: &'static str) -> Self {
        Published { repeats: Some(id), ..self }
    }
}

/// Errors beyond this, in percent, need a cause.
pub const NEEDS_CAUSE: f64 = 15.0;

/// What ours is under all conditions that the text allows.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Band {
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

/// What a band says of a published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The band holds the published number, and is narrow.
    Matched,
    /// The published number lies outside of it.
    Missed,
    /// The band is so wide that holding the number says little.
    TooWide,
}

impl Verdict {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Matched => "matched",
            Verdict::Missed => "missed",
            Verdict::TooWide => "too wide",
        }
    }
}

/// A band is narrow up to this width, in percent of the published number.
pub const NARROW: f64 = 10.0;

impl Band {
    /// The band of measurements.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let start = Band { least: f64::INFINITY, most: f64::NEG_INFINITY };
        values
            .into_iter()
            .fold(start, |band, value| Band { least: band.least.min(value), most: band.most.max(value) })
    }

    /// What it says of a published number.
    pub fn verdict(&self, published: f64) -> Verdict {
        // What is printed has three digits, and no more is known of it.
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

/// A published number beside ours.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Row {
    /// Name by which it is called here.
    pub id: &'static str,
    /// What was measured.
    pub description: &'static str,
    /// The number.
    pub published: f64,
    /// Ours.
    pub measured: f64,
    /// The unit of both.
    pub unit: &'static str,
    /// Of what was published.
    pub error_percent: f64,
    /// How ours comes about.
    pub class: Class,
    /// Figure, table or section of the publication.
    pub figure: &'static str,
    /// The row that says the same, if there is one.
    pub repeats: Option<&'static str>,
    /// What ours is under all conditions that the text allows, if that was asked for.
    pub band: Option<Band>,
    /// What the band says.
    pub verdict: Option<Verdict>,
    /// Why it is far off, if it is.
    pub cause: Option<&'static str>,
}

impl Row {
    /// What we measured for a published number, in its unit; a cause is given where ours is far off.
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

    /// Adds what it is under other conditions.
    pub fn set_band(&mut self, band: Band) {
        (self.band, self.verdict) = (Some(band), Some(band.verdict(self.published)));
    }

    /// Whether it is as it has to be: an exact row has no error.
    pub fn holds(&self) -> bool {
        self.class != Class::Exact || self.error_percent.abs() < 1e-6
    }
}

/// Rows as a table in Markdown; with bands, if they have any.
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

/// The line above rows.
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
