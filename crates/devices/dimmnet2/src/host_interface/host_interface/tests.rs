//! Tests of the host interface section through host beats, as software sees it.

use hdl::{Access, memories, sample};
use proptest::prelude::*;

use super::super::pins::{Configuration, SystemCode, UserCode};
use super::*;
use crate::pins::HostIn;
use crate::registers::SystemRegister;

const ONES: u128 = u128::MAX;

/// The section with a host and an idle transaction side.
struct Bench {
    section: HostInterface,
    /// Input pins except the beat.
    pins: In,
}

impl Bench {
    fn new() -> Self {
        let status = Status { status_empty: 0b11, ..Status::default() };
        let mut bench = Self { section: HostInterface::default(), pins: In { status, ..In::default() } };
        // The LH Buffer clears its flags.
        bench.idle(128);
        bench
    }

    fn beat(&mut self, host: HostIn) {
        self.section.tick(&In { host, ..self.pins });
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.beat(HostIn::default());
        }
    }

    /// One cycle with pulses on the status pins.
    fn pulse(&mut self, change: impl FnOnce(&mut Status)) {
        let mut pins = self.pins;
        change(&mut pins.status);
        self.section.tick(&pins);
    }

    fn write(&mut self, address: u32, byte_enable: u16, wdata: u128) {
        self.beat(HostIn { wdata, byte_enable, address, enable: true, write: true });
    }

    fn read(&mut self, address: u32) -> u128 {
        self.beat(HostIn { address, enable: true, ..HostIn::default() });
        self.section.outputs().rdata
    }

    fn write_user(&mut self, wid: bool, register: UserRegister, wdata: u64) {
        self.write(user(wid, register), 0x00ff, wdata.into());
    }

    fn read_user(&mut self, wid: bool, register: UserRegister) -> u64 {
        u64::try_from(self.read(user(wid, register))).expect("the Odd half of a register reads 0")
    }

    fn write_system(&mut self, register: SystemRegister, wdata: u64) {
        self.write(system(register), 0x00ff, wdata.into());
    }

    fn read_system(&mut self, register: SystemRegister) -> u64 {
        u64::try_from(self.read(system(register))).expect("the Odd half of a register reads 0")
    }

    /// All registers and memories.
    fn state(&self) -> Vec<u64> {
        let mut words = vec![];
        sample(&self.section, &mut words);
        memories(&self.section, &mut words);
        words
    }
}

fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + u32::from(register.info().offset)
}

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}

fn host_reads(access: Access) -> bool {
    access != Access::Write
}

/// A row whose number is in both banks.
fn numbered(row: u128) -> u128 {
    (3 * row) << 64 | row
}

/// All addresses of beats.
fn addresses() -> impl Iterator<Item = u32> {
    (0..1 << 20).step_by(16)
}

#[test]
fn every_register_reads_its_reset_value_or_0() {
    let mut bench = Bench::new();
    for wid in [false, true] {
        for &register in UserRegister::ALL {
            let info = register.info();
            let expected = match UserRegister::read(info.offset) {
                Some(register) => register.info().reset,
                None => 0,
            };
            assert_eq!(bench.read_user(wid, register), expected, "{register:?}");
        }
    }
    for &register in SystemRegister::ALL {
        assert_eq!(bench.read_system(register), 0, "{register:?}");
    }
}

/// Whether a write of all ones to a register of the page of `wid` has its specified effect.
fn user_write_shows(bench: &mut Bench, wid: bool, register: UserRegister) -> bool {
    use UserRegister::*;
    let ones = u64::MAX;
    let configured = |bench: &Bench, code: UserCode| {
        let expected = Configuration { value: 0xffff, wid, user_code: code.code(), system_code: 0 };
        bench.section.outputs().configuration == expected
    };
    let request = |bench: &mut Bench, lower: UserRegister| {
        bench.write_user(wid, lower, 1);
        let out = bench.section.outputs();
        assert!(out.request_enable && out.request.wid == wid && out.request.lower == 1);
        (out.request.upper, out.request_ex)
    };
    match register {
        Command0Lower | Command1Lower => {
            let expected =
                Request { lower: ones, upper: 0, to_prefetch_window: register == Command1Lower, wid };
            bench.section.outputs().request_enable && bench.section.outputs().request == expected
        }
        Command0Upper => request(bench, Command0Lower) == (ones, 0),
        Command1Upper => request(bench, Command1Lower) == (ones, 0),
        CommandEx => {
            bench.write_user(wid, CommandExFlag, 1);
            request(bench, Command0Lower) == (0, ones)
        }
        CommandExFlag => {
            bench.write_user(wid, CommandEx, 5);
            request(bench, Command1Lower) == (0, 5)
        }
        PrimitiveCounterReset => bench.read_user(wid, PrimitiveCounter) == 0,
        PacketCounterReset => bench.read_user(wid, PacketCounter) == 0,
        IpushAreaSize => configured(bench, UserCode::UserIpushAreaSize),
        StatusInitialAddress => configured(bench, UserCode::UserStatusInitialAddress),
        StatusAreaSize => configured(bench, UserCode::UserStatusAreaSize),
        StatusNextReadAddress => configured(bench, UserCode::UserStatusNextReadAddress),
        LhBufferNextReadAddress => {
            let q = bench.section.lh_buffer.q;
            [q.head0, q.head1] == if wid { [0, 0xfff] } else { [0xfff, 0] }
        }
        ControllerStatus
        | PrimitiveCounter
        | PrefetchWindowFlag
        | PacketCounter
        | LhBufferNextWriteAddress
        | ModuleState
        | StatusNextWriteAddress => panic!("{register:?} is not written"),
    }
}

/// A section that has counted one BOTF and one packet of each process.
fn counted() -> Bench {
    let mut bench = Bench::new();
    bench.pins.request_fifo_full = true;
    for wid in [false, true] {
        bench.pulse(|status| {
            (status.botf_done, status.botf_done_wid) = (true, wid);
            (status.packet_received, status.receive_wid) = (true, wid);
        });
    }
    bench
}

#[test]
fn every_user_register_write_has_its_effect() {
    for wid in [false, true] {
        for &register in UserRegister::ALL.iter().filter(|register| register.info().access != Access::Read) {
            let mut bench = counted();
            bench.write(user(wid, register), 0xffff, ONES);
            assert!(user_write_shows(&mut bench, wid, register), "{register:?} of WID {wid}");
        }
    }
}

#[test]
fn every_system_register_write_has_its_effect() {
    use SystemRegister::*;
    for &register in SystemRegister::ALL {
        let mut bench = Bench::new();
        let before = bench.section.outputs();
        bench.write(system(register), 0xffff, ONES);
        let configuration = |code: SystemCode| Out {
            configuration: Configuration { value: 0xffff, system_code: code.code(), ..Default::default() },
            ..before
        };
        let expected = match register {
            SdimmInit => Out { sodimm_enabled: true, ..before },
            SdimmCapacity => configuration(SystemCode::SystemSdimmCapacity),
            Mtu => configuration(SystemCode::SystemMtu),
            Lid => configuration(SystemCode::SystemLid),
            Pgid0 => configuration(SystemCode::SystemPgid0),
            Pgid1 => configuration(SystemCode::SystemPgid1),
            ReadOptions => configuration(SystemCode::SystemReadOptions),
            ControllerReset => Out { controller_reset: true, ..before },
            // The agent and the table are outside the Core Logic; SMA LID shares the offset of the SMA reset.
            SmaSoftwareReset | SmaLid | AmtAddressTableInterface => before,
        };
        assert_eq!(bench.section.outputs(), expected, "{register:?}");
    }
}

#[test]
fn every_readable_register_shows_its_source() {
    let mut bench = counted();
    bench.pins.status = Status {
        status_next_write_address0: 0x7ff0,
        status_next_write_address1: 0x0010,
        status_full: 0b10,
        status_empty: 0b01,
        request_fifo_almost_full: true,
        sma_lid: 0xabcd,
        link_status: 0b11,
        ..Status::default()
    };
    bench.write_system(SystemRegister::SdimmInit, 1);
    bench.pulse(|status| (status.receive_overrun, status.receive_wid) = (true, true));
    bench.pulse(|status| status.receive_condition = 1);
    bench.write_user(true, UserRegister::Command0Lower, 1);
    for &register in UserRegister::ALL.iter().filter(|register| host_reads(register.info().access)) {
        use UserRegister::*;
        let expected: [u64; 2] = match register {
            ControllerStatus => [0b01 << 18 | 0b1_0110, 1 << 17 | 0b0_1111],
            PrimitiveCounter => [1, 1],
            PacketCounter => [1, 1],
            PrefetchWindowFlag | LhBufferNextWriteAddress => [0, 0],
            ModuleState => [0x0000_4222_0002_0001; 2],
            StatusNextWriteAddress => [0x7ff0, 0x0010],
            _ => panic!("{register:?} is not read"),
        };
        let read = [bench.read_user(false, register), bench.read_user(true, register)];
        assert_eq!(read, expected, "{register:?}");
    }
    assert_eq!(bench.read_system(SystemRegister::SmaLid), 0x3_abcd);
}

#[test]
fn partial_write_to_a_register_is_ignored() {
    for byte_enable in (0..0x100u16).map(|low| low | 0xff00).filter(|enable| enable & 0xff != 0xff) {
        let mut bench = Bench::new();
        let before = bench.state();
        for wid in [false, true] {
            for &register in UserRegister::ALL {
                bench.write(user(wid, register), byte_enable, ONES);
            }
        }
        for &register in SystemRegister::ALL.iter().filter(|r| **r != SystemRegister::ControllerReset) {
            bench.write(system(register), byte_enable, ONES);
        }
        assert!(bench.state() == before, "byte enables {byte_enable:#06x}");
    }
}

#[test]
fn hole_reads_0_and_ignores_writes() {
    let holes: Vec<_> = addresses().filter(|&address| Area::locate(address).is_none()).collect();
    assert_eq!(holes.len(), 65536 - (2 * (128 + 128 + 2048 + 256 + 256) + 256));
    let mut bench = Bench::new();
    let before = bench.state();
    for &address in &holes {
        bench.write(address, 0xffff, ONES);
    }
    assert!(bench.state() == before);
    bench.write(Area::Llcm.base(), 0xffff, ONES);
    for &address in &holes {
        assert_eq!(bench.read(Area::Llcm.base()), ONES);
        assert_eq!(bench.read(address), 0, "{address:#x}");
    }
}

#[test]
fn unlisted_register_offset_reads_0_and_ignores_writes() {
    for (base, listed) in [
        (Area::UserRegister.part(false), UserRegister::TABLE),
        (Area::UserRegister.part(true), UserRegister::TABLE),
        (Area::SystemRegister.base(), SystemRegister::TABLE),
    ] {
        let offsets = (0..0x1000u16).step_by(16);
        let unlisted = |access: Access| {
            offsets.clone().filter(move |&offset| {
                !listed.registers.iter().any(|info| {
                    info.offset == offset && (info.access == access || info.access == Access::Any)
                })
            })
        };
        let mut bench = Bench::new();
        let before = bench.state();
        for offset in unlisted(Access::Write) {
            bench.write(base + u32::from(offset), 0xffff, ONES);
        }
        assert!(bench.state() == before, "page {base:#x}");
        for offset in unlisted(Access::Read) {
            assert_eq!(bench.read(base + u32::from(offset)), 0, "{:#x}", base + u32::from(offset));
        }
        assert!(!bench.section.outputs().controller_reset);
    }
}

#[test]
fn area_used_in_the_wrong_direction_reads_0_or_ignores_writes() {
    let mut bench = Bench::new();
    let before = bench.state();
    for area in [Area::PrefetchWindow, Area::LhBuffer] {
        for address in addresses().filter(|&a| Area::locate(a).is_some_and(|place| place.area == area)) {
            bench.write(address, 0xffff, ONES);
        }
    }
    assert!(bench.state() == before);
    for address in addresses().filter(|&a| Area::locate(a).is_some_and(|p| p.area == Area::WriteWindow)) {
        bench.write(address, 0xffff, ONES);
        assert_eq!(bench.read(address), 0);
    }
}

#[test]
fn window_controller_reads_rows_written_by_the_host() {
    let mut bench = Bench::new();
    for (n, address) in addresses()
        .filter(|&a| Area::locate(a).is_some_and(|place| place.area == Area::WriteWindow))
        .enumerate()
    {
        bench.write(address, 0xffff, numbered(n as u128));
    }
    for n in 0..256 {
        bench.section.tick(&In {
            write_window_read_enable: true,
            write_window_address: n as u8,
            ..bench.pins
        });
        assert_eq!(bench.section.outputs().write_window_rdata, numbered(n));
    }
}

#[test]
fn host_reads_rows_written_to_a_prefetch_window() {
    let mut bench = Bench::new();
    for n in 0..256u128 {
        bench.section.tick(&In {
            prefetch_window_byte_enable: 0xffff,
            prefetch_window_address: n as u8,
            prefetch_window_wdata: numbered(n),
            ..bench.pins
        });
    }
    for wid in [false, true] {
        for window in 0..4 {
            let row = (wid as u32) << 7 | u32::from(window) << 5;
            let last = Area::PrefetchWindow.window(wid, window) + 0x1f0;
            assert_eq!(bench.read(last), numbered(u128::from(row + 31)));
        }
    }
}

#[test]
fn llcm_word_is_in_the_part_of_its_process() {
    let mut bench = Bench::new();
    for (address, wdata) in [(0x0003, 1), (0x1000, 2), (0x1fff, 3)] {
        bench.section.tick(&In {
            llcm_byte_enable: 0xff,
            llcm_address: address,
            llcm_wdata: wdata,
            ..bench.pins
        });
    }
    assert_eq!(bench.read(Area::Llcm.part(false) + 0x10), 1 << 64);
    assert_eq!(bench.read(Area::Llcm.part(true)), 2);
    assert_eq!(bench.read(Area::Llcm.part(true) + 0x7ff0), 3 << 64);
}

#[test]
fn llcm_written_in_32_bit_words_reads_as_in_figure_c_6() {
    let mut bench = Bench::new();
    let base = Area::Llcm.part(false);
    for n in 0..10u32 {
        let byte = 4 * n;
        let wdata = u128::from(0xaaaa_0000 + n) << (8 * (byte % 16));
        bench.write(base + byte / 16 * 16, 0xf << (byte % 16), wdata);
    }
    let line = |bench: &mut Bench, row: u32| {
        let rdata = bench.read(base + 16 * row);
        format!("{:016x} {:016x}", rdata as u64, (rdata >> 64) as u64)
    };
    assert_eq!(line(&mut bench, 0), "aaaa0001aaaa0000 aaaa0003aaaa0002");
    assert_eq!(line(&mut bench, 1), "aaaa0005aaaa0004 aaaa0007aaaa0006");
    assert_eq!(line(&mut bench, 2), "aaaa0009aaaa0008 0000000000000000");
}

#[test]
fn read_data_stays_until_the_next_read() {
    let mut bench = Bench::new();
    let base = Area::Llcm.part(false);
    bench.write(base, 0xffff, 7);
    assert_eq!(bench.read(base), 7);
    bench.write(base, 0xffff, 8);
    bench.write_user(false, UserRegister::CommandEx, 9);
    bench.idle(3);
    assert_eq!(bench.section.outputs().rdata, 7);
    assert_eq!(bench.read(base), 8);
}

#[test]
fn lower_becomes_a_request_in_the_next_cycle() {
    use UserRegister::*;
    for wid in [false, true] {
        let mut bench = Bench::new();
        bench.write_user(wid, Command1Upper, 2);
        bench.pins.request_fifo_full = true;
        assert!(!bench.section.outputs().request_enable);
        bench.write_user(wid, Command1Lower, 1);
        let request = Request { lower: 1, upper: 2, to_prefetch_window: true, wid };
        bench.write_user(wid, Command0Lower, 3);
        bench.write_user(wid, Command1Lower, 4);
        for _ in 0..3 {
            assert_eq!(bench.read_user(wid, ControllerStatus) & 1, 1);
            let out = bench.section.outputs();
            assert!(out.request_enable && out.request == request, "a second Lower is ignored");
        }
        assert_eq!(bench.read_user(!wid, ControllerStatus) & 1, 0);
        bench.pins.request_fifo_full = false;
        bench.idle(1);
        assert!(!bench.section.outputs().request_enable);
        assert_eq!(bench.read_user(wid, ControllerStatus) & 1, 0);
    }
}

#[test]
fn processes_with_requests_alternate() {
    use UserRegister::*;
    let mut bench = Bench::new();
    bench.pins.request_fifo_full = true;
    let mut taken = vec![];
    for _ in 0..6 {
        // Both processes always have a request.
        bench.write_user(false, Command0Lower, 10);
        bench.write_user(true, Command0Lower, 11);
        let request = bench.section.outputs().request;
        assert_eq!(request.lower, 10 + request.wid as u64);
        taken.push(request.wid);
        bench.pins.request_fifo_full = false;
        bench.idle(1);
        bench.pins.request_fifo_full = true;
    }
    assert_eq!(taken, [false, true, false, true, false, true]);
}

#[test]
fn controller_reset_keeps_memories_and_sodimm_init() {
    use UserRegister::*;
    let address = system(SystemRegister::ControllerReset);
    for access in [
        HostIn { address, enable: true, ..HostIn::default() },
        HostIn { address, enable: true, write: true, byte_enable: 0x00ff, wdata: 0 },
        HostIn { address, enable: true, write: true, byte_enable: 0x000f, wdata: ONES },
        HostIn { address, enable: true, write: true, byte_enable: 0x0080, wdata: ONES },
    ] {
        let mut bench = counted();
        bench.write_system(SystemRegister::SdimmInit, 1);
        bench.write(Area::Llcm.base(), 0xffff, 5);
        bench.pulse(|status| (status.receive_condition, status.receive_overrun) = (2, true));
        for register in [Command0Upper, CommandEx, CommandExFlag, LhBufferNextReadAddress, Command0Lower] {
            bench.write_user(true, register, u64::MAX);
        }
        bench.beat(access);
        let mut cycles = 0;
        while bench.section.outputs().controller_reset {
            cycles += 1;
            // A register written during the reset stays reset; memories keep working.
            bench.write_user(false, Command0Lower, 1);
            bench.write(Area::Llcm.base() + 16, 0xffff, 6);
            cycles += 1;
        }
        assert_eq!(cycles, 8);
        let out = bench.section.outputs();
        assert!(!out.request_enable && out.sodimm_enabled);
        assert_eq!((out.request, out.request_ex), (Request::default(), 0));
        assert_eq!(bench.read_user(false, ControllerStatus), 0x12);
        assert_eq!(bench.read_user(true, PrimitiveCounter), 0);
        assert_eq!(bench.read_user(true, PacketCounter), 0);
        assert_eq!(bench.section.lh_buffer.q.head1, 0);
        assert_eq!([bench.read(Area::Llcm.base()), bench.read(Area::Llcm.base() + 16)], [5, 6]);
    }
}

#[test]
fn write_of_the_odd_half_does_not_access_controller_reset() {
    let mut bench = Bench::new();
    bench.write(system(SystemRegister::ControllerReset), 0xff00, ONES);
    assert!(!bench.section.outputs().controller_reset);
}

#[test]
fn botf_counter_of_each_process_wraps_at_1024() {
    let mut bench = Bench::new();
    let count =
        |bench: &mut Bench| [false, true].map(|wid| bench.read_user(wid, UserRegister::PrimitiveCounter));
    for _ in 0..1023 {
        bench.pulse(|status| (status.botf_done, status.botf_done_wid) = (true, true));
    }
    assert_eq!(count(&mut bench), [0, 1023]);
    bench.pulse(|status| (status.botf_done, status.botf_done_wid) = (true, true));
    assert_eq!(count(&mut bench), [0, 0]);
}

#[test]
fn controller_status_of_figure_c_12() {
    let mut bench = Bench::new();
    bench.write_system(SystemRegister::SdimmInit, 1);
    for window in [0, 2] {
        bench.pulse(|status| status.vs_result = VsResult { done: true, window, ..VsResult::default() });
    }
    assert_eq!(bench.read_user(false, UserRegister::ControllerStatus), 0x832);
    assert_eq!(bench.read_user(true, UserRegister::ControllerStatus), 0x12, "the other process's windows");
}

#[test]
fn primitive_counter_of_figure_c_14() {
    let mut bench = Bench::new();
    bench.pulse(|status| status.botf_done = true);
    bench.pulse(|status| status.vs_result.done = true);
    assert_eq!(bench.read_user(false, UserRegister::PrimitiveCounter), 0x0010_0001);
    bench.write_user(false, UserRegister::PrimitiveCounterReset, 0);
    assert_eq!(bench.read_user(false, UserRegister::PrimitiveCounter), 0);
}

#[test]
fn module_state_is_one_hot_and_matches_figure_c_13_when_idle() {
    let mut bench = Bench::new();
    assert_eq!(bench.read_user(true, UserRegister::ModuleState), 0x0000_4222_0002_0001);
    bench.pins.status = Status {
        acceptor_state: 3,
        executor_state: 0x3ff,
        executor_family: 0b110,
        receive_state: 15,
        packet_write_state: 3,
        read_control_state: 3,
        write_control_state: 4,
        stride_state: 2,
        ..Status::default()
    };
    let state = ModuleState::from_bits(bench.read_user(false, UserRegister::ModuleState));
    let expected = ModuleState {
        acceptor: 0b1000,
        executor: 0b110 << 10 | 0x3ff,
        receive_controller: 1 << 15,
        prefetch_window_write: 0b1000,
        write_unit: 0b100 << 9 | 0b10000 << 4 | 0b1000,
        prefetch_unit: 0,
    };
    assert_eq!(state, expected);
    bench.pins.status.write_control_state = 5;
    bench.pins.status.stride_state = 3;
    let state = ModuleState::from_bits(bench.read_user(false, UserRegister::ModuleState));
    assert_eq!(state.write_unit, 0b1000, "a number that no state has shows no bit");
}

#[test]
fn quiescent_section_does_not_change() {
    let mut bench = Bench::new();
    assert_eq!(bench.section.quiescent(), Quiet::UntilInput);
    for register in [UserRegister::Command0Lower, UserRegister::StatusAreaSize] {
        bench.write_user(true, register, 1);
        assert_eq!(bench.section.quiescent(), Quiet::Busy);
        bench.idle(1);
        assert_eq!(bench.section.quiescent(), Quiet::UntilInput);
    }
    bench.read_system(SystemRegister::ControllerReset);
    // The reset, then the clearing of the LH Buffer flags.
    let resetting = [Quiet::Busy; 8].into_iter();
    for quiet in resetting.chain((1..=128).rev().map(Quiet::For)) {
        assert_eq!(bench.section.quiescent(), quiet);
        bench.idle(1);
    }
    assert_eq!(bench.section.quiescent(), Quiet::UntilInput);
    let before = bench.state();
    bench.idle(100);
    assert!(bench.state() == before);
}

/// An address biased towards areas and registers.
fn address() -> impl Strategy<Value = u32> {
    prop_oneof![
        0..1u32 << 20,
        (0..6u32, any::<bool>(), 0..0x100u32).prop_map(|(area, wid, row)| {
            let area = Area::ALL[area as usize];
            area.part(wid) + (16 * row) % area.part_bytes()
        }),
        (any::<bool>(), 0..UserRegister::ALL.len()).prop_map(|(wid, n)| user(wid, UserRegister::ALL[n])),
        (0..SystemRegister::ALL.len()).prop_map(|n| system(SystemRegister::ALL[n])),
    ]
}

fn byte_enable() -> impl Strategy<Value = u16> {
    prop_oneof![Just(0xffff), Just(0x00ff), any::<u16>()]
}

prop_compose! {
    fn any_beat()(wdata: u128, byte_enable in byte_enable(), address in address(), write: bool) -> HostIn {
        HostIn { wdata, byte_enable, address, enable: true, write }
    }
}

proptest! {
    #[test]
    fn beats_of_wid_0_and_the_system_page_do_not_affect_wid_1(
        beats in prop::collection::vec((any_beat(), any::<bool>()), 1..200)
    ) {
        let mut bench = Bench::new();
        // Gives WID 1 state that could be lost.
        for area in [Area::WriteWindow, Area::Llcm] {
            for offset in (0..area.part_bytes()).step_by(16) {
                bench.write(area.part(true) + offset, 0xffff, ONES - u128::from(offset));
            }
        }
        for row in 0x80..=0xff {
            bench.section.tick(&In {
                prefetch_window_byte_enable: 0xffff,
                prefetch_window_address: row,
                prefetch_window_wdata: u128::from(row),
                ..bench.pins
            });
        }
        let before = bench.section.clone();
        for (host, request_fifo_full) in beats {
            if !Area::locate(host.address).is_some_and(|place| place.wid) {
                bench.pins.request_fifo_full = request_fifo_full;
                bench.beat(host);
            }
        }
        let halves = |section: &HostInterface| {
            let mut halves = vec![];
            for bank in [&section.write_window.even, &section.write_window.odd,
                         &section.prefetch_window.even, &section.prefetch_window.odd] {
                halves.extend_from_slice(&bank.words()[0x80..]);
            }
            for bank in [&section.llcm.even, &section.llcm.odd] {
                halves.extend_from_slice(&bank.words()[0x800..]);
            }
            halves
        };
        prop_assert!(halves(&bench.section) == halves(&before));
        prop_assert_eq!(bench.section.user_register1, before.user_register1);
        prop_assert_eq!(bench.section.lh_buffer.q.head1, 0);
    }

    #[test]
    fn reads_change_only_read_data_except_controller_reset(
        beats in prop::collection::vec(any_beat(), 1..200)
    ) {
        let mut bench = Bench::new();
        let before = bench.section.clone();
        for host in beats {
            if host.address & !0xf != system(SystemRegister::ControllerReset) {
                bench.beat(HostIn { write: false, ..host });
            }
        }
        let outputs = Out { rdata: 0, ..bench.section.outputs() };
        prop_assert_eq!(outputs, before.outputs());
        let mut words = [vec![], vec![]];
        memories(&before, &mut words[0]);
        memories(&bench.section, &mut words[1]);
        prop_assert!(words[0] == words[1]);
    }
}
