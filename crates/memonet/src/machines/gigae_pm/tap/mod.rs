//! `memonet tap`: the network stack of this computer on modelled cards.

mod bridge;
mod device;
mod report;
mod traffic;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cluster::Rates;
use machine_api::Nics;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::document::Head;
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::pcapng::Capture;
use bridge::{Activity, Bridge};
use device::{Tap, show};
use gigae_pm_machine::GigaePm;
use gigae_pm_machine::{Cluster, Settings, mac_address};
pub use report::Report;
use report::{File, NodeReport};
use traffic::{Program, Traffic};

/// Maximum sleep: a signal may arrive just before the sleep, and --for needs an end.
const NAP: Duration = Duration::from_millis(100);

/// Connect TAP devices of this computer to modelled cards.
///
/// Traffic of ping, iperf3 or curl then passes through modelled hosts, PCI buses, GigaE PM cards, wires and a
/// switch, together with PM messages on the same wires (paper section 4.7).
///
/// Each node has a TAP device with the MAC address of its card. Move each device into a network namespace of
/// its own: within one namespace the kernel delivers packets between its addresses directly. Frames take the
/// virtual time of the model, which advances more slowly than real time, and not at all while the cluster is
/// idle. The virtual arrival times of external frames are not deterministic, so runs of this command are not
/// reproducible. Ctrl-C or --for ends the run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet tap                            as root; then on another terminal:
    for n in 0 1; do
      ip netns add n$n && ip link set memonet$n netns n$n
      ip -n n$n addr add 10.0.0.$((n+1))/24 dev memonet$n && ip -n n$n link set memonet$n up
    done
    ip netns exec n0 ping 10.0.0.2
  memonet tap --pm none                  no PM traffic; sleeps while no frames arrive
  memonet tap --loss 10000 --seed 7      wires that lose 1% of the frames
  memonet tap --pcapng frames.pcapng     every frame, for Wireshark (docs/wireshark)
  memonet tap --nic lockstep --for 60    model and RTL, compared on every edge

`make tap-demo` does all of this.")]
pub struct Args {
    /// Number of nodes, each with a TAP device.
    #[arg(long, default_value_t = 2, value_parser = numbers::within::<u16>(2..=16, "the number of nodes"))]
    nodes: u16,
    /// Name prefix of the devices; the number of the node is appended.
    #[arg(long, default_value = "memonet", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    name: String,
    /// Implementation of the cards.
    #[arg(long, value_enum, default_value_t = Kind::Model)]
    nic: Kind,
    /// PM traffic between nodes 0 and 1, 2 and 3, and so on.
    #[arg(long, value_enum, value_name = "PROGRAM", default_value_t)]
    pm: Program,
    /// Bytes of a PM message.
    #[arg(long, default_value_t = 200, value_parser = numbers::within::<u16>(1..=1468, "the number of bytes"))]
    bytes: u16,
    #[command(flatten)]
    wires: Wires,
    /// pcapng file for the frames that nodes send.
    #[arg(long, value_name = "FILE")]
    pcapng: Option<PathBuf>,
    /// Real time in seconds after which the command ends.
    #[arg(long = "for", value_name = "SECONDS", value_parser = numbers::within::<u64>(1..=u64::MAX, "the number of seconds"))]
    seconds: Option<u64>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Fault injection on the wires, in frames per million.
#[derive(clap::Args)]
struct Wires {
    /// Lost frames per million, on the wires from the nodes.
    #[arg(long, value_name = "PPM", default_value_t = 0, value_parser = numbers::within::<u32>(0..=1_000_000, "the number of frames per million"))]
    loss: u32,
    /// Duplicated frames per million.
    #[arg(long, value_name = "PPM", default_value_t = 0, value_parser = numbers::within::<u32>(0..=1_000_000, "the number of frames per million"))]
    duplication: u32,
    /// Reordered frames per million: the next frame overtakes them.
    #[arg(long, value_name = "PPM", default_value_t = 0, value_parser = numbers::within::<u32>(0..=1_000_000, "the number of frames per million"))]
    reordering: u32,
    /// Corrupted frames per million.
    #[arg(long, value_name = "PPM", default_value_t = 0, value_parser = numbers::within::<u32>(0..=1_000_000, "the number of frames per million"))]
    corruption: u32,
    /// Seed of the faults.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
}

/// Runs the bridge until Ctrl-C or --for, and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let names: Vec<_> = (0..args.nodes).map(|node| format!("{}{node}", args.name)).collect();
    let macs: Vec<_> = (0..args.nodes).map(mac_address).collect();
    let taps = names.iter().zip(&macs).map(|(name, mac)| Tap::open(name, *mac)).collect::<Result<_, _>>()?;
    let capture = Capture::wanted(args.pcapng.as_deref(), args.nodes.into())?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, stop.clone())?;
    }

    let mut bridge = Bridge::new(cluster(args)?, taps, capture)?;
    let traffic = Traffic::start(bridge.cluster(), args.pm, args.bytes.into());
    for (name, mac) in names.iter().zip(&macs) {
        output::aside(format_args!("{name} is ready, MAC address {}", show(*mac)));
    }

    let (real, idle) = bridge_until_stopped(args, &mut bridge, &traffic, &stop)?;
    let messages = traffic.messages()?;

    let cards = report::cards(bridge.cluster())?;
    bridge.cluster().check().map_err(|error| anyhow::anyhow!(error))?;
    let counts: Vec<_> = (0..names.len()).map(|node| bridge.counts(node)).collect();
    let cluster = bridge.cluster();
    let switch = cluster.switch_counters().expect("there is a switch");
    let head =
        Head::of_run::<GigaePm>("tap", args.nic).seeded(args.wires.seed).until::<GigaePm>(cluster.now());
    let nodes = (0..names.len()).map(|node| {
        let wire = cluster.link_from(node).faults().counters();
        NodeReport::new(&names[node], show(macs[node]), counts[node], wire, cards[node])
    });
    let nodes = nodes.collect();
    let frames = bridge.finish()?;
    let report = Report {
        head,
        pm: args.pm,
        pm_bytes: args.bytes.into(),
        pm_messages: messages,
        nodes,
        switch_forwarded: switch.forwarded,
        switch_discarded: switch.discarded,
        real_s: real.as_secs_f64(),
        idle_s: idle.as_secs_f64(),
        pcapng: args.pcapng.clone().zip(frames).map(|(path, frames)| File { path, frames }),
    };
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// Carries frames until the time is over or a signal arrives: the time spent, and how much of it idle.
fn bridge_until_stopped(
    args: &Args,
    bridge: &mut Bridge<Tap>,
    traffic: &Traffic,
    stop: &AtomicBool,
) -> anyhow::Result<(Duration, Duration)> {
    let begin = Instant::now();
    let mut idle = Duration::ZERO;
    let over = || {
        let late = args.seconds.is_some_and(|most| begin.elapsed().as_secs() >= most);
        late || stop.load(Ordering::Relaxed)
    };
    while !over() {
        let activity = bridge.step()?;
        traffic.messages()?;
        if activity == Activity::Quiet {
            let asleep = Instant::now();
            while !over() && !device::sleep(bridge.outsides(), NAP)? {}
            idle += asleep.elapsed();
        }
    }
    Ok((begin.elapsed(), idle))
}

fn cluster(args: &Args) -> anyhow::Result<Cluster> {
    let cards = Maker::<GigaePm>::new(args.nic, 0, "memonet tap").open(args.nodes.into())?;
    let mut cluster = Cluster::with_switch(cards, &Settings::default());
    let Wires { loss, duplication, reordering, corruption, seed } = args.wires;
    cluster.set_faults(Rates { loss, duplication, reordering, corruption, ..Rates::default() }, seed);
    Ok(cluster)
}
