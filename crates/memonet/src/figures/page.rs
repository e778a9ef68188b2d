//! The page that tells how near we come: docs/fidelity/MACHINE.md.

use std::fmt::{self, Write};

use machine_api::{
    Choice, Chosen, Evaluation, Figure, Fitted, FittedKind, NEEDS_CAUSE, Past, Publication, Shape,
};

/// The page; `choices` are what the publication leaves open.
pub fn page(machine: &str, publication: &Publication, choices: &[Choice], evaluation: &Evaluation) -> String {
    let mut page = with_overview(publication.begin, evaluation);
    write(&mut page, machine, publication, choices, evaluation).expect("text has room");
    page
}

/// The beginning of the page, with the summary between its title and its first paragraph.
fn with_overview(begin: &str, evaluation: &Evaluation) -> String {
    let (title, rest) = begin.split_once("\n\n").expect("a page has a title and a paragraph");
    let lines = evaluation.overview();
    let lines: String = lines.iter().map(|[quantity, value]| format!("| {quantity} | {value} |\n")).collect();
    format!("{title}\n\n| Summary | |\n|---|---|\n{lines}\n{rest}")
}

fn write(
    page: &mut String,
    machine: &str,
    publication: &Publication,
    choices: &[Choice],
    evaluation: &Evaluation,
) -> fmt::Result {
    let Evaluation { rows, shapes, figures, tables, fitted, history, .. } = evaluation;
    writeln!(page, "{}\n{}.\n", machine_api::table(rows), evaluation.summary())?;
    page.push_str(publication.story);
    let far: Vec<_> = rows.iter().filter(|row| row.cause.is_some()).collect();
    if !far.is_empty() {
        writeln!(page, "Rows that are more than {NEEDS_CAUSE} % off:\n")?;
    }
    for row in &far {
        writeln!(page, "- {} ({:+.1} %): {}", row.id, row.error_percent, row.cause.unwrap_or_default())?;
    }
    for table in tables {
        writeln!(page, "\n## {}\n\n{}\n\n{}", table.title, table.text, table.markdown().trim_end())?;
    }
    page.push_str("\n## Shapes\n\n");
    for shape @ Shape { id, says, .. } in shapes {
        writeln!(page, "- {id} {}: {says}.", shape.verdict())?;
    }
    if evaluation.verdicts.is_some() {
        writeln!(page, "\n## Range of bands\n")?;
        writeln!(
            page,
            "Bands span a second node that begins a third and two thirds of a poll later, and these choices:\n"
        )?;
        for Choice { name, ours, other, text, .. } in
            choices.iter().filter(|choice| choice.of == Chosen::Program)
        {
            writeln!(page, "- {name}: {ours} (ours), or {other}; {text}.")?;
        }
    }
    writeln!(page, "\n## Fitted degrees of freedom\n")?;
    writeln!(
        page,
        "Constants, and choices where the text allows several, each with the rows that determined it:\n"
    )?;
    for Fitted { kind, name, duration_ps, to, source } in fitted {
        let value = duration_ps.map_or(String::new(), |ps| format!(", {} ns", ps as f64 / 1e3));
        let kind = match kind {
            FittedKind::Constant => "constant",
            FittedKind::Choice => "choice",
        };
        writeln!(page, "- {name}{value} ({kind}), by {}: {source}.", to.join(" and "))?;
    }
    if !history.is_empty() {
        writeln!(page, "\n## Errors of earlier commits\n")?;
        writeln!(
            page,
            "Rows that the page called predicted at the time, although some published values were known:\n"
        )?;
        writeln!(page, "| Commit | Change | Rows | Median error | Worst |\n|---|---|---|---|---|")?;
        for Past { commit, did, rows, median, worst } in *history {
            writeln!(page, "| {commit} | {did} | {rows} | {median:.1} % | {worst:.1} % |")?;
        }
    }
    writeln!(page, "\n## Figures\n\n{}\n", publication.drawn)?;
    for Figure { id, title, .. } in figures {
        writeln!(page, "![Figure {id}: {title}](../figures/{machine}_figure_{id}.svg)")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use machine_api::Findings;

    use super::*;
    use crate::figures::paper::{Reproducible, with_paper};

    #[test]
    fn first_lines_are_the_summary() {
        type Suci = fast_ethernet_machine::FastEthernet;
        let publication = <Suci as machine_api::Evaluated>::PUBLICATION;
        let evaluation = Evaluation::new(&publication, Vec::new(), Findings::default(), |_| true);
        let page = page(<Suci as Reproducible>::PAPER, &publication, &[], &evaluation);
        let lines: Vec<_> = page.lines().collect();
        assert_eq!(lines[..3], ["# Published numbers of Suci", "", "| Summary | |"]);
        assert_eq!(lines[4..6], ["| fitted degrees of freedom | 0 |", "| rows that no fit saw | none |"]);
    }

    #[test]
    fn every_publication_has_a_title_before_its_first_paragraph() {
        use clap::ValueEnum;
        for paper in crate::figures::paper::Paper::value_variants() {
            let begin = with_paper!(*paper, M => <M as machine_api::Evaluated>::PUBLICATION.begin);
            assert!(begin.starts_with("# ") && begin.contains("\n\n"), "{paper:?}");
        }
    }
}
