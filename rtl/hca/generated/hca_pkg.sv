// Generated from crates/devices/hca/src/pins.rs by `make tables`; do not edit.
package hca_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // One access of the host to the adapter, a PCI target: a word of 32 bits.
  typedef struct packed {
    logic user;  // A user process makes the access: it may only write doorbells.
    logic write;  // The access writes; otherwise it reads, and `rdata` follows a cycle later.
    logic enable;  // The host makes an access in this cycle.
    // Byte address in the adapter's aperture, a multiple of 4 (decision 0060).
    logic [13:0] address;
    logic [31:0] wdata;  // Word to write.
  } host_in_t;

  // Answers to the host.
  typedef struct packed {
    logic interrupt_request;  // An interrupt cause is set and enabled.
    logic [31:0] rdata;  // Word of the last read.
  } host_out_t;

  // From the PCI bus to the adapter as master.
  typedef struct packed {
    logic ready;  // The word at `address` is transferred in this cycle.
    logic grant;  // The adapter has the bus from this cycle on.
    logic [63:0] rdata;  // Word of host memory at `address`, with `ready`; byte 0 is bits 7:0.
  } bus_in_t;

  // From the adapter as master to the PCI bus.
  typedef struct packed {
    logic write;  // Direction: to host memory, otherwise from it.
    logic transfer;  // A word is offered or requested; it is transferred in a cycle with `ready`.
    logic request;  // The adapter requests the bus and keeps it until this falls.
    logic [7:0] byte_enable;  // Bytes of the word that are written, a bit each.
    logic [31:0] address;  // Byte address in host memory, a multiple of 8.
    logic [63:0] wdata;  // Word for host memory.
  } bus_out_t;

  // From the link layer.
  typedef struct packed {
    logic transmit_ready;  // The word of the packet that is sent is taken in this cycle.
    logic valid;  // `data` is valid; it is taken in a cycle with `receive_ready`.
    logic last;  // The word is the last one of its packet.
    logic [63:0] data;  // Word of an arriving packet; byte 0, bits 7:0, was first on the cable.
  } link_in_t;

  // To the link layer.
  typedef struct packed {
    logic receive_ready;  // The arriving word is taken in this cycle.
    logic valid;  // `data` is valid.
    logic last;  // The word is the last one of its packet.
    logic [63:0] data;  // Word of a packet that is sent.
  } link_out_t;

  // All input pins of the adapter.
  typedef struct packed {
    link_in_t link;  // Words of the link.
    bus_in_t bus;  // Bus: PCI master.
    host_in_t host;  // Access of the host: PCI target.
  } in_t;

  // All output pins of the adapter.
  typedef struct packed {
    link_out_t link;  // Words of the link.
    bus_out_t bus;  // Bus: PCI master.
    host_out_t host;  // Access of the host: PCI target.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
