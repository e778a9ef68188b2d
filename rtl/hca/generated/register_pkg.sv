// Generated from crates/devices/hca/src/registers.rs by `make tables`; do not edit.
package register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Registers of the adapter, from 0x0000 of the aperture.

  // read or write: Bit 0 lets the adapter work; while it is 0, no WQE is taken and no packet is
  // looked at.
  localparam logic [11:0] Control = 12'h000;
  // read or write: Causes of the interrupt; a bit that is written as 1 is cleared.
  localparam logic [11:0] InterruptCause = 12'h004;
  // read or write: Causes that interrupt the host.
  localparam logic [11:0] InterruptEnable = 12'h008;
  // read or write: LID of the port, as the subnet manager has given it.
  localparam logic [11:0] Lid = 12'h00c;
  // read or write: Writing it writes the row of bits 7:0 of the kind of bits 9:8 (0 a queue pair, 1
  // a completion queue, 2 a key) with the staging words. Reading it gives 1 while that is not done;
  // a command that is written meanwhile is refused.
  localparam logic [11:0] Command = 12'h010;
  localparam logic [11:0] Staging0 = 12'h040;  // read or write: Bits 31:0 of a row.
  localparam logic [11:0] Staging1 = 12'h044;  // read or write: Bits 63:32.
  localparam logic [11:0] Staging2 = 12'h048;  // read or write: Bits 95:64.
  localparam logic [11:0] Staging3 = 12'h04c;  // read or write: Bits 127:96.
  localparam logic [11:0] Staging4 = 12'h050;  // read or write: Bits 159:128.
  localparam logic [11:0] Staging5 = 12'h054;  // read or write: Bits 191:160.
  localparam logic [11:0] Staging6 = 12'h058;  // read or write: Bits 223:192.
  localparam logic [11:0] Staging7 = 12'h05c;  // read or write: Bits 255:224.
  localparam logic [11:0] IcrcErrors = 12'h080;  // read: Packets dropped: wrong ICRC.
  // read: Packets dropped: their length is not that of their header, or is none that a packet may
  // have.
  localparam logic [11:0] LengthErrors = 12'h084;
  localparam logic [11:0] Foreign = 12'h088;  // read: Packets dropped: for other LIDs.
  localparam logic [11:0] Malformed = 12'h08c;  // read: Packets dropped: of no known form.
  // read: Packets dropped: for a queue pair that is not there, has failed or is of another service.
  localparam logic [11:0] UnknownQp = 12'h090;
  localparam logic [11:0] WrongQKey = 12'h094;  // read: Datagrams dropped: wrong Q_Key.
  localparam logic [11:0] NoReceive = 12'h098;  // read: Datagrams dropped: no receive WQE.
  localparam logic [11:0] Received = 12'h09c;  // read: Messages received.
  localparam logic [11:0] Sent = 12'h0a0;  // read: Packets sent.
  // read: Requests that ended in a completion with an error, at the sender or at the receiver.
  localparam logic [11:0] Failed = 12'h0a4;
  // read: CQEs lost, because their queue is full, or is not there.
  localparam logic [11:0] Overflows = 12'h0a8;
  // read: Accesses refused: of users beyond the doorbells, of anyone to nothing, commands while one
  // is not done or of no row.
  localparam logic [11:0] RefusedAccesses = 12'h0ac;

  // Doorbells, from 0x1000 of the aperture. Offsets are those of Mellanox's first adapters (Linux,
  // `mthca_doorbell.h`). Bits 7:0 are the number of the queue.

  // write: Bits 31:16: WQEs put into the send ring, counted from the setting up of the queue pair.
  localparam logic [11:0] SendBell = 12'h010;
  // write: Bits 31:16: WQEs put into the receive ring, counted likewise.
  localparam logic [11:0] ReceiveBell = 12'h018;
  // write: Bits 31:16: CQEs taken, counted. Bit 8: interrupt at the next CQE.
  localparam logic [11:0] CompletionBell = 12'h020;

  // What the receive engine counts; the counters wrap.
  typedef struct packed {
    logic [15:0] failed;  // Receptions that failed.
    logic [15:0] received;  // Messages received.
    logic [15:0] no_receive;  // No receive WQE.
    logic [15:0] wrong_q_key;  // Wrong Q_Key.
    logic [15:0] unknown_qp;  // For a queue pair that is not there.
    logic [15:0] malformed;  // Of no known form.
    logic [15:0] foreign;  // For other LIDs.
  } receive_counts_t;

  // What the link side counts; the counters wrap.
  typedef struct packed {
    logic [15:0] length_errors;  // Wrong length.
    logic [15:0] icrc_errors;  // Wrong ICRC.
  } link_counts_t;

  // What the send engine counts; the counters wrap.
  typedef struct packed {
    logic [15:0] failed;  // Requests that failed.
    logic [15:0] sent;  // Packets sent.
  } send_counts_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
