//! Costs fitted to some rows, and the predictions for the other rows.

use std::fmt;

use cluster::host::HostCosts;
use machine_api::{Class, Conditions, Errors, Request, Row, fit};
use schemars::JsonSchema;
use serde::Serialize;

use super::paper::Reproducible;
use super::product::Product;
use super::{Args, CountingNics};
use crate::document::Head;
use crate::usage;

/// Runs `memonet figures --calibrate`.
pub fn run<M: Reproducible>(args: &Args, nics: &CountingNics<'_, M>, rows: &str) -> anyhow::Result<Product> {
    let publication = M::PUBLICATION;
    let ids =
        publication.called(rows).map_err(|reason| usage::invalid("--calibrate <ROWS>", rows, reason))?;
    let fitted = fit::fit::<M>(nics, &ids)?;
    let conditions = Conditions { costs: fitted.costs, ..Conditions::default() };
    let asked = |figure: &str| args.only.as_ref().is_none_or(|only| only == figure);
    let mut others = M::measure(nics, &conditions, Request { figure: &asked, brief: true })?.rows;
    others.retain(|row| asked(row.figure));
    for row in &mut others {
        row.cause = None;
        row.class = match row.class {
            Class::Exact | Class::Computed | Class::Cited => row.class,
            _ if ids.contains(&row.id) => Class::Fitted,
            _ => Class::InSight,
        };
    }
    others.sort_by_key(|row| publication.rows.iter().position(|published| published.id == row.id));

    let mut left_out = Vec::new();
    if args.leave_one_out {
        let published = publication.rows.iter().filter(|row| ids.contains(&row.id));
        let mut figures: Vec<_> = published.map(|row| row.figure).collect();
        figures.dedup();
        for figure in figures {
            let of_figure =
                |id: &str| publication.rows.iter().any(|row| row.id == id && row.figure == figure);
            let (out, rest): (Vec<&str>, Vec<&str>) = ids.iter().partition(|id| of_figure(id));
            if rest.is_empty() {
                continue;
            }
            let fitted = fit::fit::<M>(nics, &rest)?;
            let conditions = Conditions { costs: fitted.costs, ..Conditions::default() };
            left_out.extend(fit::rows::<M>(nics, &conditions, &out)?);
        }
        for row in &mut left_out {
            (row.class, row.cause) = (Class::InSight, None);
        }
    }

    let mut costs = fitted.costs;
    let report = Report {
        head: M::head("figures_calibrate", args.nic),
        name: M::PAPER,
        calibrated_to: ids,
        measurements: fitted.tried,
        error_percent: fitted.error_percent,
        costs: M::Costs::TABLE
            .iter()
            .filter(|cost| !cost.fitted_to.is_empty())
            .map(|cost| FittedCost {
                field: cost.field,
                name: cost.name,
                sources_alone_ps: cost.sources_alone.ps(),
                fitted_ps: costs.get_mut(cost.field).map_or(0, |duration| duration.ps()),
                shipped_ps: cost.duration.ps(),
            })
            .collect(),
        others: Errors::of(&others, Class::InSight),
        rows: others,
        left_out_errors: Errors::of(&left_out, Class::InSight),
        left_out,
    };
    let mut product = Product::new(&report, true)?;
    if args.only.is_none() {
        product.add(format!("fidelity/{}_calibration.md", M::PAPER), report.page(rows));
    }
    Ok(product)
}

/// A cost that was fitted.
#[derive(JsonSchema, Serialize)]
struct FittedCost {
    /// Name of the cost.
    field: &'static str,
    /// Operation that has the cost.
    name: &'static str,
    /// Initial value of the fit, from data sheets.
    sources_alone_ps: u64,
    /// Fitted value.
    fitted_ps: u64,
    /// Value in the product.
    shipped_ps: u64,
}

impl FittedCost {
    /// Printed values in ns: from data sheets alone, fitted, and in the product.
    fn ns(&self) -> [f64; 3] {
        [self.sources_alone_ps, self.fitted_ps, self.shipped_ps].map(|ps| ps as f64 / 1e3)
    }
}

/// Report of `memonet figures --calibrate`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    #[serde(skip)]
    name: &'static str,
    /// Rows that the costs were fitted to.
    calibrated_to: Vec<&'static str>,
    /// Number of times that these rows were measured.
    measurements: usize,
    /// Root mean square error of the fitted rows, in percent.
    error_percent: f64,
    /// Costs before and after the fit.
    costs: Vec<FittedCost>,
    /// All rows, or those of `--only`, measured with these costs.
    rows: Vec<Row>,
    /// Errors of the rows that were not part of the fit.
    others: Option<Errors>,
    /// Rows of figures, each left out of a fit of the others.
    left_out: Vec<Row>,
    /// Errors of the rows that were left out.
    left_out_errors: Option<Errors>,
}

impl Report {
    fn errors(&self) -> String {
        let says = |what: &str, errors: Option<Errors>| match errors {
            Some(Errors { rows, median: Some(median), worst, worst_row }) => {
                format!("{what}: {rows} rows, median error {median:.1} %, worst {worst:.1} % ({worst_row})")
            }
            _ => format!("{what}: none"),
        };
        let mut text = says("rows that the fit did not see", self.others);
        if !self.left_out.is_empty() {
            text += &says("; each figure foretold by the others", self.left_out_errors);
        }
        text
    }

    /// The report as a Markdown page; `rows` is the value of `--calibrate`.
    fn page(&self, rows: &str) -> String {
        let leaving_out = if self.left_out.is_empty() { "" } else { " --leave-one-out" };
        let mut page = format!(
            "# Costs fitted to some rows\n\n\
             This page tests how well costs that are fitted to {rows} alone predict the other rows. The fit starts\n\
             from data sheets, without constants from other published measurements. Written by:\n\n```\nmemonet figures --paper {} --calibrate \"{rows}\"{leaving_out} --output docs\n```\n\n\
             | Cost | Sources alone, ns | Fitted, ns | Shipped, ns |\n|---|---|---|---|\n",
            self.name
        );
        for cost in &self.costs {
            let [alone, fitted, shipped] = cost.ns();
            page += &format!("| {} | {alone} | {fitted} | {shipped} |\n", cost.name);
        }
        page += &format!(
            "\n{} measurements. {}.\n\n{}",
            self.measurements,
            self.errors(),
            machine_api::table(&self.rows)
        );
        if !self.left_out.is_empty() {
            page += &format!(
                "\n## Each figure predicted by the others\n\n{}",
                machine_api::table(&self.left_out)
            );
        }
        page
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {:45}{:>16}{:>10}{:>10}", "cost, ns", "sources alone", "fitted", "shipped")?;
        for cost in &self.costs {
            let [alone, fitted, shipped] = cost.ns();
            writeln!(f, "  {:45}{alone:>16}{fitted:>10}{shipped:>10}", cost.name)?;
        }
        writeln!(f, "  fitted to {}: {:.1} %", self.calibrated_to.join(", "), self.error_percent)?;
        machine_api::heads(f)?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        if !self.left_out.is_empty() {
            writeln!(f, "each figure foretold by the others:")?;
            for row in &self.left_out {
                writeln!(f, "{row}")?;
            }
        }
        write!(f, "{}", self.errors())
    }
}
