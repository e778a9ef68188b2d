//! Generated files of the device: SystemVerilog packages for `rtl/`, their list in the order in which tools
//! must read them, the list of all sources, the registers as C header and SystemRDL, and pages for
//! `docs/registers/`.

use std::io;
use std::path::Path;

use hdl::{Package, emit};

use crate::registers::{SYSTEM_PACKAGE, SystemRegister, USER_PACKAGE, UserRegister};
use crate::{command, line, packet, request};

/// The generated SystemVerilog packages; each uses only packages before it.
#[rustfmt::skip] // One a line.
pub const PACKAGES: &[&Package] = &[
    &crate::line::PACKAGE,
    &crate::command::PACKAGE,
    &crate::request::PACKAGE,
    &crate::packet::PACKAGE,
    &crate::registers::USER_PACKAGE,
    &crate::registers::SYSTEM_PACKAGE,
    &crate::pins::PACKAGE,
    &crate::prefetch_unit::pins::PACKAGE,
    &crate::prefetch_unit::pu_copy::PACKAGE,
    &crate::prefetch_unit::pu_ctl::PACKAGE,
    &crate::prefetch_unit::pu_read::PACKAGE,
    &crate::prefetch_unit::pu_write::PACKAGE,
    &crate::prefetch_unit::pu_list::PACKAGE,
    &crate::prefetch_unit::packet_buffer::PACKAGE,
    &crate::host_interface::pins::PACKAGE,
    &crate::host_interface::write_window::PACKAGE,
    &crate::host_interface::prefetch_window::PACKAGE,
    &crate::host_interface::llcm::PACKAGE,
    &crate::host_interface::lh_buffer::PACKAGE,
    &crate::host_interface::user_register::PACKAGE,
    &crate::host_interface::system_register::PACKAGE,
    &crate::host_interface::configuration_distribution::PACKAGE,
    &crate::host_interface::amt_address_table::PACKAGE,
    &crate::window_controller::pins::PACKAGE,
    &crate::window_controller::configuration_register::PACKAGE,
    &crate::window_controller::request_fifo::PACKAGE,
    &crate::window_controller::request_acceptor::PACKAGE,
    &crate::window_controller::request_executor::PACKAGE,
    &crate::window_controller::botf::PACKAGE,
    &crate::window_controller::vs::PACKAGE,
    &crate::window_controller::vl::PACKAGE,
    &crate::window_controller::rvs::PACKAGE,
    &crate::window_controller::rvl::PACKAGE,
    &crate::receive_controller::pins::PACKAGE,
    &crate::receive_controller::packet_control::PACKAGE,
    &crate::receive_controller::packet_write::PACKAGE,
    &crate::receive_controller::head_write::PACKAGE,
    &crate::write_unit::pins::PACKAGE,
    &crate::write_unit::read_control::PACKAGE,
    &crate::write_unit::write_control::PACKAGE,
    &crate::write_unit::write_arbiter::PACKAGE,
    &crate::write_unit::window_read::PACKAGE,
    &crate::write_unit::stride::PACKAGE,
    &crate::write_unit::list_read::PACKAGE,
    &crate::write_unit::ring::PACKAGE,
    &crate::region::PACKAGE,
    &crate::request_separator::PACKAGE,
    &crate::status_write_unit::PACKAGE,
    &crate::sodimm_interface::pins::PACKAGE,
    &crate::sodimm_interface::sodimm_arbiter::PACKAGE,
    &crate::sodimm_interface::sodimm::PACKAGE,
    &crate::swif::pins::PACKAGE,
    &crate::core_logic::pins::PACKAGE,
    &crate::swif::infiniband::PACKAGE,
    &crate::swif::encapsulation::PACKAGE,
    &crate::swif::decapsulation::PACKAGE,
];

/// Packages that describe the device to a driver.
const DRIVER: &[&Package] = &[&USER_PACKAGE, &SYSTEM_PACKAGE, &command::PACKAGE, &packet::PACKAGE];

/// Width of a host access in bits.
const WORD: u32 = 64;

/// Generated files: path below `root` and text. `root` is the root of a repository with all modules.
pub fn files(root: &Path) -> io::Result<Vec<emit::Generated>> {
    let mut files = emit::files("dimmnet2", PACKAGES, pages());
    files.push(emit::sources_list(root, "dimmnet2", PACKAGES)?);
    files.extend(emit::driver_files("dimmnet2", WORD, DRIVER));
    Ok(files)
}

fn pages() -> [(&'static str, String); 4] {
    [
        (
            "user",
            emit::register_page("DIMMnet-2 User Register", USER_PACKAGE.source, UserRegister::TABLE)
                + &emit::sections(&[hdl::Item::Codes(crate::registers::ReceiveCondition::TABLE)]),
        ),
        (
            "system",
            emit::register_page("DIMMnet-2 System Register", SYSTEM_PACKAGE.source, SystemRegister::TABLE),
        ),
        (
            "commands",
            emit::package_page(
                "DIMMnet-2 commands",
                "A command is Upper and Lower, 128 bits, and Command Ex where its flag is set. Bits that no \
                 field names are written as 0 and ignored when read.",
                &[&command::PACKAGE, &request::PACKAGE],
            ),
        ),
        (
            "packet",
            emit::package_page(
                "DIMMnet-2 packets",
                "A packet is a sequence of 66-bit lines: two to four header lines, then data, 8 bytes a line. \
                 A receive status is laid out as a command. Bits that no field names are written as 0 and \
                 ignored when read.",
                &[&line::PACKAGE, &packet::PACKAGE],
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_tables_are_up_to_date() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let files = files(&root).unwrap();
        let stale = hdl::emit::stale(&root, &files);
        assert!(stale.is_empty(), "run `make tables` and commit: {}", stale.join(", "));
    }

    #[test]
    fn no_file_is_generated_twice() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let mut paths: Vec<_> = files(&root).unwrap().into_iter().map(|(path, _)| path).collect();
        let count = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), count);
    }
}
