// Generated from crates/devices/dimmnet2/src/write_unit/ring.rs by `make tables`; do not edit.
package ring_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Units of IPUSH Area Size are 1 << UnitBits bytes (decision 0020).
  localparam logic [4:0] UnitBits = 5'd16;

  // Ring of the Write Unit (table 7.5).
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for an IPUSH packet.
    Fetch = 3'd1,  // Reads Head and Tail in LLCM.
    Start = 3'd2,  // Computes the start of the area.
    End = 3'd3,  // Computes where the area ends, and whether the ring has room for the packet.
    Test = 3'd4,  // Accepts the packet, or tries again.
    Hold = 3'd5,  // Room is found; waits for the head of the message.
    Write = 3'd6,  // Waits until the packet is stored.
    Update = 3'd7  // Writes Tail in LLCM.
  } state_e;

  // Declared arcs of state_e: bit [from * 8 + to].
  localparam logic [63:0] StateArcs = {
    8'b00000001,  // from Update
    8'b10000001,  // from Write
    8'b01000001,  // from Hold
    8'b01100010,  // from Test
    8'b00010000,  // from End
    8'b00001000,  // from Start
    8'b00000100,  // from Fetch
    8'b00000010  // from Idle
  };

  // Input pins of the ring.
  typedef struct packed {
    logic [11:0] bytes;  // With `done`: bytes of data in the packet.
    logic broken;  // With `done`: a first line arrived within the packet.
    logic done;  // The packet is stored and read to its end; high for one cycle.
    logic head_broken;  // With `head_done`: the packet is malformed and has no rest.
    logic head_done;  // The head of the message has been written; high for one cycle.
    logic [63:0] llcm_rdata;  // Head and Tail, in the cycle after `llcm_read_enable`.
    logic [11:0] amt_entry;  // Word of LLCM with Head and Tail, from the AMT Address Table.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    logic [11:0] announced;  // Bytes for the ring announced by Packet Size.
    // Ring of the packet, from Receive Controller.
    struct packed {
      logic [15:0] area_size;
      logic [31:0] sent;
      logic head;
      logic start;
    } ring_request;
  } in_t;

  // Output pins of the ring.
  typedef struct packed {
    // 0: idle, 1: looks for room or has found it, 2: the packet is being stored, 3: moves Tail; for
    // Module State.
    logic [1:0] state;
    logic [31:0] first_address;  // First byte of the message in the ring, an offset in the region.
    logic [30:0] keep;  // Bits of an 8-byte word address that are constant within the area.
    logic refused;  // The packet is refused: nothing of it may be stored.
    logic storing;  // The packet that begins or is being stored is for a ring.
    // The ring has room for the rest of a message, which begins when its head has been written.
    logic room;
    logic begins;  // The packet begins; high for one cycle.
    // Tail: start of the packet, and from `Update` on start of the next one; an offset in the
    // region.
    logic [31:0] tail;
    logic [11:0] entry;  // Word of LLCM that is read or written.
    logic llcm_write_enable;  // Writes the Tail of the AMT entry.
    logic llcm_read_enable;  // Reads the AMT entry.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
