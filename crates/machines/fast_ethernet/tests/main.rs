//! The machine as a whole: datagrams between hosts, Suci over them, and PM in the driver.

mod datagrams;
mod library_cost;
mod pm;
mod suci;

use cluster::AnyNic;
use fast_ethernet_machine::card::FastEthernetCard;
use fast_ethernet_machine::{Cluster, FastEthernet, Settings};
use hdl::Model;

/// `count` hosts on a switch.
fn hosts(count: usize) -> Cluster {
    let card = || Box::new(Model::new(FastEthernetCard::default())) as Box<AnyNic<FastEthernet>>;
    Cluster::with_switch((0..count).map(|_| card()).collect(), &Settings::default())
}
