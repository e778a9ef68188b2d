//! A single run of a workload on a cluster.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Add;
use std::sync::Arc;

use anyhow::anyhow;
use cluster::{Cluster, Duration, Fingerprint, Output, Rates, Side as _, Time, Topology};
use machine_api::{Placement, ProgressBar};
use workload::{DriveError, NodeOutcome, NodePlan, Schedule, Utilisation, drive};

use super::counting::CountingMessenger;
use super::executor::{Executor, Job};
use super::part::Part;
use super::shifted::ShiftedMessenger;
use crate::machines::Built;
use crate::nic::{Board, Kind};
use crate::shell_words::command_line;

/// Conditions of a run, except its workload.
pub struct Conditions<'a, M: Built> {
    /// Settings of all hosts.
    pub settings: &'a M::Settings,
    /// Counts arriving messages.
    pub progress: &'a ProgressBar,
    /// Topology of the network.
    pub topology: &'a Topology,
    /// Places of the schedule's nodes, which are processes, on the nodes of the topology.
    pub placement: Placement,
    /// Implementation of the boards.
    pub nic: Kind,
    /// Executor of the cluster's parts.
    pub executor: &'a Executor,
    /// Frames lost on links from nodes, in millionths, and the seed that selects them.
    pub loss: u32,
    pub seed: u64,
    /// Virtual time after which the run is aborted.
    pub limit: Duration,
    /// Command that repeats the run.
    pub command: &'a str,
}

/// Outcome of all nodes, and the end of the virtual time.
pub struct RunResults {
    pub outcomes: Vec<NodeOutcome>,
    pub utilisation: Vec<Utilisation>,
    /// Time that all hosts spent in steps of their library that have a cost.
    pub library: Duration,
    pub end: Time,
    pub fingerprint: Fingerprint,
}

/// Maximum number of boards whose models run ahead of their RTL, each with a thread; larger clusters compare
/// every edge at once.
const AHEAD: usize = 4;

/// Runs a schedule to its end. Of several processes, only the first gets the results.
pub fn play<M: Built>(
    schedule: &Arc<Schedule>,
    conditions: &Conditions<'_, M>,
) -> anyhow::Result<Option<RunResults>> {
    let plans = schedule.plans();
    let nodes = conditions.topology.nodes();
    let ready = M::begin(schedule, conditions.placement).map_err(|error| anyhow!(error))?;
    let begin = Time::ZERO + ready;
    // Captured by the closures that run on each thread; `conditions.executor` must not move there.
    let &Conditions { nic: kind, loss, seed, command, progress, placement, .. } = conditions;
    let nic = |_| {
        let board = Board::<M>::open_lean(kind, seed, command).map_err(|error| format!("{error:#}"))?;
        let board = if nodes > AHEAD { board } else { board.ahead() };
        Ok(Box::new(board) as Box<cluster::AnyNic<M>>)
    };
    let start = |part: &mut Cluster<M>| -> Vec<Output<Result<NodeOutcome, DriveError>>> {
        if loss > 0 {
            part.set_faults(Rates { loss, ..Rates::default() }, seed);
        }
        let mut outputs = Vec::new();
        let here = part.here();
        let is_here = |plan: &&NodePlan| here.contains(&placement.node(plan.node() as usize));
        let is_busy = |plan: &&NodePlan| !plan.sends().is_empty() || !plan.arrivals().is_empty();
        for plan in plans.iter().filter(is_here).filter(is_busy) {
            let (plan, progress) = (plan.clone(), progress.clone());
            let node = placement.node(plan.node() as usize);
            let run = move |port| run_plan::<M>(port, begin, plan, placement, progress);
            outputs.push(part.spawn(node, "workload", run));
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
        library: part.nodes().iter().map(|node| spent::<M>(node.side())).sum(),
        ports: part.port_counters().map(|port| [port.deepest, port.waited.ps()]).collect(),
    };
    let limit = conditions.limit + ready;
    // A file may have other contents on another host, so its schedule is hashed.
    let mut hasher = DefaultHasher::new();
    schedule.hash(&mut hasher);
    let arguments = command_line(std::env::args_os().skip(1));
    let words = format!("{arguments}; schedule {:016x}", hasher.finish());
    let job = Job { topology: conditions.topology, settings: conditions.settings, limit, words: &words };
    let Some(ran) = conditions.executor.run(&job, nic, start, end)? else { return Ok(None) };
    let time = ran.end - Time::ZERO;
    let mut outcomes = Vec::new();
    let (mut links, mut buses, mut ports) = (Vec::new(), Vec::new(), Vec::new());
    let mut library = 0;
    for part in ran.parts {
        outcomes.extend(part.outcomes);
        links.extend(part.links);
        buses.extend(part.buses);
        ports.extend(part.ports);
        library += part.library;
    }
    let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| anyhow!(error))?;
    let utilisation = utilisation(time, &links, &buses, &ports);
    Ok(Some(RunResults {
        outcomes,
        utilisation,
        library: Duration::from_ps(library),
        end: ran.end,
        fingerprint: ran.fingerprint,
    }))
}

/// Time in ps that a host has spent in steps of its library that have a cost.
fn spent<M: Built>(side: &M::Side) -> u64 {
    M::LIBRARY.and_then(|library| library.spent).map_or(0, |spent| spent(side).ps())
}

/// Result of a node's program.
fn outcome(output: &Output<Result<NodeOutcome, DriveError>>) -> Result<NodeOutcome, String> {
    output.take().expect("the program is done").map_err(|error| error.to_string())
}

async fn run_plan<M: Built>(
    port: M::Port,
    begin: Time,
    plan: NodePlan,
    placement: Placement,
    progress: ProgressBar,
) -> Result<NodeOutcome, DriveError> {
    let messenger = M::messenger(port, plan.clone(), placement).await;
    let inner = ShiftedMessenger::begin(messenger, begin).await;
    drive(&mut CountingMessenger { inner, progress }, &plan).await
}

/// Utilisation of links and buses: mean and busiest. Queues before links to nodes are those of switches, in
/// units of the link.
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
