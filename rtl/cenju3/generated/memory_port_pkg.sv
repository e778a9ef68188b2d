// Generated from crates/devices/cenju3/src/memory_port.rs by `make tables`; do not edit.
package memory_port_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Requests of all blocks, the grant, and the answer of memory.
  typedef struct packed {
    logic ready;  // From memory: a word is transferred in this cycle.
    logic [5:0] grant;  // From the arbiter: grants, a bit for each block, ring 0 lowest.
    // Request of the user's queue.
    struct packed {
      logic [5:0] read;
      logic [25:0] entry;
      logic [63:0] addresses;
      logic [63:0] control;
      logic valid;
      logic [5:0] memory_left;
      logic [25:0] memory_address;
      logic memory_request;
      logic idle;
    } queue1;
    // Request of the kernel's queue.
    struct packed {
      logic [5:0] read;
      logic [25:0] entry;
      logic [63:0] addresses;
      logic [63:0] control;
      logic valid;
      logic [5:0] memory_left;
      logic [25:0] memory_address;
      logic memory_request;
      logic idle;
    } queue0;
    // Request of send DMA.
    struct packed {
      logic sent;
      logic word_enable;
      struct packed { logic last; logic [63:0] data; } word;
      logic [5:0] memory_left;
      logic [25:0] memory_address;
      logic memory_request;
      logic idle;
    } dma;
    // Request of the receive ring of DMA.
    struct packed {
      logic [5:0] write;
      logic arrived;
      logic fault;
      logic [7:0] memory_strobe;
      logic [63:0] memory_wdata;
      logic [25:0] memory_address;
      logic memory_request;
      logic word_next;
      logic idle;
    } ring2;
    // Receive message buffer 1.
    struct packed {
      logic [5:0] write;
      logic arrived;
      logic fault;
      logic [7:0] memory_strobe;
      logic [63:0] memory_wdata;
      logic [25:0] memory_address;
      logic memory_request;
      logic word_next;
      logic idle;
    } ring1;
    // Receive message buffer 0.
    struct packed {
      logic [5:0] write;
      logic arrived;
      logic fault;
      logic [7:0] memory_strobe;
      logic [63:0] memory_wdata;
      logic [25:0] memory_address;
      logic memory_request;
      logic word_next;
      logic idle;
    } ring0;
  } in_t;

  // Pins of memory, and answers to the blocks.
  typedef struct packed {
    logic [5:0] ready;  // To the blocks: memory has answered, a bit for each.
    logic [5:0] request;  // To the arbiter: requests, a bit for each block.
    // To memory: request of the granted block.
    struct packed {
      logic request;
      logic write;
      logic [5:0] left;
      logic [7:0] strobe;
      logic [31:0] address;
      logic [63:0] wdata;
    } memory;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
