// Generated from crates/devices/cenju3/src/registers.rs by `make tables`; do not edit.
package register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Registers of the NIF of Cenju-3.

  // read or write: Bit 0 lets the NIF fetch entries and take packets; when it is cleared, work in
  // progress is finished. Bit 1, read-only, is set while the NIF is active.
  localparam logic [11:0] Control = 12'h000;
  localparam logic [11:0] Pe = 12'h004;  // read or write: Number of this processor element.
  // read or write: Pending interrupt causes; writing 1 clears a bit.
  localparam logic [11:0] InterruptCause = 12'h008;
  // read or write: Interrupt causes that are enabled.
  localparam logic [11:0] InterruptEnable = 12'h00c;
  // read or write: Errors and waiting packets; writing 1 clears a bit.
  localparam logic [11:0] Status = 12'h010;
  // read: The first entry that was refused since bit 0 of Status was cleared.
  localparam logic [11:0] RefusedEntry = 12'h014;
  // read: DMA write address of that entry, after the mask; of a message, its source.
  localparam logic [11:0] RefusedAddress = 12'h018;
  // read: Packets dropped since reset; the counter wraps.
  localparam logic [11:0] Dropped = 12'h01c;
  localparam logic [11:0] QueueBase0 = 12'h020;  // read or write: Kernel's send queue: 4 KB.
  localparam logic [11:0] QueueBase1 = 12'h024;  // read or write: User's send queue: 4 KB.
  // read or write: Header part of receive message buffer 0: 4 KB.
  localparam logic [11:0] HeaderBase0 = 12'h030;
  // read or write: Header part of receive message buffer 1: 4 KB.
  localparam logic [11:0] HeaderBase1 = 12'h034;
  // read or write: Receive header buffer of DMA: 4 KB.
  localparam logic [11:0] HeaderBase2 = 12'h038;
  // read or write: Data part of receive message buffer 0: 8 KB.
  localparam logic [11:0] DataBase0 = 12'h03c;
  // read or write: Data part of receive message buffer 1: 8 KB.
  localparam logic [11:0] DataBase1 = 12'h040;
  // read or write: New ROM: bits 31 to 18 of the DMA write addresses of the user; the others are
  // ignored.
  localparam logic [11:0] AddressBase = 12'h050;
  // read or write: New ROM: bits of the user's destinations where `PeMask` is 0.
  localparam logic [11:0] PeBase = 12'h054;
  // read or write: New ROM: bits of the destination that the user chooses.
  localparam logic [11:0] PeMask = 12'h058;
  // read or write: Kernel's send queue: the entry that the host writes next. The NIF may send the
  // entries before it.
  localparam logic [11:0] QueueWrite0 = 12'h060;
  // read: Kernel's send queue: the entry that the NIF reads next. Data of entries before it has
  // been read and may be overwritten.
  localparam logic [11:0] QueueRead0 = 12'h064;
  // read or write: Receive message buffer 1: the header that the host reads next. Headers before it
  // may be overwritten.
  localparam logic [11:0] RingRead1 = 12'h070;
  // read: Receive message buffer 1: the header that the NIF writes next. Messages of the headers
  // before it have arrived.
  localparam logic [11:0] RingWrite1 = 12'h074;
  // read or write: User's send queue: the entry that the host writes next.
  localparam logic [11:0] QueueWrite1 = 12'h800;
  // read: User's send queue: the entry that the NIF reads next.
  localparam logic [11:0] QueueRead1 = 12'h804;
  // read or write: Receive message buffer 0: the header that the host reads next.
  localparam logic [11:0] RingRead0 = 12'h810;
  // read: Receive message buffer 0: the header that the NIF writes next.
  localparam logic [11:0] RingWrite0 = 12'h814;
  // read or write: Receive header buffer of DMA: the header that the host reads next.
  localparam logic [11:0] RingRead2 = 12'h820;
  // read: Receive header buffer of DMA: the header that the NIF writes next.
  localparam logic [11:0] RingWrite2 = 12'h824;

  // Bits of Status.
  typedef struct packed {
    logic [56:0] reserved_7;
    logic [2:0] held;  // [6:4] The link was held back because a ring was full, ring 0 lowest.
    // [3] A packet was dropped: it is for another processor element, or is malformed.
    logic packet;
    // [2] A write was refused: the register does not exist, is locked while the NIF is active, or
    // does not accept the address.
    logic access;
    // [1] A mask was written while the user's queue was not empty; the write was refused.
    logic mask;
    logic entry;  // [0] An entry was refused.
  } status_t;

  // A refused entry.
  typedef struct packed {
    logic [43:0] reserved_20;
    logic [7:0] pe;  // [19:12] Destination processor element, after the mask.
    logic [1:0] reserved_10;
    logic [5:0] entry;  // [9:4] Place of the entry in its queue; 0 to 63.
    logic user;  // [3] The entry is from the user's queue.
    logic [2:0] why;  // [2:0] Reason, a code of `Refusal`.
  } refused_t;

  // Settings written by the host.
  typedef struct packed {
    logic [3:0] interrupt_enable;  // Interrupt causes that are enabled.
    logic [5:0] read2;  // Header of DMA that the host reads next.
    logic [5:0] read1;  // Header of ring 1 that the host reads next.
    logic [5:0] read0;  // Header of ring 0 that the host reads next.
    logic [5:0] write1;  // Entry of the user's queue that the host writes next.
    logic [5:0] write0;  // Entry of the kernel's queue that the host writes next.
    logic [7:0] pe_mask;  // Bits of the destination that the user chooses.
    logic [7:0] pe_base;  // Bits of the user's destinations.
    logic [13:0] address_base;  // Bits 31 to 18 of the user's DMA write addresses.
    logic [12:0] data1;  // Number of the 8 KB page that holds the data of ring 1.
    logic [12:0] data0;  // Number of the 8 KB page that holds the data of ring 0.
    logic [13:0] header2;  // Number of the 4 KB page that holds the headers of DMA.
    logic [13:0] header1;  // Number of the 4 KB page that holds the headers of ring 1.
    logic [13:0] header0;  // Number of the 4 KB page that holds the headers of ring 0.
    logic [13:0] queue1;  // Number of the 4 KB page that holds the user's queue.
    logic [13:0] queue0;  // Number of the 4 KB page that holds the kernel's queue.
    logic [7:0] pe;  // Number of this processor element.
    logic enable;  // Bit 0 of `Control`: the NIF is enabled.
  } configuration_t;

  // Positions of the NIF in its queues and rings.
  typedef struct packed {
    logic [5:0] write2;  // Header of DMA that the NIF writes next.
    logic [5:0] write1;  // Header of ring 1 that the NIF writes next.
    logic [5:0] write0;  // Header of ring 0 that the NIF writes next.
    logic [5:0] read1;  // Entry of the user's queue that the NIF reads next.
    logic [5:0] read0;  // Entry of the kernel's queue that the NIF reads next.
  } positions_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
