// Generated from crates/devices/cenju3/src/memory_port.rs by `make tables`; do not edit.
package memory_port_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // What all ask of memory, who has it, and its answer.
  typedef struct packed {
    logic ready;  // From memory: it has taken the word, or has one.
    logic [5:0] grant;  // From the arbiter: who has memory, a bit for each, ring 0 lowest.
    // The user's queue.
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
    // The kernel's queue.
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
    // The transfer that is sent.
    struct packed {
      logic sent;
      logic word_enable;
      struct packed { logic last; logic [63:0] data; } word;
      logic [5:0] memory_left;
      logic [25:0] memory_address;
      logic memory_request;
      logic idle;
    } dma;
    // DMA that arrives.
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

  // What memory and those who ask get to see.
  typedef struct packed {
    logic [5:0] ready;  // To those who ask: memory has answered, a bit for each.
    logic [5:0] request;  // To the arbiter: who asks.
    // To memory.
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
