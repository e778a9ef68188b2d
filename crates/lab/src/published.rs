//! A published number beside ours.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// How our number comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Cycles of a state machine, or a size; any error is a fault.
    Exact,
    /// Out of the state machines and the physical constants.
    Predicted,
    /// A constant was chosen so that it comes out, or is the number itself; it does not count as reproduced.
    Fitted,
    /// Arithmetic with other published numbers.
    Computed,
}

impl Class {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Class::Exact => "exact",
            Class::Predicted => "predicted",
            Class::Fitted => "fitted",
            Class::Computed => "computed",
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
}

impl Published {
    /// A row of a table.
    pub const fn new(
        id: &'static str,
        figure: &'static str,
        class: Class,
        value: f64,
        unit: &'static str,
        description: &'static str,
    ) -> Self {
        Published { id, description, value, unit, figure, class }
    }
}

/// Errors beyond this, in percent, need a cause.
pub const NEEDS_CAUSE: f64 = 15.0;

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
    /// Why it is far off, if it is.
    pub cause: Option<&'static str>,
}

impl Row {
    /// What we measured for a published number, in its unit; a cause is given where ours is far off.
    pub fn new(published: &Published, measured: f64, cause: Option<&'static str>) -> Self {
        let &Published { id, description, value, unit, figure, class } = published;
        let error_percent = 100.0 * (measured - value) / value;
        let cause = cause.filter(|_| error_percent.abs() > NEEDS_CAUSE);
        Row { id, description, published: value, measured, unit, error_percent, class, figure, cause }
    }

    /// Whether it is as it has to be: an exact row has no error.
    pub fn holds(&self) -> bool {
        self.class != Class::Exact || self.error_percent.abs() < 1e-6
    }
}

/// Rows as a table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let heads = "| Id | What | Where | Published | Ours | Unit | Error | Class |\n|---|---|---|---|---|---|---|---|\n";
    let line = |row: &Row| {
        let Row { id, description, figure, published, measured, unit, error_percent, class, .. } = row;
        let class = class.name();
        format!(
            "| {id} | {description} | {figure} | {published:.3} | {measured:.3} | {unit} | {error_percent:+.1} % | {class} |\n"
        )
    };
    heads.to_string() + &rows.iter().map(line).collect::<String>()
}

/// The line above rows.
pub fn heads(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "  {:6}{:13}{:56}{:>10}{:>10} {:8}{:>8}  class",
        "id", "where", "what", "published", "ours", "unit", "error"
    )
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { id, figure, description, published, measured, unit, error_percent, class, .. } = self;
        let class = class.name();
        write!(
            f,
            "  {id:6}{figure:13}{description:56}{published:10.3}{measured:10.3} {unit:8}{error_percent:+7.1}%  {class}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: Published = Published::new("B-07", "section 6.2", Class::Exact, 0.1, "us", "core");

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
}
