//! Every generated file of the card: SystemVerilog packages for `rtl/` and their lists, the
//! registers as C header and as SystemRDL, and pages for `docs/registers/`.

use std::io;
use std::path::Path;

use hdl::{Package, emit};

use crate::registers::Register;
use crate::{firmware, header, mac, memory_map, protocol, registers};

/// The generated SystemVerilog packages, in an order in which each uses only earlier ones.
#[rustfmt::skip] // One a line.
pub const PACKAGES: &[&Package] = &[
    &protocol::frame::PACKAGE,
    &protocol::rules::PACKAGE,
    &protocol::control::PACKAGE,
    &protocol::sender::PACKAGE,
    &protocol::receiver::PACKAGE,
    &crate::pins::PACKAGE,
    &crate::header::PACKAGE,
    &crate::memory_map::PACKAGE,
    &crate::pci_dma::PACKAGE,
    &crate::mac::pins::PACKAGE,
    &crate::mac::mac_transmit::PACKAGE,
    &crate::mac::mac_receive::PACKAGE,
    &crate::network_dma::receive_dma::PACKAGE,
    &crate::network_dma::transmit_dma::PACKAGE,
    &crate::registers::PACKAGE,
    &crate::host_port::PACKAGE,
    &crate::firmware::cost::PACKAGE,
    &crate::firmware::pins::PACKAGE,
    &crate::firmware::dispatcher::PACKAGE,
    &crate::firmware::receive_frame::PACKAGE,
    &crate::firmware::send_message::PACKAGE,
    &crate::firmware::timer_scan::PACKAGE,
    &crate::firmware::apply_rule::PACKAGE,
    &crate::firmware::send_buffer::PACKAGE,
];

/// Packages of the C header for drivers.
const DRIVER: &[&Package] =
    &[&registers::PACKAGE, &memory_map::PACKAGE, &protocol::frame::PACKAGE, &header::PACKAGE];

/// Bits of a host access.
const WORD: u32 = 32;

/// Generated files: path below the root of the repository, which is there with all modules, and
/// text.
pub fn files(root: &Path) -> io::Result<Vec<emit::Generated>> {
    let mut files = emit::files("gigae_pm", PACKAGES, pages());
    files.push(emit::sources_list(root, "gigae_pm", PACKAGES)?);
    files.extend(emit::driver_files("gigae_pm", WORD, DRIVER));
    Ok(files)
}

fn pages() -> [(&'static str, String); 2] {
    [
        ("registers", emit::register_page("GigaE PM registers", registers::PACKAGE.source, Register::TABLE)),
        (
            "memory",
            emit::package_page(
                "GigaE PM in memory and on the wire",
                "What lies where in NIC memory, in words of 32 bits; the control structure of a peer; frames as the firmware \
                 orders them and as the MAC reports them; what steps of the firmware cost.",
                &[
                    &memory_map::PACKAGE,
                    &protocol::control::PACKAGE,
                    &protocol::frame::PACKAGE,
                    &header::PACKAGE,
                    &mac::pins::PACKAGE,
                    &firmware::cost::PACKAGE,
                ],
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
}
