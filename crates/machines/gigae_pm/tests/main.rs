//! Hosts with cards of GigaE PM.

/// Channels, sessions, and buffers of one host.
mod channels;
/// Link fault injection, and peers that die.
mod faults;
/// Frames of other protocols.
mod frames;
/// The cost of PM's own steps.
mod library_cost;
/// MPI.
mod parallel;
/// The programs that every implementation of PM passes.
mod pm_conformance;
/// Long streams over faulty links.
mod recovery;
/// Commands of dsh on two cards.
mod shells;
/// Streams of TCP.
mod tcp;
/// As many nodes as in table 3, and the most that are possible.
mod thousand;
/// Parts of a cluster on threads of their own.
mod threads;
/// Published times.
mod timing;

use gigae_pm::GigaePm;
use gigae_pm_machine::{AnyNic, Cluster, Settings};
use hdl::Model;
use pm::Channel;

const CHANNEL: Channel = Channel::new(0).unwrap();

fn card() -> Box<AnyNic> {
    Box::new(Model::new(GigaePm::default()))
}

fn cable(settings: &Settings) -> Cluster {
    Cluster::back_to_back([card(), card()], settings)
}

fn switched(nodes: usize, settings: &Settings) -> Cluster {
    Cluster::with_switch((0..nodes).map(|_| card()).collect(), settings)
}
