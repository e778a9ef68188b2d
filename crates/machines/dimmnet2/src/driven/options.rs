//! Options of `sreg_read`, `sreg_write`, `ureg_read` and `ureg_write` (thesis tables C.2 to C.4, figure C.10).

use dimmnet2::registers::{SystemRegister, UserRegister};
use hdl::RegisterInfo;

/// A register under its name in commands.
#[derive(Debug)]
pub struct Named<R: 'static> {
    /// Spelling in tables C.2 to C.4.
    pub name: &'static str,
    /// Another spelling.
    pub alias: Option<&'static str>,
    /// Title between the hashes of the output. Those of the figures are published; the others are our choice.
    pub title: &'static str,
    /// Register behind the option.
    pub register: R,
}

const fn named<R>(name: &'static str, title: &'static str, register: R) -> Named<R> {
    Named { name, alias: None, title, register }
}

/// Options of `sreg_read`.
pub static SREG_READ: [Named<SystemRegister>; 1] =
    [named("sma_lid", "Get LID from sma", SystemRegister::SmaLid)];

/// Options of `sreg_write` without `amt` (thesis table C.2), and a register of our own.
pub static SREG_WRITE: [Named<SystemRegister>; 9] = [
    named("sdimm_init", "", SystemRegister::SdimmInit),
    named("sdimm_capacity", "", SystemRegister::SdimmCapacity),
    named("mtu", "", SystemRegister::Mtu),
    named("sma_reset", "", SystemRegister::SmaSoftwareReset),
    named("lid", "", SystemRegister::Lid),
    named("pgid0", "", SystemRegister::Pgid0),
    named("pgid1", "", SystemRegister::Pgid1),
    // Thesis figure C.11 has the other spelling.
    Named { alias: Some("clt_reset"), ..named("ctl_reset", "", SystemRegister::ControllerReset) },
    named("read_options", "", SystemRegister::ReadOptions),
];

/// Options of `ureg_read` (thesis table C.3).
pub static UREG_READ: [Named<UserRegister>; 7] = [
    named("ctl_status", "Controller Status", UserRegister::ControllerStatus),
    named("prim_counter", "Primitive Counter", UserRegister::PrimitiveCounter),
    named("pw_flag", "Prefetch Flag", UserRegister::PrefetchWindowFlag),
    named("pkt_counter", "Packet Counter", UserRegister::PacketCounter),
    named("evpbuf_nwa", "LH Buffer Next Write Address", UserRegister::LhBufferNextWriteAddress),
    named("module_state", "Module Status", UserRegister::ModuleState),
    // Table C.3 says Head; the register is the Tail (thesis table 4.8).
    named("status_nwa", "Status Next Write Address", UserRegister::StatusNextWriteAddress),
];

/// Options of `ureg_write` (thesis table C.4).
pub static UREG_WRITE: [Named<UserRegister>; 7] = [
    named("prim_counter_reset", "Primitive Counter Reset", UserRegister::PrimitiveCounterReset),
    named("pkt_counter_reset", "Packet Counter Reset", UserRegister::PacketCounterReset),
    named("ivs_area_size", "IPUSH Area Size", UserRegister::IpushAreaSize),
    named("evpbuf_nra", "LH Buffer Next Read Address", UserRegister::LhBufferNextReadAddress),
    named("status_initial_addr", "Status Initial Address", UserRegister::StatusInitialAddress),
    named("status_area_size", "Status Area Size", UserRegister::StatusAreaSize),
    // Table C.4 says Tail; the register is the Head (thesis table 4.8).
    named("status_nra", "Status Next Read Address", UserRegister::StatusNextReadAddress),
];

/// The option with that name or alias.
pub fn find<R>(options: &'static [Named<R>], name: &str) -> Option<&'static Named<R>> {
    options.iter().find(|option| option.name == name || option.alias == Some(name))
}

/// The only direction of an option that is only read or only written.
pub fn direction(name: &str) -> Option<&'static str> {
    let read = find(&SREG_READ, name).is_some() || find(&UREG_READ, name).is_some();
    let written = find(&SREG_WRITE, name).is_some() || find(&UREG_WRITE, name).is_some();
    match (read, written) {
        (true, false) => Some("read"),
        (false, true) => Some("written"),
        _ => None,
    }
}

/// The line that writes a register, by its name in the tables; `None` if no option stands for it.
pub fn write_line(register: &str, value: u64) -> Option<String> {
    let user = UREG_WRITE.iter().map(|option| ("ureg_write", option.name, option.register.info()));
    let system = SREG_WRITE.iter().map(|option| ("sreg_write", option.name, option.register.info()));
    let (command, option, _) = user.chain(system).find(|(.., info)| info.name == register)?;
    Some(format!("{command} {option} {value:#x}"))
}

/// The largest value that the register holds.
pub fn most(info: &RegisterInfo) -> u64 {
    u64::MAX >> (64 - info.width)
}

#[cfg(test)]
mod tests {
    use hdl::Access;

    use super::*;

    #[test]
    fn options_have_the_offsets_of_tables_4_8_and_4_12_and_ours() {
        let user = |options: &'static [Named<UserRegister>]| -> Vec<_> {
            options.iter().map(|option| option.register.info().offset).collect()
        };
        assert_eq!(user(&UREG_READ), [0x200, 0x300, 0x400, 0x500, 0x700, 0x800, 0xb00]);
        assert_eq!(user(&UREG_WRITE), [0x300, 0x500, 0x600, 0x700, 0x900, 0xa00, 0xb00]);
        let system: Vec<_> = SREG_WRITE.iter().map(|option| option.register.info().offset).collect();
        assert_eq!(system, [0x000, 0x100, 0x200, 0x300, 0x700, 0x800, 0x900, 0xa00, 0x400]);
        assert_eq!(SREG_READ[0].register.info().offset, 0x300);
    }

    #[test]
    fn options_name_registers_of_their_direction() {
        assert!(UREG_READ.iter().all(|option| option.register.info().access == Access::Read));
        assert!(UREG_WRITE.iter().all(|option| option.register.info().access == Access::Write));
        assert!(SREG_WRITE.iter().all(|option| option.register.info().access != Access::Read));
    }

    #[test]
    fn registers_are_written_by_their_options() {
        assert_eq!(write_line("Mtu", 8).as_deref(), Some("sreg_write mtu 0x8"));
        assert_eq!(write_line("StatusAreaSize", 1).as_deref(), Some("ureg_write status_area_size 0x1"));
        assert_eq!(write_line("ControllerStatus", 0), None);
    }

    #[test]
    fn controller_reset_is_found_as_figure_c_11_spells_it() {
        assert_eq!(find(&SREG_WRITE, "clt_reset").unwrap().name, "ctl_reset");
        assert!(find(&SREG_WRITE, "reset").is_none());
    }
}
