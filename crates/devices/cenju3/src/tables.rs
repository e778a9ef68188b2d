//! Generated files of the NIF: SystemVerilog packages for `rtl/`, lists of packages and of all files in the
//! order in which tools must read them, registers as C header and SystemRDL, and pages for `docs/registers/`.

use std::io;
use std::path::Path;

use hdl::{Package, emit};

use crate::registers::Register;
use crate::{memory_map, registers};

/// The generated SystemVerilog packages, in an order in which each uses only earlier ones.
#[rustfmt::skip] // One a line.
pub const PACKAGES: &[&Package] = &[
    &crate::pins::PACKAGE,
    &crate::memory_map::PACKAGE,
    &crate::registers::PACKAGE,
    &crate::send_queue::PACKAGE,
    &crate::mask::PACKAGE,
    &crate::send_dma::PACKAGE,
    &crate::link_transmit::PACKAGE,
    &crate::link_receive::PACKAGE,
    &crate::receive_ring::PACKAGE,
    &crate::arbiter::PACKAGE,
    &crate::memory_port::PACKAGE,
    &crate::interrupt::PACKAGE,
    &crate::register_file::PACKAGE,
];

/// Tables for the page of the NIF's registers.
const DRIVER: &[&Package] = &[&registers::PACKAGE, &memory_map::PACKAGE];

/// Bits of an access of the host.
const WORD: u32 = 32;

/// Generated files: path below the root of the repository, which is there with all modules, and text.
pub fn files(root: &Path) -> io::Result<Vec<emit::Generated>> {
    let mut files = emit::files("cenju3", PACKAGES, pages());
    files.push(emit::sources_list(root, "cenju3", PACKAGES)?);
    files.extend(emit::driver_files("cenju3", WORD, DRIVER));
    Ok(files)
}

fn pages() -> [(&'static str, String); 2] {
    [
        (
            "registers",
            emit::register_page("Cenju-3 NIF registers", registers::PACKAGE.source, Register::TABLE),
        ),
        (
            "memory",
            emit::package_page(
                "Cenju-3 NIF in memory and on the link",
                "Entries of send queues, headers in receive rings, packets, and why an entry is refused.",
                &[&memory_map::PACKAGE],
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
