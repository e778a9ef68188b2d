//! Executes a plan on a cluster and compares the result with the oracle.

use cluster::Duration;
use dimmnet2::address::{Area, cell};
use dimmnet2::registers::{
    AmtAddressTableInterface, ControllerStatus, PrimitiveCounter, SystemRegister, UserRegister,
};
use dimmnet2_machine::{AnyNic, Cluster, Host, Settings};
use thiserror::Error;

use crate::access::Who;
use crate::compare::{Difference, Registers, STATUS_AREA, STATUS_INITIAL, Seen};
use crate::contents::Contents;
use crate::plan::{Issue, Plan, Round};
use crate::program::{Configuration, NODES};

/// Bound of the time of a round; none takes a tenth of it.
const LIMIT: Duration = Duration::from_us(2_000);

/// Time for packets that no counter reports.
const SETTLE: Duration = Duration::from_us(100);

/// Reason for which a cluster failed a plan.
#[derive(Debug, Error)]
pub enum RunError {
    /// The cluster stopped, or a program waits for ever.
    #[error("round {round}: {source}")]
    Stopped {
        /// Number of the round, from 0.
        round: usize,
        /// Stall, time limit or failure of a device, as the cluster reports it.
        source: cluster::RunError,
    },
    /// Model and RTL differ.
    #[error("{0}")]
    Lockstep(hdl::NicError),
    /// Board and oracle differ at the end.
    #[error("{0}")]
    Different(Difference),
}

/// Executes a plan on a cluster of two freshly reset boards and compares all memories, counters and flags
/// with the oracle.
pub fn run(plan: &Plan, nics: [Box<AnyNic>; NODES]) -> Result<(), RunError> {
    let mut cluster = Cluster::with_switch(nics.into(), &Settings::default());
    prepare(&mut cluster, plan);
    let stopped = |round| move |source| RunError::Stopped { round, source };
    cluster.run(LIMIT).map_err(stopped(0))?;
    for (number, round) in plan.rounds.iter().enumerate() {
        for node in 0..NODES {
            for wid in [false, true] {
                spawn(&mut cluster, round, Who { node, wid });
            }
        }
        cluster.run(LIMIT).map_err(stopped(number))?;
        if round.uncounted || number + 1 == plan.rounds.len() {
            let end = cluster.now() + SETTLE;
            cluster.run_until(end).map_err(stopped(number))?;
        }
    }
    compare(&mut cluster, plan)
}

/// Fills the SO-DIMMs and configures the boards.
fn prepare(cluster: &mut Cluster, plan: &Plan) {
    for (n, node) in plan.before.nodes.iter().enumerate() {
        let memories = cluster.node_mut(n).side_mut().memories_mut();
        for (address, byte) in node.sodimm.iter() {
            let cell = cell(address);
            memories[usize::from(cell.module)].poke(cell.address, byte);
        }
        let configuration = plan.configuration.clone();
        cluster.spawn(n, "configure", move |host| configure(host, configuration, n));
    }
}

async fn configure(host: Host, configuration: Configuration, node: usize) {
    let [pgid0, pgid1] = configuration.pgids[node];
    for (register, value) in [
        (SystemRegister::SdimmInit, 1),
        (SystemRegister::SdimmCapacity, configuration.capacity),
        (SystemRegister::Mtu, configuration.mtu[node]),
        (SystemRegister::ReadOptions, configuration.read_options[node]),
        (SystemRegister::Pgid0, pgid0),
        (SystemRegister::Pgid1, pgid1),
    ] {
        host.store_uc(system(register), value.into()).await;
    }
    for sender in 0..2 * NODES {
        let sender = Who { node: sender / 2, wid: sender % 2 == 1 };
        let value = Configuration::amt_entry(sender);
        let entry = AmtAddressTableInterface { value, wid: sender.wid, lid: sender.node as u16 + 1 };
        host.store_uc(system(SystemRegister::AmtAddressTableInterface), entry.bits()).await;
        for wid in [false, true] {
            host.store_uc(Area::Llcm.part(wid) + 8 * u32::from(value), configuration.ring(sender)).await;
        }
    }
    for wid in [false, true] {
        for (register, value) in [
            (UserRegister::StatusInitialAddress, STATUS_INITIAL),
            (UserRegister::StatusAreaSize, STATUS_AREA.into()),
            (UserRegister::IpushAreaSize, configuration.ipush_area[node]),
        ] {
            host.store_uc(user(wid, register), value.into()).await;
        }
    }
}

/// Starts the actions of a process in a round.
fn spawn(cluster: &mut Cluster, round: &Round, who: Who) {
    let issues: Vec<Issue> = round.issues.iter().filter(|issue| issue.who == who).cloned().collect();
    let (primitives, packets) = round.counters[who.node][usize::from(who.wid)];
    cluster.spawn(who.node, "primitives", move |host| async move {
        for issue in issues {
            perform(&host, issue).await;
        }
        let counter = user(who.wid, UserRegister::PrimitiveCounter);
        host.poll("the end of its primitives", counter, |value| value == primitives).await;
        let counter = user(who.wid, UserRegister::PacketCounter);
        host.poll("its packets", counter, |value| value == packets).await;
    });
}

/// Writes a window, then a command, each as soon as it is permitted.
async fn perform(host: &Host, Issue { who, action, wait }: Issue) {
    if let Some(wait) = wait {
        let counter = user(who.wid, UserRegister::PrimitiveCounter);
        host.poll("a Write Window", counter, |value| value == wait).await;
    }
    if let Some(fill) = &action.fill {
        host.store_wc(Area::WriteWindow.part(who.wid) + fill.offset, &fill.bytes).await;
        host.sfence().await;
    }
    let status = user(who.wid, UserRegister::ControllerStatus);
    let free = |value| !ControllerStatus::from_bits(value).request_waiting;
    host.poll("the command register", status, free).await;
    let command = action.command;
    let (lower, upper) = match command.to_prefetch_window {
        false => (UserRegister::Command0Lower, UserRegister::Command0Upper),
        true => (UserRegister::Command1Lower, UserRegister::Command1Upper),
    };
    host.store_uc(user(who.wid, UserRegister::CommandExFlag), command.ex.is_some().into()).await;
    if let Some(ex) = command.ex {
        host.store_uc(user(who.wid, UserRegister::CommandEx), ex).await;
    }
    host.store_uc(user(who.wid, upper), command.upper).await;
    host.store_uc(user(who.wid, lower), command.lower).await;
}

async fn registers(host: Host, wid: bool) -> Registers {
    let load = |register| host.load_uc(user(wid, register));
    Registers {
        status: ControllerStatus::from_bits(load(UserRegister::ControllerStatus).await),
        counter: PrimitiveCounter::from_bits(load(UserRegister::PrimitiveCounter).await),
        packets: load(UserRegister::PacketCounter).await,
        flag: load(UserRegister::PrefetchWindowFlag).await,
        next_write_address: load(UserRegister::StatusNextWriteAddress).await,
        lh_tail: load(UserRegister::LhBufferNextWriteAddress).await,
        module_state: load(UserRegister::ModuleState).await,
    }
}

fn compare(cluster: &mut Cluster, plan: &Plan) -> Result<(), RunError> {
    let outputs: Vec<_> = (0..NODES)
        .map(|node| [false, true].map(|wid| cluster.spawn(node, "look", move |host| registers(host, wid))))
        .collect();
    cluster.run(LIMIT).map_err(|source| RunError::Stopped { round: plan.rounds.len(), source })?;
    cluster.check().map_err(RunError::Lockstep)?;
    for (n, outputs) in outputs.into_iter().enumerate() {
        let registers = outputs.map(|output| output.take().expect("all programs are done"));
        let node = &cluster.nodes()[n];
        let seen = Seen { registers, contents: Contents::of(node.nic()), sodimms: node.side().memories() };
        seen.compare(n, &plan.after.nodes[n]).map_err(RunError::Different)?;
    }
    Ok(())
}

fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + u32::from(register.info().offset)
}

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}
