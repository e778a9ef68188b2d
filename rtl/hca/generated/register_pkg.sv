// Generated from crates/devices/hca/src/registers.rs by `make tables`; do not edit.
package register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Registers of the adapter, from 0x0000 of the aperture.

  // read or write: Bit 0 enables the engines; while it is 0, no WQE is taken and no packet is
  // received.
  localparam logic [11:0] Control = 12'h000;
  // read or write: Pending interrupt causes; writing 1 clears a bit.
  localparam logic [11:0] InterruptCause = 12'h004;
  // read or write: Interrupt causes that are enabled.
  localparam logic [11:0] InterruptEnable = 12'h008;
  // read or write: LID of the port, assigned by the subnet manager.
  localparam logic [11:0] Lid = 12'h00c;
  // read or write: A write runs command 15:12 on row 11:0: 0 stores the staging words as a queue
  // pair, 1 as a completion queue, 2 as a key; 3 stores the attributes of a queue pair and resets
  // its send queue, 4 stores its attributes alone; 5 reports its progress in the staging words; 6
  // stores a shared receive queue, 7 its limit; 8 stores the queue pairs of a multicast group. A
  // read returns 1 while the command runs; another command is refused until it is done.
  localparam logic [11:0] Command = 12'h010;
  localparam logic [11:0] Staging0 = 12'h040;  // read or write: Bits 31:0 of a row.
  localparam logic [11:0] Staging1 = 12'h044;  // read or write: Bits 63:32 of a row.
  localparam logic [11:0] Staging2 = 12'h048;  // read or write: Bits 95:64 of a row.
  localparam logic [11:0] Staging3 = 12'h04c;  // read or write: Bits 127:96 of a row.
  localparam logic [11:0] Staging4 = 12'h050;  // read or write: Bits 159:128 of a row.
  localparam logic [11:0] Staging5 = 12'h054;  // read or write: Bits 191:160 of a row.
  localparam logic [11:0] Staging6 = 12'h058;  // read or write: Bits 223:192 of a row.
  localparam logic [11:0] Staging7 = 12'h05c;  // read or write: Bits 255:224 of a row.
  localparam logic [11:0] IcrcErrors = 12'h080;  // read: Packets dropped: wrong ICRC.
  // read: Packets dropped: their length differs from that in their header, or is out of range.
  localparam logic [11:0] LengthErrors = 12'h084;
  localparam logic [11:0] Foreign = 12'h088;  // read: Packets dropped: another destination LID.
  // read: Packets dropped: malformed, or of an unknown kind.
  localparam logic [11:0] Malformed = 12'h08c;
  // read: Packets dropped: the queue pair does not exist, has failed or has another service.
  localparam logic [11:0] UnknownQp = 12'h090;
  localparam logic [11:0] WrongQKey = 12'h094;  // read: Datagrams dropped: wrong Q_Key.
  localparam logic [11:0] NoReceive = 12'h098;  // read: Datagrams dropped: no receive WQE.
  localparam logic [11:0] Received = 12'h09c;  // read: Messages received.
  localparam logic [11:0] Sent = 12'h0a0;  // read: Packets sent.
  // read: Requests that ended with an error, at the sender or at the receiver.
  localparam logic [11:0] Failed = 12'h0a4;
  // read: CQEs lost: their queue is full, or does not exist.
  localparam logic [11:0] Overflows = 12'h0a8;
  // read: Accesses refused: users outside the doorbells, addresses without a register, commands
  // while one runs or of a row that does not exist.
  localparam logic [11:0] RefusedAccesses = 12'h0ac;

  // Doorbells, from 0x1000 of the aperture. The offsets are those of Mellanox's first adapters
  // (Linux, `mthca_doorbell.h`). Bits 7:0 are the number of the queue.

  // write: Bits 31:16: WQEs put into the send ring since the queue pair was set up.
  localparam logic [11:0] SendBell = 12'h010;
  // write: Bits 31:16: WQEs put into the receive ring since the queue pair was set up.
  localparam logic [11:0] ReceiveBell = 12'h018;
  // write: Bits 31:16: CQEs taken since the queue was set up. Bit 8: interrupt at the next CQE.
  localparam logic [11:0] CompletionBell = 12'h020;
  // write: Bits 31:16: WQEs put into the ring since the shared receive queue was set up.
  localparam logic [11:0] SharedBell = 12'h028;

  // Counters of the receive engine; they wrap.
  typedef struct packed {
    logic [15:0] failed;  // Receives that failed.
    logic [15:0] received;  // Messages received.
    logic [15:0] no_receive;  // Datagrams dropped: no receive WQE.
    logic [15:0] wrong_q_key;  // Datagrams dropped: wrong Q_Key.
    // Packets dropped: the queue pair does not exist, has failed or has another service.
    logic [15:0] unknown_qp;
    logic [15:0] malformed;  // Packets dropped: malformed, or of an unknown kind.
    logic [15:0] foreign;  // Packets dropped: another destination LID.
  } receive_counts_t;

  // Counters of the link side; they wrap.
  typedef struct packed {
    logic [15:0] length_errors;  // Packets dropped: wrong length.
    logic [15:0] icrc_errors;  // Packets dropped: wrong ICRC.
  } link_counts_t;

  // Counters of the send engine; they wrap.
  typedef struct packed {
    logic [15:0] failed;  // WQEs that failed before they were sent.
    logic [15:0] sent;  // Packets sent.
  } send_counts_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
