// Generated from crates/devices/hca/src/layout.rs by `make tables`; do not edit.
package layout_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Operation of a send WQE. The codes are those of Mellanox's first adapters (Linux,
  // `mthca_wqe.h`).

  localparam logic [7:0] RdmaWrite = 8'b00001000;  // RDMA WRITE without immediate data.
  localparam logic [7:0] RdmaWriteImmediate = 8'b00001001;  // RDMA WRITE with immediate data.
  localparam logic [7:0] Send = 8'b00001010;  // SEND without immediate data.
  localparam logic [7:0] SendImmediate = 8'b00001011;  // SEND with immediate data.
  localparam logic [7:0] RdmaRead = 8'b00010000;  // RDMA READ; the data come into the local buffer.
  // Compare-and-swap of 8 bytes; the original value comes into the local buffer.
  localparam logic [7:0] CompareSwap = 8'b00010001;
  // Fetch-and-add of 8 bytes; the original value comes into the local buffer.
  localparam logic [7:0] FetchAdd = 8'b00010010;

  // Status of a request that is done. The codes are those of verbs (`ibv_wc_status`).

  localparam logic [7:0] Success = 8'b00000000;  // The request succeeded.
  // The message is longer than allowed, or than its buffer.
  localparam logic [7:0] LengthError = 8'b00000001;
  localparam logic [7:0] OperationError = 8'b00000010;  // The QP does not support the operation.
  localparam logic [7:0] ProtectionError = 8'b00000100;  // The l_key does not allow the access.
  localparam logic [7:0] Flushed = 8'b00000101;  // The QP had failed before: the WQE was flushed.
  // The data of an RDMA READ differ in length or order from the request, or answer another
  // operation.
  localparam logic [7:0] BadResponse = 8'b00000111;
  // The peer refused the request as invalid, or as too long for its buffer.
  localparam logic [7:0] RemoteInvalidRequest = 8'b00001001;
  localparam logic [7:0] RemoteAccess = 8'b00001010;  // The r_key does not allow the access.
  localparam logic [7:0] RemoteOperation = 8'b00001011;  // The peer could not complete the request.
  // The peer did not answer; the retry count is exhausted.
  localparam logic [7:0] RetryExceeded = 8'b00001100;
  // The peer had no receive WQE; the RNR retry count is exhausted.
  localparam logic [7:0] RnrRetryExceeded = 8'b00001101;

  // Operation code of a packet (IBA volume 1, section 9.2.1, table 38). Unreliable connections have
  // the codes up to `WriteOnlyImmediate`, with the bit `UNRELIABLE` set.

  localparam logic [7:0] SendFirst = 8'b00000000;  // RC: first packet of a SEND.
  localparam logic [7:0] SendMiddle = 8'b00000001;  // RC: middle packet.
  localparam logic [7:0] SendLast = 8'b00000010;  // RC: last packet of a SEND.
  localparam logic [7:0] SendLastImmediate = 8'b00000011;  // RC: as before, with immediate data.
  localparam logic [7:0] SendOnly = 8'b00000100;  // RC: only packet of a SEND.
  localparam logic [7:0] SendOnlyImmediate = 8'b00000101;  // RC: as before, with immediate data.
  localparam logic [7:0] WriteFirst = 8'b00000110;  // RC: first packet of an RDMA WRITE.
  localparam logic [7:0] WriteMiddle = 8'b00000111;  // RC: middle packet.
  localparam logic [7:0] WriteLast = 8'b00001000;  // RC: last packet of an RDMA WRITE.
  localparam logic [7:0] WriteLastImmediate = 8'b00001001;  // RC: as before, with immediate data.
  localparam logic [7:0] WriteOnly = 8'b00001010;  // RC: only packet of an RDMA WRITE.
  localparam logic [7:0] WriteOnlyImmediate = 8'b00001011;  // RC: as before, with immediate data.
  localparam logic [7:0] ReadRequest = 8'b00001100;  // RC: RDMA READ request.
  localparam logic [7:0] ReadFirst = 8'b00001101;  // RC: first packet of RDMA READ data.
  localparam logic [7:0] ReadMiddle = 8'b00001110;  // RC: middle packet.
  localparam logic [7:0] ReadLast = 8'b00001111;  // RC: last packet of RDMA READ data.
  localparam logic [7:0] ReadOnly = 8'b00010000;  // RC: only packet of RDMA READ data.
  localparam logic [7:0] Acknowledge = 8'b00010001;  // RC: acknowledgement.
  // RC: acknowledgement of an atomic operation, with the original value.
  localparam logic [7:0] AtomicAcknowledge = 8'b00010010;
  localparam logic [7:0] CompareSwapRequest = 8'b00010011;  // RC: compare-and-swap request.
  localparam logic [7:0] FetchAddRequest = 8'b00010100;  // RC: fetch-and-add request.
  localparam logic [7:0] DatagramSend = 8'b01100100;  // UD: a SEND.
  localparam logic [7:0] DatagramSendImmediate = 8'b01100101;  // UD: a SEND with immediate data.

  // LRH: local route header (IBA volume 1, section 7.7). The highest byte is first on the wire.
  typedef struct packed {
    logic [3:0] reserved_60;
    logic [3:0] version;  // [59:56] Link version; 0.
    logic [3:0] level;  // [55:52] Service level.
    logic [1:0] reserved_50;
    logic [1:0] next_header;  // [49:48] Next header (LNH): 2 for a BTH.
    logic [15:0] destination_lid;  // [47:32] Destination LID.
    logic [4:0] reserved_27;
    logic [10:0] units;  // [26:16] Units of 4 bytes of the packet, ICRC included.
    logic [15:0] source_lid;  // [15:0] Source LID.
  } route_header_t;

  // First two units of the BTH, the base transport header (IBA volume 1, section 9.2). The highest
  // byte is first on the wire.
  typedef struct packed {
    logic [7:0] kind;  // [63:56] Operation code, a `PacketKind`.
    logic solicited;  // [55] Solicited event.
    logic reserved_54;
    logic [1:0] pad;  // [53:52] Pad bytes after the data; 0 to 3.
    logic [3:0] version;  // [51:48] Transport version; 0.
    logic [15:0] partition_key;  // [47:32] Partition key.
    logic [7:0] reserved_24;
    logic [23:0] destination;  // [23:0] Destination QPN.
  } transport_header_t;

  // Third unit of the BTH, and the unit after it (IBA volume 1, sections 9.2, 9.3). The highest
  // byte is first on the wire.
  typedef struct packed {
    logic asks;  // [63] Acknowledgement request.
    logic [6:0] reserved_56;
    logic [23:0] psn;  // [55:32] PSN.
    // [31:0] Q_Key, AETH, upper half of the RETH's address, or immediate data of a connection.
    logic [31:0] extension;
  } sequence_header_t;

  // Next header (LNH) of packets with a BTH and no global route header.
  localparam logic [1:0] NextHeader = 2'd2;

  // Bit of the operation code of a packet: unreliable connection.
  localparam logic [7:0] Unreliable = 8'd32;

  // Bytes of a send WQE that are read.
  localparam logic [11:0] SendWqeUsed = 12'd48;

  // Bytes of a receive WQE.
  localparam logic [11:0] ReceiveWqeBytes = 12'd16;

  // Bytes of a CQE.
  localparam logic [11:0] CqeBytes = 12'd32;

  // Bytes in front of the data of a datagram.
  localparam logic [31:0] GrhBytes = 32'd40;

  // Destination of a datagram for a multicast group.
  localparam logic [23:0] MulticastPair = 24'd16777215;

  // LID of the first multicast group.
  localparam logic [15:0] MulticastLids = 16'd49152;

  // Partition key of all packets.
  localparam logic [15:0] PartitionKey = 16'd65535;

  // Units of 4 bytes of the longest packet that is taken.
  localparam logic [10:0] MaxUnits = 11'd528;

  // Units of the shortest one.
  localparam logic [10:0] MinUnits = 11'd6;

  // Bits of an operation in a CQE: something was received.
  localparam logic [7:0] ReceivedOperation = 8'd128;

  // Bit of such an operation: it was an RDMA WRITE with immediate data.
  localparam logic [7:0] WrittenOperation = 8'd2;

  // Bytes on which an atomic operation works.
  localparam logic [11:0] AtomicBytes = 12'd8;

  // Bytes of the longest message of a connection.
  localparam logic [31:0] MaxMessage = 32'd1073741824;

  /* verilator lint_on UNUSEDPARAM */
endpackage
