//! Cycles that the thesis prints for the board's modules (chapter 5).

use cluster::{Duration, Event, Place, Watch};
use dimmnet2::status_write_unit::State as StatusWrite;
use dimmnet2::window_controller::rvs::State as Rvs;
use machine_api::Findings;

use super::measure::Bench;
use super::row;
use crate::programs::measure::{Start, peer, ready};
use crate::programs::remote::Memory;
use crate::programs::vl::{Elements, Source};
use crate::{CLOCKS, CORE};

/// Limit of a packet; none takes a hundredth of it.
const LIMIT: Duration = Duration::from_us(1_000);

/// Bytes of a line.
const LINE_BYTES: f64 = 8.0;

/// A cycle of the core clock.
const CYCLE: Duration = CLOCKS.domain(CORE).period;

/// Destination of 8 bytes in one piece: the header has two lines.
const PIECE: Source = Source::Contiguous { offset: 0, size: 8 };
/// Destination of two elements: the header has a third line.
const ELEMENTS: Source = Source::Strided { offset: 0, stride: 64, elements: Elements { dtype: 2, count: 2 } };

/// States whose duration is measured.
#[derive(Clone, Copy)]
enum Lasting {
    /// RVS4 at the sender.
    Header,
    /// The two states at the receiver in which a status is written.
    Status,
}

const BEGIN: &str = "it begins";
const END: &str = "it ends";

impl Lasting {
    fn node(self) -> usize {
        match self {
            Lasting::Header => 0,
            Lasting::Status => 1,
        }
    }

    fn watches(self) -> [Watch; 2] {
        let rvs = "core_logic.window_controller.request_executor.rvs";
        let unit = "core_logic.status_write_unit";
        match self {
            Lasting::Header => [Watch::state(BEGIN, rvs, Rvs::Rvs4), Watch::state(END, rvs, Rvs::Rvs5)],
            Lasting::Status => {
                [Watch::state(BEGIN, unit, StatusWrite::Write1), Watch::state(END, unit, StatusWrite::Nop)]
            }
        }
    }
}

/// Measures the rows, if they are requested.
pub fn section(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    if bench.request.wants("chapter 5") {
        // The unit latches a status in the cycle of the request, before its first state of writing.
        let status = 1.0 + cycles(bench, PIECE, Lasting::Status)?;
        findings.rows.extend([
            row("S-03", LINE_BYTES * 1e6 / CYCLE.ps() as f64),
            row("S-10", status),
            row("S-11a", cycles(bench, PIECE, Lasting::Header)?),
            row("S-11b", cycles(bench, ELEMENTS, Lasting::Header)?),
        ]);
    }
    Ok(findings)
}

/// Cycles of these states while 8 bytes go by RVS to this destination.
fn cycles(bench: &Bench<'_>, to: Source, lasting: Lasting) -> anyhow::Result<f64> {
    let mut cluster = bench.switched()?;
    cluster.observe();
    for watch in lasting.watches() {
        cluster.node_mut(lasting.node()).watch(watch)?;
    }
    cluster.spawn(1, "receiver", async |host| {
        ready(host, Start::default()).await.next_status().await;
    });
    cluster.spawn(0, "sender", move |host| async move {
        let board = ready(host, Start::default()).await;
        board.rvs(peer(1), PIECE, to, Memory::SoDimm, true).await;
    });
    let ran = cluster.run(LIMIT);
    machine_api::check(&mut cluster, ran)?;
    let observations = cluster.observations();
    let of_node = |o: &&cluster::Observation| o.place == Place::Node(lasting.node());
    let begin = observations.iter().filter(of_node).find(|o| o.event == Event::Watch(BEGIN));
    let begin = begin.ok_or_else(|| anyhow::anyhow!("it did not begin"))?.time;
    let end = observations.iter().filter(of_node).find(|o| o.event == Event::Watch(END) && o.time > begin);
    let end = end.ok_or_else(|| anyhow::anyhow!("it did not end"))?.time;
    Ok((end - begin).ps() as f64 / CYCLE.ps() as f64)
}
