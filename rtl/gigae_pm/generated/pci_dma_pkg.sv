// Generated from crates/devices/gigae_pm/src/pci_dma.rs by `make tables`; do not edit.
package pci_dma_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Cycles in `Setup` of a transfer from the host.
  localparam logic [6:0] FromHostSetup = 7'd73;

  // Cycles in `Setup` of a transfer to the host.
  localparam logic [6:0] ToHostSetup = 7'd63;

  // PCI DMA engine.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a transfer.
    Check = 3'd1,  // Checks that the buffer is pinned.
    Setup = 3'd2,  // Sets up registers and waits for the target's first word.
    Request = 3'd3,  // Waits for the bus.
    Transfer = 3'd4,  // Moves words.
    Done = 3'd5  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Done
    6'b100000,  // from Transfer
    6'b010000,  // from Request
    6'b001000,  // from Setup
    6'b100100,  // from Check
    6'b000010  // from Idle
  };

  // A transfer between host memory and NIC memory.
  typedef struct packed {
    logic [31:0] area;  // Byte address of the pinned area in host memory.
    logic to_host;  // Direction: to the host; otherwise from the host.
    logic [8:0] words;  // Words to move, at least one.
    logic [17:0] nic_address;  // Word address in NIC memory.
    logic [31:0] host_address;  // Byte address in host memory; its two lowest bits are ignored.
  } transfer_t;

  // Input pins of PCI DMA.
  typedef struct packed {
    logic ready;  // From the bus: a word is transferred in this cycle.
    logic grant;  // From the bus: the card is master.
    logic [31:0] rdata;  // From the bus: word of host memory.
    logic start;  // Starts the transfer; only while `idle`.
    transfer_t transfer;  // The transfer to start.
  } in_t;

  // Output pins of PCI DMA.
  typedef struct packed {
    logic refused;  // With `done`: the transfer was refused, because the buffer is not pinned.
    logic done;  // A transfer is over; high for one cycle.
    logic [31:0] memory_wdata;  // Word to write.
    logic memory_write;  // Writes the word at `memory_address`.
    logic memory_next;  // Reads it if the bus takes the word read before.
    logic memory_read;  // Reads the word at `memory_address`.
    logic [17:0] memory_address;  // Word of NIC memory.
    logic [31:0] address;  // To the bus: byte address in host memory.
    logic write;  // To the bus: to host memory.
    logic transfer;  // To the bus: words are transferred.
    logic request;  // To the bus: requests the bus.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
