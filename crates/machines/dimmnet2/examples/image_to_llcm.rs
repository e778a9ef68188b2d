//! Two programs of hosts: node 0 writes eight bytes into the LLCM of node 1 by BOTF, and node 1 polls them.
//!
//! `cargo run -p dimmnet2_machine --example image_to_llcm` prints the end in picoseconds, the bytes and the
//! fingerprint. `bindings/python/tests/test_programs.py` has the same programs in Python.

use cluster::Duration;
use dimmnet2::BotfLower;
use dimmnet2::address::Area;
use dimmnet2::registers::{ControllerStatus, SmaLid, SystemRegister, UserRegister};
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::{Cluster, Dimmnet2, Host};
use hdl::Model;
use machine_api::Driven;

/// Offset of the bytes in LLCM.
const OFFSET: u32 = 0x1000;

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}

fn user(register: UserRegister) -> u32 {
    Area::UserRegister.part(false) + u32::from(register.info().offset)
}

async fn set_up(host: &Host) {
    host.store_uc(system(SystemRegister::SdimmInit), 1).await;
    let initialised = |value| ControllerStatus::from_bits(value).sdimm_initialized;
    host.poll("SO-DIMM initialisation", user(UserRegister::ControllerStatus), initialised).await;
    let lid = system(SystemRegister::SmaLid);
    let lid = host.poll("the link", lid, |value| SmaLid::from_bits(value).link_up()).await;
    host.store_uc(system(SystemRegister::Lid), SmaLid::from_bits(lid).lid.into()).await;
    host.store_uc(system(SystemRegister::Pgid0), 9).await;
}

async fn send(host: Host) {
    set_up(&host).await;
    host.compute(Duration::from_us(5)).await;
    let packet = Packet {
        peer: Peer { lid: 2, wid: false },
        swid: false,
        destination: Destination::Llcm(OFFSET),
        status: false,
        tag: 0,
    };
    let image = packet.image(b"memonet!").expect("eight bytes fit");
    host.store_wc(Area::WriteWindow.window(false, 0), &image).await;
    host.sfence().await;
    host.store_uc(user(UserRegister::Command0Lower), BotfLower::new(0, image.len() as u16).bits()).await;
    host.poll("the primitive", user(UserRegister::PrimitiveCounter), |count| count != 0).await;
}

async fn receive(host: Host) -> u64 {
    set_up(&host).await;
    host.poll("the bytes", Area::Llcm.part(false) + OFFSET, |value| value != 0).await
}

fn main() {
    let nics = (0..2).map(|_| Box::new(Model::new(dimmnet2::Dimmnet2::default())) as _).collect();
    let mut cluster = Cluster::with_switch(nics, &Dimmnet2::settings(2));
    cluster.spawn(0, "send", send);
    let bytes = cluster.spawn(1, "receive", receive);
    let end = cluster.run(Duration::from_us(1_000)).expect("the programs end");
    let bytes = bytes.take().expect("the program has ended").to_le_bytes();
    let fingerprint = cluster.fingerprint().expect("a model does not diverge");
    println!("{} {} {fingerprint}", end.ps(), String::from_utf8_lossy(&bytes));
}
