//! A workload on a cluster, once.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Add;
use std::sync::Arc;

use anyhow::anyhow;
use cluster::{Cluster, Duration, Fingerprint, Output, Rates, Side as _, Time, Topology};
use lab::ProgressBar;
use workload::{DriveError, NodeOutcome, NodePlan, Schedule, Utilisation, drive};

use super::counted::Counted;
use super::part::Part;
use super::place::{Job, Place};
use super::shifted::Shifted;
use crate::machines::Built;
use crate::nic::{Board, Kind};

/// What a run is like, beside its workload.
pub struct Scene<'a> {
    /// Counts messages that arrive.
    pub progress: &'a ProgressBar,
    /// The network.
    pub topology: &'a Topology,
    /// What stands behind the pins.
    pub nic: Kind,
    /// Where its parts run.
    pub place: &'a Place,
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

/// Boards whose models run ahead of their RTL, each with a thread; more boards than that go edge by edge.
const AHEAD: usize = 4;

/// Runs a schedule to its end. Of several processes the first one learns how it went.
pub fn play<M: Built>(schedule: &Arc<Schedule>, scene: &Scene<'_>) -> anyhow::Result<Option<Played>> {
    let plans = schedule.plans();
    let nodes = scene.topology.nodes();
    let ready = M::begin(schedule).map_err(|error| anyhow!(error))?;
    let begin = Time::ZERO + ready;
    // What is made on each thread; a place of processes must not go there.
    let &Scene { nic: kind, loss, seed, command, progress, .. } = scene;
    let nic = |_| {
        let board = Board::<M>::open(kind, seed, command).map_err(|error| format!("{error:#}"))?;
        let board = if nodes > AHEAD { board } else { board.ahead() };
        Ok(Box::new(board) as Box<cluster::AnyNic<M>>)
    };
    let start = |part: &mut Cluster<M>| -> Vec<Output<Result<NodeOutcome, DriveError>>> {
        if loss > 0 {
            part.set_faults(Rates { loss, ..Rates::default() }, seed);
        }
        let mut outputs = Vec::new();
        for node in part.here() {
            let plan = plans[node].clone();
            if plan.sends().is_empty() && plan.arrivals().is_empty() {
                continue;
            }
            let progress = progress.clone();
            outputs
                .push(part.spawn(node, "workload", move |port| run_plan::<M>(port, begin, plan, progress)));
        }
        outputs
    };
    let end = |part: &mut Cluster<M>, outputs: Vec<Output<_>>| Part {
        outcomes: outputs.iter().map(outcome).collect(),
        links: part
            .here()
            .map(|node| [part.link_from(node).busy().ps(), part.link_to(node).busy().ps()])
            .collect(),
        buses: part.nodes().iter().filter_map(|node| Some(node.side().bus_busy()?.ps())).collect(),
        ports: part.port_counters().map(|port| [port.deepest, port.waited.ps()]).collect(),
    };
    let limit = scene.limit + ready;
    let settings = M::Settings::default();
    // Files have the same name on all machines, but perhaps not the same contents.
    let mut hasher = DefaultHasher::new();
    schedule.hash(&mut hasher);
    let arguments = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let words = format!("{arguments}; schedule {:016x}", hasher.finish());
    let job = Job { topology: scene.topology, settings: &settings, limit, words: &words };
    let Some(ran) = scene.place.run(&job, nic, start, end)? else { return Ok(None) };
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
    Ok(Some(Played { outcomes, utilisation, end: ran.end, fingerprint: ran.fingerprint }))
}

/// How the program of a node ended.
fn outcome(output: &Output<Result<NodeOutcome, DriveError>>) -> Result<NodeOutcome, String> {
    output.take().expect("the program is done").map_err(|error| error.to_string())
}

async fn run_plan<M: Built>(
    port: M::Port,
    begin: Time,
    plan: NodePlan,
    progress: ProgressBar,
) -> Result<NodeOutcome, DriveError> {
    let messenger = M::messenger(port, plan.clone()).await;
    let inner = Shifted::begin(messenger, begin).await;
    drive(&mut Counted { inner, progress }, &plan).await
}

/// How busy links and buses were, each in the mean and where it was most; queues before links to nodes are those of
/// switches, in units of a link.
fn utilisation(time: Duration, links: &[[u64; 2]], buses: &[u64], ports: &[[u64; 2]]) -> Vec<Utilisation> {
    let share = |busy: u64| busy as f64 / time.ps().max(1) as f64;
    let mut rows = Vec::new();
    let mut add = |what: &str, busy: Vec<u64>, queues: &[[u64; 2]]| {
        let Some((node, most)) =
            busy.iter().enumerate().max_by_key(|(node, busy)| (**busy, usize::MAX - node))
        else {
            return;
        };
        let mean = busy.iter().map(|busy| share(*busy)).sum::<f64>() / busy.len() as f64;
        let waited = |port: &[u64; 2]| share(port[1]);
        let queue = |of: &[[u64; 2]]| of.iter().map(waited).fold(0.0, f64::add) / of.len().max(1) as f64;
        let deepest = |of: &[[u64; 2]]| of.iter().map(|port| port[0]).max().unwrap_or_default();
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
