//! Random pins on every cycle, then all entries.

use dimmnet2::host_interface::amt_address_table::AmtAddressTable;

#[test]
fn amt_address_table_matches_its_rtl_on_every_cycle() {
    super::walk::<AmtAddressTable>("amt_address_table", |stimulus| stimulus.pins());
}
