//! A workload on a cluster, once.

use std::ops::Add;
use std::sync::Arc;

use anyhow::anyhow;
use cluster::{Cluster, Duration, Fingerprint, Output, Rates, SwitchCounters, Time, Topology};
use workload::{DriveError, NodeOutcome, NodePlan, Schedule, Utilisation, drive};

use super::player::{Player, Shifted};
use crate::nic::{Board, Kind};

/// What a run is like, beside its workload.
pub struct Scene<'a> {
    /// The network.
    pub topology: &'a Topology,
    /// What stands behind the pins.
    pub nic: Kind,
    /// Threads at most.
    pub threads: usize,
    /// Frames in a million that links from nodes lose, and a seed that decides which.
    pub loss: u32,
    pub seed: u64,
    /// No longer than this, in virtual time.
    pub limit: Duration,
    /// What repeats the run.
    pub command: &'a str,
}

/// How it went.
pub struct Played {
    pub outcomes: Vec<NodeOutcome>,
    pub utilisation: Vec<Utilisation>,
    pub end: Time,
    pub fingerprint: Fingerprint,
}

/// What a part of the cluster brings.
struct Part {
    outcomes: Vec<Result<NodeOutcome, DriveError>>,
    links: Vec<[Duration; 2]>,
    buses: Vec<Duration>,
    ports: Vec<SwitchCounters>,
}

/// Boards whose models run ahead of their RTL, each with a thread; more boards than that go edge by edge.
const AHEAD: usize = 4;

/// Runs a schedule to its end.
pub fn play<M: Player>(schedule: &Arc<Schedule>, scene: &Scene<'_>) -> anyhow::Result<Played> {
    let plans = schedule.plans();
    let nodes = scene.topology.nodes();
    let begin = Time::ZERO + M::ready(nodes);
    let nic = |_| {
        let board = Board::<M::Device>::open(scene.nic, scene.seed, scene.command)
            .map_err(|error| format!("{error:#}"))?;
        let board = if nodes > AHEAD { board } else { board.ahead() };
        Ok(Box::new(board) as Box<cluster::AnyNic<M>>)
    };
    let start = |part: &mut Cluster<M>| -> Vec<Output<Result<NodeOutcome, DriveError>>> {
        if scene.loss > 0 {
            part.set_faults(Rates { loss: scene.loss, ..Rates::default() }, scene.seed);
        }
        let mut outputs = Vec::new();
        for node in part.here() {
            let plan = plans[node].clone();
            if plan.sends().is_empty() && plan.arrivals().is_empty() {
                continue;
            }
            let primitives = schedule.primitives().to_vec();
            outputs
                .push(part.spawn(node, "workload", move |port| run_plan::<M>(port, primitives, begin, plan)));
        }
        outputs
    };
    let end = |part: &mut Cluster<M>, outputs: Vec<Output<_>>| Part {
        outcomes: outputs.iter().map(|output| output.take().expect("the program is done")).collect(),
        links: part.here().map(|node| [part.link_from(node).busy(), part.link_to(node).busy()]).collect(),
        buses: part.nodes().iter().filter_map(|node| M::bus_busy(node.side())).collect(),
        ports: part.port_counters().collect(),
    };
    let limit = scene.limit + M::ready(nodes);
    let settings = M::Settings::default();
    let ran = cluster::run::<M, _, _>(scene.topology, &settings, scene.threads, limit, nic, start, end)?;
    let time = ran.end - Time::ZERO;
    let mut outcomes = Vec::new();
    let (mut links, mut buses, mut ports) = (Vec::new(), Vec::new(), Vec::new());
    for part in ran.parts {
        outcomes.extend(part.outcomes);
        links.extend(part.links);
        buses.extend(part.buses);
        ports.extend(part.ports);
    }
    let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| anyhow!(error))?;
    let utilisation = utilisation(time, &links, &buses, &ports);
    Ok(Played { outcomes, utilisation, end: ran.end, fingerprint: ran.fingerprint })
}

async fn run_plan<M: Player>(
    port: M::Port,
    primitives: Vec<String>,
    begin: Time,
    plan: NodePlan,
) -> Result<NodeOutcome, DriveError> {
    let messenger = M::messenger(port, primitives).await;
    drive(&mut Shifted::begin(messenger, begin).await, &plan).await
}

/// How busy links and buses were, each in the mean and where it was most; queues before links to nodes are those of
/// switches, in units of a link.
fn utilisation(
    time: Duration,
    links: &[[Duration; 2]],
    buses: &[Duration],
    ports: &[SwitchCounters],
) -> Vec<Utilisation> {
    let share = |busy: Duration| busy.ps() as f64 / time.ps().max(1) as f64;
    let mut rows = Vec::new();
    let mut add = |what: &str, busy: Vec<Duration>, queues: &[SwitchCounters]| {
        let Some((node, most)) =
            busy.iter().enumerate().max_by_key(|(node, busy)| (**busy, usize::MAX - node))
        else {
            return;
        };
        let mean = busy.iter().map(|busy| share(*busy)).sum::<f64>() / busy.len() as f64;
        let waited = |port: &SwitchCounters| share(port.waited);
        let queue =
            |of: &[SwitchCounters]| of.iter().map(waited).fold(0.0, f64::add) / of.len().max(1) as f64;
        let deepest = |of: &[SwitchCounters]| of.iter().map(|port| port.deepest).max().unwrap_or_default();
        let own = queues.get(node).map(std::slice::from_ref).unwrap_or_default();
        for (name, fraction, of) in
            [(format!("{what}, mean"), mean, queues), (format!("{what} {node}, busiest"), share(*most), own)]
        {
            rows.push(Utilisation { name, fraction, queue_mean: queue(of), queue_most: deepest(of) });
        }
    };
    add("link from node", links.iter().map(|link| link[0]).collect(), &[]);
    add("link to node", links.iter().map(|link| link[1]).collect(), ports);
    add("bus of node", buses.to_vec(), &[]);
    rows
}
