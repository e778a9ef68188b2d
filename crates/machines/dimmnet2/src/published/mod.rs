//! What the thesis published, measured again: chapters 6 and 7, and table 5.2.

mod measure;
mod page;
mod receiving;
mod section_6_2;
mod section_6_3;
mod section_7_1;
mod section_7_2;
mod sending;
mod synthesis;
mod table;

use lab::{Evaluated, Findings, Fitted, Publication, Row, Synthesis, Table};

use crate::Dimmnet2;
use crate::host::cost;
use crate::paths::{Primitive, transfer};
use measure::Source;

/// Evaluation of the board (doctoral thesis, chapters 6 and 7).
const THESIS: Publication = Publication {
    rows: table::TABLE,
    figures: &[],
    causes: table::CAUSES,
    begin: page::BEGIN,
    story: page::STORY,
    drawn: page::DRAWN,
    clusters: 695,
};

/// What we measured for a published number.
pub(crate) fn row(id: &str, measured: f64) -> Row {
    THESIS.row(id, measured)
}

impl Evaluated for Dimmnet2 {
    const PUBLICATION: Publication = THESIS;
    const SYNTHESIS: Synthesis = synthesis::SYNTHESIS;

    fn measure(nics: Source<'_>, asked: &dyn Fn(&str) -> bool) -> anyhow::Result<Findings> {
        let mut all = Findings { tables: vec![parts(nics)?], fitted: fitted(), ..Findings::default() };
        for section in
            [section_6_2::section, section_6_3::section, section_7_1::section, section_7_2::section]
        {
            all.add(section(nics, asked)?);
        }
        Ok(all)
    }
}

/// Costs of the host's accesses that measurements chose.
fn fitted() -> Vec<Fitted> {
    let costs = cost::ALL.iter().filter(|cost| !cost.fitted_to.is_empty());
    let fitted = costs.map(|cost| Fitted {
        name: cost.name,
        ns: Some(cost.duration.ps() as f64 / 1e3),
        to: cost.fitted_to.to_vec(),
        source: cost.source,
    });
    fitted.collect()
}

/// Host, network interface and switch in a PUSH of 8 bytes, in us, beside other networks.
fn parts(nics: Source<'_>) -> anyhow::Result<Table> {
    const HOST: [&str; 3] = ["issue", "bus", "poll"];
    let line = transfer(Primitive::Rvs, 8, nics)?;
    let host = line.of(|stage| HOST.contains(&stage.name));
    let switch = line.of(|stage| stage.name == "switch");
    let nic = line.of(|stage| !HOST.contains(&stage.name) && stage.name != "switch");
    let ours = [host, nic, switch, line.total()].map(|duration| format!("{:.2}", duration.ps() as f64 / 1e6));
    let theirs = [
        ["QsNET II QM500", "0.8", "0.8", "0.1", "1.7"],
        ["Myrinet-2000 M3F2-PCIXE", "0.3", "2.8", "0.4", "3.5"],
    ];
    let mut lines: Vec<Vec<String>> = theirs.map(|line| line.map(String::from).into()).into();
    lines.push(["DIMMnet-2 here".to_string()].into_iter().chain(ours).collect());
    Ok(Table {
        title: "Beside table 7.1",
        text: page::TABLE_7_1,
        heads: vec!["", "Host", "Network interface", "Switch", "Total"],
        lines,
    })
}
