#[path = "../../../hdl/tests/support/header.rs"]
mod compiled;

use gigae_pm::memory_map::{CONTROL_STRUCTURES, Flag, MTU};
use gigae_pm::protocol::frame::Kind;
use gigae_pm::registers::Register;

#[test]
fn c_and_cpp_see_the_values_of_the_tables() {
    let offset = |register: Register| u64::from(register.info().offset);
    compiled::says(
        "rtl/gigae_pm/generated/gigae_pm.h",
        &[
            ("GIGAE_PM_CONTROL_OFFSET", offset(Register::Control)),
            ("GIGAE_PM_INTERRUPT_CAUSE_OFFSET", offset(Register::InterruptCause)),
            ("GIGAE_PM_EXPIRED_OFFSET", offset(Register::Expired)),
            ("GIGAE_PM_RULES_MASK", 0x3ffff),
            ("GIGAE_PM_TIMEOUT_RESET", Register::Timeout.info().reset),
            ("GIGAE_PM_FLAG_REFUSED", Flag::Refused.code().into()),
            ("GIGAE_PM_KIND_STOP", Kind::Stop.code().into()),
            ("GIGAE_PM_MTU", MTU as u64),
            ("GIGAE_PM_CONTROL_STRUCTURES", CONTROL_STRUCTURES as u64),
        ],
    );
}
