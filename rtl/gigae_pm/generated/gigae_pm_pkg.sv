// Generated from crates/devices/gigae_pm/src/pins.rs by `make tables`; do not edit.
package gigae_pm_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // One access of the host to the card, a PCI target: a word of 32 bits.
  typedef struct packed {
    logic user;  // The access is by a user process, which may only read the window.
    logic write;  // The access writes; otherwise it reads, and `rdata` follows two cycles later.
    logic enable;  // The host accesses the card in this cycle.
    logic [13:0] address;  // Byte address in the card's aperture, a multiple of 4 (decision 0028).
    logic [31:0] wdata;  // Word to write.
  } host_in_t;

  // Answers to the host.
  typedef struct packed {
    logic interrupt_request;  // An interrupt cause is set and enabled.
    logic [31:0] rdata;  // Word of the read two cycles earlier; stays until the next one.
  } host_out_t;

  // From the PCI bus to the card as master.
  typedef struct packed {
    logic ready;  // The word at `address` is transferred in this cycle.
    logic grant;  // The card has the bus from this cycle on.
    logic [31:0] rdata;  // Word of host memory at `address`, with `ready`.
  } bus_in_t;

  // From the card as master to the PCI bus.
  typedef struct packed {
    logic write;  // Direction: to host memory; otherwise from it.
    logic transfer;  // Words are transferred: each in a cycle with `ready`.
    logic request;  // The card requests the bus, and keeps it until this falls.
    logic [31:0] address;  // Byte address in host memory, a multiple of 4.
    logic [31:0] wdata;  // Word for host memory.
  } bus_out_t;

  // From the physical layer (GMII), network clock.
  typedef struct packed {
    logic rx_error;  // The byte was received with an error.
    logic rx_valid;  // `rx_data` holds a byte.
    logic [7:0] rx_data;  // Byte of a frame, preamble included.
  } network_in_t;

  // To the physical layer (GMII), network clock.
  typedef struct packed {
    logic tx_enable;  // `tx_data` holds a byte.
    logic [7:0] tx_data;  // Byte of a frame, preamble included.
  } network_out_t;

  // All input pins of the card.
  typedef struct packed {
    network_in_t network;  // Physical layer.
    bus_in_t bus;  // PCI master.
    host_in_t host;  // PCI target.
  } in_t;

  // All output pins of the card.
  typedef struct packed {
    network_out_t network;  // Physical layer.
    bus_out_t bus;  // PCI master.
    host_out_t host;  // PCI target.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
