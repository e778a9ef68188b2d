//! Generated files of the adapter: SystemVerilog packages for `rtl/`, lists of packages and of all files in
//! the order in which tools must read them, registers as C header and SystemRDL, and pages for
//! `docs/registers/`.

use std::io;
use std::path::Path;

use hdl::{Package, emit};

use crate::registers::{Doorbell, Register};
use crate::{contexts, layout, registers};

/// The generated SystemVerilog packages, in an order in which each uses only earlier ones.
#[rustfmt::skip] // One a line.
pub const PACKAGES: &[&Package] = &[
    &crate::pins::PACKAGE,
    &crate::layout::PACKAGE,
    &crate::contexts::PACKAGE,
    &crate::registers::PACKAGE,
    &crate::key_check::PACKAGE,
    &crate::protocol::requester::PACKAGE,
    &crate::protocol::responder::PACKAGE,
    &crate::events::PACKAGE,
    &crate::retry_timer::PACKAGE,
    &crate::search::PACKAGE,
    &crate::scheduler::PACKAGE,
    &crate::command::PACKAGE,
    &crate::host_port::PACKAGE,
    &crate::host_dma::PACKAGE,
    &crate::completion::PACKAGE,
    &crate::send_engine::PACKAGE,
    &crate::receive_engine::PACKAGE,
    &crate::link::link_transmit::PACKAGE,
    &crate::link::link_receive::PACKAGE,
];

/// Tables for the page of the adapter's registers.
const DRIVER: &[&Package] = &[&registers::PACKAGE, &contexts::PACKAGE, &layout::PACKAGE];

/// Bits of an access of the host.
const WORD: u32 = 32;

/// Generated files: path below the root of the repository, which is there with all modules, and text.
pub fn files(root: &Path) -> io::Result<Vec<emit::Generated>> {
    let mut files = emit::files("hca", PACKAGES, pages());
    files.push(emit::sources_list(root, "hca", PACKAGES)?);
    files.extend(emit::driver_files("hca", WORD, DRIVER));
    Ok(files)
}

fn pages() -> [(&'static str, String); 3] {
    [
        (
            "registers",
            emit::register_page("Channel adapter: registers", registers::PACKAGE.source, Register::TABLE),
        ),
        (
            "doorbells",
            emit::register_page("Channel adapter: doorbells", registers::PACKAGE.source, Doorbell::TABLE),
        ),
        (
            "memory",
            emit::package_page(
                "Channel adapter: contexts, operations, packets",
                "Rows of contexts as they are staged, in words of 32 bits; codes of WQEs, CQEs and packets.",
                &[&contexts::PACKAGE, &layout::PACKAGE],
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
