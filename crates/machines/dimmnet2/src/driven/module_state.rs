//! The register Module State as text (thesis figure C.13).
//!
//! The names of idle states are those of the figure, which follow the Verilog of the real Core Logic. The other names
//! are not published: our states have them in the spelling of the figure.

use dimmnet2::receive_controller::{packet_control, packet_write};
use dimmnet2::registers::ModuleState;
use dimmnet2::window_controller::request_acceptor;
use dimmnet2::write_unit::{read_control, ring, stride, write_control};
use dimmnet2::{Family, prefetch_unit};
use hdl::{StateMachine, StateMachineTable};

/// The lines that dsh prints below the word.
pub fn describe(word: u64) -> String {
    let state = ModuleState::from_bits(word);
    let (unit, prefetch) = (u64::from(state.write_unit), u64::from(state.prefetch_unit));
    // A bit for each target that the writer fills: the buffer of a packet, a Prefetch Window.
    let writer = |bit: u32| name(prefetch_unit::pu_write::State::TABLE, prefetch >> bit & 1);
    let pu_write = format!("ST_FIFO_{}, ST_PW_{}", writer(5), writer(6));
    [
        "Window Controller".to_string(),
        format!(
            "Accepter : P_RPATH_{}",
            one_hot(request_acceptor::State::TABLE, u64::from(state.acceptor), 4)
        ),
        format!("Executer : {}", executor(state.executor)),
        "Receive Controller".to_string(),
        one_hot(packet_control::State::TABLE, u64::from(state.receive_controller), 16),
        "PWrite".to_string(),
        one_hot(packet_write::State::TABLE, u64::from(state.prefetch_window_write), 4),
        "Write Unit rctl_stat".to_string(),
        one_hot(read_control::State::TABLE, unit & 0xf, 4),
        "Write Unit wctl_stat".to_string(),
        one_hot(write_control::State::TABLE, unit >> 4 & 0x1f, 5),
        "Write Unit wu_stride".to_string(),
        one_hot(stride::State::TABLE, unit >> 9 & 7, 3),
        "Write Unit wu_ipush".to_string(),
        format!("M_{}", name(ring::State::TABLE, unit >> 12 & 3)),
        "Prefetch Unit".to_string(),
        format!("ST_R_{}", name(prefetch_unit::pu_read::State::TABLE, prefetch & 7)),
        "Prefetch Unit pu_ctl".to_string(),
        format!("ST_{}", name(prefetch_unit::pu_ctl::State::TABLE, prefetch >> 3 & 3)),
        "Prefetch Unit pu_write".to_string(),
        pu_write,
    ]
    .map(|line| line + "\n")
    .concat()
}

/// The field of the Request Executor: active family in 12:10, its state in 9:0. Idle has the name of figure C.13.
fn executor(field: u16) -> String {
    let (family, state) = ((field >> 10) as u8, field & 0x3ff);
    match (field, Family::from_code(family)) {
        (0, _) => "P_BOTF_WAIT".to_string(),
        (_, Some(family)) => {
            let family = Family::TABLE.codes.iter().find(|code| code.value == family.code());
            let family = family.expect("the table holds every family").name.trim_start_matches("Family");
            format!("P_{}_{state}", family.to_uppercase())
        }
        (_, None) => format!("P_{family}_{state}"),
    }
}

/// The state of a machine with one bit per state; a state beyond the field has no name.
fn one_hot(table: &StateMachineTable, bits: u64, width: u32) -> String {
    if bits.is_power_of_two() && bits.trailing_zeros() < width {
        name(table, u64::from(bits.trailing_zeros()))
    } else {
        format!("{bits:#x}")
    }
}

/// `ReqIn` becomes REQ_IN.
fn name(table: &StateMachineTable, code: u64) -> String {
    let Some(state) = table.state(code) else { return format!("{code:#x}") };
    let mut text = String::new();
    for (i, c) in state.chars().enumerate() {
        if i > 0 && c.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(c.to_ascii_uppercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE_C_13: &str = "\
Window Controller
Accepter : P_RPATH_NOP
Executer : P_BOTF_WAIT
Receive Controller
IDLE
PWrite
IDLE
Write Unit rctl_stat
IDLE
Write Unit wctl_stat
IDLE
Write Unit wu_stride
IDLE
Write Unit wu_ipush
M_IDLE
Prefetch Unit
ST_R_IDLE
Prefetch Unit pu_ctl
ST_IDLE
Prefetch Unit pu_write
ST_FIFO_IDLE, ST_PW_IDLE
";

    #[test]
    fn idle_controller_reads_as_in_figure_c_13() {
        assert_eq!(describe(0x0000_4222_0002_0001), FIGURE_C_13);
    }

    #[test]
    fn working_machines_are_named_by_our_states() {
        let state = ModuleState {
            acceptor: 0b0100,
            executor: 0b010 << 10 | 3,
            receive_controller: 1 << 6,
            prefetch_window_write: 0b0100,
            write_unit: 1 << 12 | 0b010 << 9 | 0b00100 << 4 | 0b1000,
            prefetch_unit: 1 << 6 | 3 << 3 | prefetch_unit::pu_read::State::Element as u8,
        };
        let text = describe(state.bits());
        for line in [
            "Accepter : P_RPATH_REQ_IN",
            "Executer : P_VS_3",
            "DECODE",
            "WRITE",
            "READ",
            "STORE",
            "M_FETCH",
            "ST_R_ELEMENT",
            "ST_DATA",
            "ST_FIFO_IDLE, ST_PW_WRITE",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} in {text}");
        }
    }

    #[test]
    fn bits_of_no_state_are_shown_as_a_number() {
        assert!(describe(0b0101).contains("Accepter : P_RPATH_0x5\n"));
        assert!(describe(0).contains("Accepter : P_RPATH_0x0\n"));
        assert!(describe(u64::MAX).contains("Executer : P_7_1023\n"));
    }
}
