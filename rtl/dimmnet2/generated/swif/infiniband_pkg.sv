// Generated from crates/devices/dimmnet2/src/swif/infiniband.rs by `make tables`; do not edit.
package infiniband_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // LRH: the base transport header follows.
  localparam logic [1:0] Local = 2'd2;

  // BTH: single-packet send of an unreliable connection.
  localparam logic [7:0] SendOnly = 8'd36;

  // BTH: default partition, full membership.
  localparam logic [15:0] Partition = 16'd65535;

  // BTH: queue pair of DIMMnet-2 traffic.
  localparam logic [23:0] QueuePair = 24'd2;

  // 4-byte words of a frame in addition to the packet: LRH 2, BTH 3, invariant CRC 1.
  localparam logic [10:0] HeaderWords = 11'd6;

  // Local route header, 8 bytes.
  typedef struct packed {
    logic [3:0] virtual_lane;  // [63:60] Virtual lane, 0 here.
    logic [3:0] version;  // [59:56] Version of the link protocol, 0.
    logic [3:0] service_level;  // [55:52] Service level, 0 here.
    logic [1:0] reserved_50;
    logic [1:0] next_header;  // [49:48] Next header: 2 is the base transport header.
    logic [15:0] dlid;  // [47:32] LID of the receiving port.
    logic [4:0] reserved_27;
    // [26:16] Length in words of 4 bytes, from the first byte of this header to the end of the
    // invariant CRC.
    logic [10:0] packet_length;
    logic [15:0] slid;  // [15:0] LID of the sending port.
  } local_route_header_t;

  // Base transport header, the first 8 of its 12 bytes.
  typedef struct packed {
    logic [7:0] opcode;  // [63:56] Operation code.
    logic solicited;  // [55] Solicited event: requests an event at the receiver.
    logic migrated;  // [54] Migration state of the connection.
    logic [1:0] pad_count;  // [53:52] Bytes that pad the packet to words of 4 bytes.
    logic [3:0] version;  // [51:48] Version of the transport header, 0.
    logic [15:0] partition;  // [47:32] Partition key.
    logic [7:0] reserved_24;
    logic [23:0] queue_pair;  // [23:0] Queue pair of the receiver.
  } transport_header0_t;

  // Base transport header, its last 4 bytes; the rest of the line is not sent.
  typedef struct packed {
    logic acknowledge;  // [63] Requests an acknowledgement from the receiver.
    logic [6:0] reserved_56;
    logic [23:0] sequence_number;  // [55:32] Packet sequence number.
    logic [31:0] reserved_0;
  } transport_header1_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
