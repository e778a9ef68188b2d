//! Information that the board gets from its link: its LID, and the free room in front of it.

use dimmnet2::registers::{SmaLid, SystemRegister};

use crate::bench::{Bench, packet, rvs, system};

#[test]
fn lid_of_the_subnet_manager_is_read_over_its_whole_width() {
    let mut bench = Bench::new();
    for lid in (0..16).map(|bit| 1 << bit).chain([0, 0xffff]) {
        bench.join(lid);
        let read = SmaLid::from_bits(bench.read(system(SystemRegister::SmaLid)) as u64);
        assert_eq!(read, SmaLid { lid, swif_status: 0b11 });
    }
}

/// The link stalls until a packet waits, and then drains. SWIF's FIFO passes through each number of
/// free lines: packets of 3 lines use them up, and the link frees them one by one.
#[test]
fn packet_waits_for_as_much_room_as_the_longest_one_needs() {
    for mtu in [256u64, 512, 1024, 2048] {
        let mut bench = Bench::configured();
        bench.write(system(SystemRegister::Mtu), mtu >> 8);
        bench.image(false, 0, &packet(rvs(24), 0, &[1]));
        bench.link_takes(false);
        let mut issued = 0;
        while u64::from(bench.botfs(false)) == issued {
            bench.botf(false, 0, 24);
            bench.run(20);
            issued += 1;
        }
        let lines = 3 * bench.botfs(false);
        let needed = 2 + (mtu / 8).max(64) as u16;
        assert!((1024 - needed..1024 - needed + 16).contains(&lines), "{lines} lines, MTU {mtu}");
        bench.link_takes(true);
        bench.settle();
        assert_eq!((u64::from(bench.botfs(false)), bench.sent.len() as u64), (issued, issued));
    }
}
