//! GigaE PM against its RTL.

/// Assertions of the RTL fire.
mod assertions;
/// Bad input ends in a counter, a flag or a cause.
mod bad_input;
/// Random pins for one block, and what must come of them.
mod bench;
/// The whole card.
mod board;
/// A card between a host and a cable.
mod card;
/// The machines of the firmware.
mod firmware;
/// The card as PCI target.
mod host_port;
/// Ethernet.
mod mac;
/// Frames between NIC memory and the MAC.
mod network_dma;
/// The card as PCI master.
mod pci_dma;
/// The rules of sender and receiver.
mod protocol;
/// Traces of the checker, played on cards.
mod replays;
/// What a reset leaves.
mod resets;
/// Every block is there twice.
mod twins;
