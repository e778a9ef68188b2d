/* Generated from crates/devices/hca/src/registers.rs, crates/devices/hca/src/contexts.rs, crates/devices/hca/src/layout.rs by `make tables`; do not edit. */
#ifndef MEMONET_HCA_H
#define MEMONET_HCA_H

#include <stdint.h>

/* HCA_GET(word, FIELD) is a field of a word, HCA_PUT(value, FIELD) a word with that field alone;
   FIELD is a name below, without _MASK or _SHIFT. */
#define HCA_GET(word, field) (((uint64_t)(word) & field##_MASK) >> field##_SHIFT)
#define HCA_PUT(value, field) (((uint64_t)(value) << field##_SHIFT) & field##_MASK)

/* Registers of the adapter, from 0x0000 of the aperture. */

/* Bit 0 enables the engines; while it is 0, no WQE is taken and no packet is received. The host
   may read or write it. */
#define HCA_CONTROL_OFFSET 0x000u
#define HCA_CONTROL_MASK UINT64_C(0x1)
#define HCA_CONTROL_RESET UINT64_C(0x0)

/* Pending interrupt causes; writing 1 clears a bit. The host may read or write it. */
#define HCA_INTERRUPT_CAUSE_OFFSET 0x004u
#define HCA_INTERRUPT_CAUSE_MASK UINT64_C(0x1ff)
#define HCA_INTERRUPT_CAUSE_RESET UINT64_C(0x0)

/* Interrupt causes that are enabled. The host may read or write it. */
#define HCA_INTERRUPT_ENABLE_OFFSET 0x008u
#define HCA_INTERRUPT_ENABLE_MASK UINT64_C(0x1ff)
#define HCA_INTERRUPT_ENABLE_RESET UINT64_C(0x0)

/* LID of the port, assigned by the subnet manager. The host may read or write it. */
#define HCA_LID_OFFSET 0x00cu
#define HCA_LID_MASK UINT64_C(0xffff)
#define HCA_LID_RESET UINT64_C(0x0)

/* A write runs command 15:12 on row 11:0: 0 stores the staging words as a queue pair, 1 as a
   completion queue, 2 as a key; 3 stores the attributes of a queue pair and resets its send
   queue, 4 stores its attributes alone; 5 reports its progress in the staging words; 6 stores a
   shared receive queue, 7 its limit; 8 stores the queue pairs of a multicast group. A read
   returns 1 while the command runs; another command is refused until it is done. The host may
   read or write it. */
#define HCA_COMMAND_OFFSET 0x010u
#define HCA_COMMAND_MASK UINT64_C(0xffff)
#define HCA_COMMAND_RESET UINT64_C(0x0)

/* Bits 31:0 of a row. The host may read or write it. */
#define HCA_STAGING0_OFFSET 0x040u
#define HCA_STAGING0_MASK UINT64_C(0xffffffff)
#define HCA_STAGING0_RESET UINT64_C(0x0)

/* Bits 63:32 of a row. The host may read or write it. */
#define HCA_STAGING1_OFFSET 0x044u
#define HCA_STAGING1_MASK UINT64_C(0xffffffff)
#define HCA_STAGING1_RESET UINT64_C(0x0)

/* Bits 95:64 of a row. The host may read or write it. */
#define HCA_STAGING2_OFFSET 0x048u
#define HCA_STAGING2_MASK UINT64_C(0xffffffff)
#define HCA_STAGING2_RESET UINT64_C(0x0)

/* Bits 127:96 of a row. The host may read or write it. */
#define HCA_STAGING3_OFFSET 0x04cu
#define HCA_STAGING3_MASK UINT64_C(0xffffffff)
#define HCA_STAGING3_RESET UINT64_C(0x0)

/* Bits 159:128 of a row. The host may read or write it. */
#define HCA_STAGING4_OFFSET 0x050u
#define HCA_STAGING4_MASK UINT64_C(0xffffffff)
#define HCA_STAGING4_RESET UINT64_C(0x0)

/* Bits 191:160 of a row. The host may read or write it. */
#define HCA_STAGING5_OFFSET 0x054u
#define HCA_STAGING5_MASK UINT64_C(0xffffffff)
#define HCA_STAGING5_RESET UINT64_C(0x0)

/* Bits 223:192 of a row. The host may read or write it. */
#define HCA_STAGING6_OFFSET 0x058u
#define HCA_STAGING6_MASK UINT64_C(0xffffffff)
#define HCA_STAGING6_RESET UINT64_C(0x0)

/* Bits 255:224 of a row. The host may read or write it. */
#define HCA_STAGING7_OFFSET 0x05cu
#define HCA_STAGING7_MASK UINT64_C(0xffffffff)
#define HCA_STAGING7_RESET UINT64_C(0x0)

/* Packets dropped: wrong ICRC. The host may read it. */
#define HCA_ICRC_ERRORS_OFFSET 0x080u
#define HCA_ICRC_ERRORS_MASK UINT64_C(0xffff)
#define HCA_ICRC_ERRORS_RESET UINT64_C(0x0)

/* Packets dropped: their length differs from that in their header, or is out of range. The host
   may read it. */
#define HCA_LENGTH_ERRORS_OFFSET 0x084u
#define HCA_LENGTH_ERRORS_MASK UINT64_C(0xffff)
#define HCA_LENGTH_ERRORS_RESET UINT64_C(0x0)

/* Packets dropped: another destination LID. The host may read it. */
#define HCA_FOREIGN_OFFSET 0x088u
#define HCA_FOREIGN_MASK UINT64_C(0xffff)
#define HCA_FOREIGN_RESET UINT64_C(0x0)

/* Packets dropped: malformed, or of an unknown kind. The host may read it. */
#define HCA_MALFORMED_OFFSET 0x08cu
#define HCA_MALFORMED_MASK UINT64_C(0xffff)
#define HCA_MALFORMED_RESET UINT64_C(0x0)

/* Packets dropped: the queue pair does not exist, has failed or has another service. The host
   may read it. */
#define HCA_UNKNOWN_QP_OFFSET 0x090u
#define HCA_UNKNOWN_QP_MASK UINT64_C(0xffff)
#define HCA_UNKNOWN_QP_RESET UINT64_C(0x0)

/* Datagrams dropped: wrong Q_Key. The host may read it. */
#define HCA_WRONG_Q_KEY_OFFSET 0x094u
#define HCA_WRONG_Q_KEY_MASK UINT64_C(0xffff)
#define HCA_WRONG_Q_KEY_RESET UINT64_C(0x0)

/* Datagrams dropped: no receive WQE. The host may read it. */
#define HCA_NO_RECEIVE_OFFSET 0x098u
#define HCA_NO_RECEIVE_MASK UINT64_C(0xffff)
#define HCA_NO_RECEIVE_RESET UINT64_C(0x0)

/* Messages received. The host may read it. */
#define HCA_RECEIVED_OFFSET 0x09cu
#define HCA_RECEIVED_MASK UINT64_C(0xffff)
#define HCA_RECEIVED_RESET UINT64_C(0x0)

/* Packets sent. The host may read it. */
#define HCA_SENT_OFFSET 0x0a0u
#define HCA_SENT_MASK UINT64_C(0xffff)
#define HCA_SENT_RESET UINT64_C(0x0)

/* Requests that ended with an error, at the sender or at the receiver. The host may read it. */
#define HCA_FAILED_OFFSET 0x0a4u
#define HCA_FAILED_MASK UINT64_C(0xffff)
#define HCA_FAILED_RESET UINT64_C(0x0)

/* CQEs lost: their queue is full, or does not exist. The host may read it. */
#define HCA_OVERFLOWS_OFFSET 0x0a8u
#define HCA_OVERFLOWS_MASK UINT64_C(0xffff)
#define HCA_OVERFLOWS_RESET UINT64_C(0x0)

/* Accesses refused: users outside the doorbells, addresses without a register, commands while
   one runs or of a row that does not exist. The host may read it. */
#define HCA_REFUSED_ACCESSES_OFFSET 0x0acu
#define HCA_REFUSED_ACCESSES_MASK UINT64_C(0xffff)
#define HCA_REFUSED_ACCESSES_RESET UINT64_C(0x0)

/* Doorbells, from 0x1000 of the aperture. The offsets are those of Mellanox's first adapters
   (Linux, `mthca_doorbell.h`). Bits 7:0 are the number of the queue. */

/* Bits 31:16: WQEs put into the send ring since the queue pair was set up. The host may write
   it. */
#define HCA_DOORBELL_SEND_BELL_OFFSET 0x010u
#define HCA_DOORBELL_SEND_BELL_MASK UINT64_C(0xffffffff)
#define HCA_DOORBELL_SEND_BELL_RESET UINT64_C(0x0)

/* Bits 31:16: WQEs put into the receive ring since the queue pair was set up. The host may write
   it. */
#define HCA_DOORBELL_RECEIVE_BELL_OFFSET 0x018u
#define HCA_DOORBELL_RECEIVE_BELL_MASK UINT64_C(0xffffffff)
#define HCA_DOORBELL_RECEIVE_BELL_RESET UINT64_C(0x0)

/* Bits 31:16: CQEs taken since the queue was set up. Bit 8: interrupt at the next CQE. The host
   may write it. */
#define HCA_DOORBELL_COMPLETION_BELL_OFFSET 0x020u
#define HCA_DOORBELL_COMPLETION_BELL_MASK UINT64_C(0xffffffff)
#define HCA_DOORBELL_COMPLETION_BELL_RESET UINT64_C(0x0)

/* Bits 31:16: WQEs put into the ring since the shared receive queue was set up. The host may
   write it. */
#define HCA_DOORBELL_SHARED_BELL_OFFSET 0x028u
#define HCA_DOORBELL_SHARED_BELL_MASK UINT64_C(0xffffffff)
#define HCA_DOORBELL_SHARED_BELL_RESET UINT64_C(0x0)

/* Bits of a row of the keys. */
#define HCA_AREA_BITS UINT64_C(0x52)

/* Bits of a row of the send queues. */
#define HCA_REQUESTER_BITS UINT64_C(0xe6)

/* Bits of a row of the outstanding requests. */
#define HCA_REQUEST_BITS UINT64_C(0x59)

/* Requests of a connection that may be outstanding. */
#define HCA_OUTSTANDING UINT64_C(0x10)

/* Bits of a row of the receive queues. */
#define HCA_RESPONDER_BITS UINT64_C(0xe6)

/* Bits of a row of the RDMA READs. */
#define HCA_READER_BITS UINT64_C(0xb5)

/* Bits of a row of the waiting RDMA READs. */
#define HCA_READ_BITS UINT64_C(0x91)

/* State of a queue pair (IBA volume 1, section 10.3.1). The codes are those of verbs
   (`ibv_qp_state`); the adapter never enters the state 5, send queue error. */

/* Packets are dropped, and no WQE is taken. */
#define HCA_PAIR_STATE_RESET 0x00u

/* As `Reset`; receive WQEs may be posted. */
#define HCA_PAIR_STATE_INIT 0x01u

/* Packets are received and answered; no request is sent. */
#define HCA_PAIR_STATE_READY_TO_RECEIVE 0x02u

/* Both queues work. */
#define HCA_PAIR_STATE_READY_TO_SEND 0x03u

/* As `ReadyToSend`, but no request begins after the outstanding ones. */
#define HCA_PAIR_STATE_DRAINED 0x04u

/* Packets are dropped, and the WQEs of both queues are flushed. */
#define HCA_PAIR_STATE_ERROR 0x06u

/* Effect of a command, and its context. */

/* Writes a queue pair: its attributes; the rows and doorbells of both queues are reset. */
#define HCA_KIND_PAIR 0x00u

/* Writes a completion queue. */
#define HCA_KIND_COMPLETION 0x01u

/* Writes a key. */
#define HCA_KIND_AREA 0x02u

/* Writes the attributes of a queue pair; the row and the doorbell of its send queue are reset. */
#define HCA_KIND_SENDER 0x03u

/* Writes the attributes of a queue pair; both queues go on. */
#define HCA_KIND_CHANGE 0x04u

/* Stores the `Report` of a queue pair in staging words 0 to 3. */
#define HCA_KIND_REPORT 0x05u

/* Writes a shared receive queue; its doorbell is reset. */
#define HCA_KIND_SHARED_QUEUE 0x06u

/* Writes the limit of a shared receive queue. */
#define HCA_KIND_LIMIT 0x07u

/* Writes a quarter of the queue pairs of a multicast group. */
#define HCA_KIND_GROUP 0x08u

/* Operation of a send WQE. The codes are those of Mellanox's first adapters (Linux,
   `mthca_wqe.h`). */

/* RDMA WRITE without immediate data. */
#define HCA_OPERATION_RDMA_WRITE 0x08u

/* RDMA WRITE with immediate data. */
#define HCA_OPERATION_RDMA_WRITE_IMMEDIATE 0x09u

/* SEND without immediate data. */
#define HCA_OPERATION_SEND 0x0au

/* SEND with immediate data. */
#define HCA_OPERATION_SEND_IMMEDIATE 0x0bu

/* RDMA READ; the data come into the local buffer. */
#define HCA_OPERATION_RDMA_READ 0x10u

/* Compare-and-swap of 8 bytes; the original value comes into the local buffer. */
#define HCA_OPERATION_COMPARE_SWAP 0x11u

/* Fetch-and-add of 8 bytes; the original value comes into the local buffer. */
#define HCA_OPERATION_FETCH_ADD 0x12u

/* Status of a request that is done. The codes are those of verbs (`ibv_wc_status`). */

/* The request succeeded. */
#define HCA_STATUS_SUCCESS 0x00u

/* The message is longer than allowed, or than its buffer. */
#define HCA_STATUS_LENGTH_ERROR 0x01u

/* The QP does not support the operation. */
#define HCA_STATUS_OPERATION_ERROR 0x02u

/* The l_key does not allow the access. */
#define HCA_STATUS_PROTECTION_ERROR 0x04u

/* The QP had failed before: the WQE was flushed. */
#define HCA_STATUS_FLUSHED 0x05u

/* The data of an RDMA READ differ in length or order from the request, or answer another
   operation. */
#define HCA_STATUS_BAD_RESPONSE 0x07u

/* The peer refused the request as invalid, or as too long for its buffer. */
#define HCA_STATUS_REMOTE_INVALID_REQUEST 0x09u

/* The r_key does not allow the access. */
#define HCA_STATUS_REMOTE_ACCESS 0x0au

/* The peer could not complete the request. */
#define HCA_STATUS_REMOTE_OPERATION 0x0bu

/* The peer did not answer; the retry count is exhausted. */
#define HCA_STATUS_RETRY_EXCEEDED 0x0cu

/* The peer had no receive WQE; the RNR retry count is exhausted. */
#define HCA_STATUS_RNR_RETRY_EXCEEDED 0x0du

/* Operation code of a packet (IBA volume 1, section 9.2.1, table 38). Unreliable connections
   have the codes up to `WriteOnlyImmediate`, with the bit `UNRELIABLE` set. */

/* RC: first packet of a SEND. */
#define HCA_PACKET_KIND_SEND_FIRST 0x00u

/* RC: middle packet. */
#define HCA_PACKET_KIND_SEND_MIDDLE 0x01u

/* RC: last packet of a SEND. */
#define HCA_PACKET_KIND_SEND_LAST 0x02u

/* RC: as before, with immediate data. */
#define HCA_PACKET_KIND_SEND_LAST_IMMEDIATE 0x03u

/* RC: only packet of a SEND. */
#define HCA_PACKET_KIND_SEND_ONLY 0x04u

/* RC: as before, with immediate data. */
#define HCA_PACKET_KIND_SEND_ONLY_IMMEDIATE 0x05u

/* RC: first packet of an RDMA WRITE. */
#define HCA_PACKET_KIND_WRITE_FIRST 0x06u

/* RC: middle packet. */
#define HCA_PACKET_KIND_WRITE_MIDDLE 0x07u

/* RC: last packet of an RDMA WRITE. */
#define HCA_PACKET_KIND_WRITE_LAST 0x08u

/* RC: as before, with immediate data. */
#define HCA_PACKET_KIND_WRITE_LAST_IMMEDIATE 0x09u

/* RC: only packet of an RDMA WRITE. */
#define HCA_PACKET_KIND_WRITE_ONLY 0x0au

/* RC: as before, with immediate data. */
#define HCA_PACKET_KIND_WRITE_ONLY_IMMEDIATE 0x0bu

/* RC: RDMA READ request. */
#define HCA_PACKET_KIND_READ_REQUEST 0x0cu

/* RC: first packet of RDMA READ data. */
#define HCA_PACKET_KIND_READ_FIRST 0x0du

/* RC: middle packet. */
#define HCA_PACKET_KIND_READ_MIDDLE 0x0eu

/* RC: last packet of RDMA READ data. */
#define HCA_PACKET_KIND_READ_LAST 0x0fu

/* RC: only packet of RDMA READ data. */
#define HCA_PACKET_KIND_READ_ONLY 0x10u

/* RC: acknowledgement. */
#define HCA_PACKET_KIND_ACKNOWLEDGE 0x11u

/* RC: acknowledgement of an atomic operation, with the original value. */
#define HCA_PACKET_KIND_ATOMIC_ACKNOWLEDGE 0x12u

/* RC: compare-and-swap request. */
#define HCA_PACKET_KIND_COMPARE_SWAP_REQUEST 0x13u

/* RC: fetch-and-add request. */
#define HCA_PACKET_KIND_FETCH_ADD_REQUEST 0x14u

/* UD: a SEND. */
#define HCA_PACKET_KIND_DATAGRAM_SEND 0x64u

/* UD: a SEND with immediate data. */
#define HCA_PACKET_KIND_DATAGRAM_SEND_IMMEDIATE 0x65u

/* LRH: local route header (IBA volume 1, section 7.7). The highest byte is first on the wire. */

/* Source LID. */
#define HCA_ROUTE_HEADER_SOURCE_LID_SHIFT 0
#define HCA_ROUTE_HEADER_SOURCE_LID_MASK UINT64_C(0xffff)

/* Units of 4 bytes of the packet, ICRC included. */
#define HCA_ROUTE_HEADER_UNITS_SHIFT 16
#define HCA_ROUTE_HEADER_UNITS_MASK UINT64_C(0x7ff0000)

/* Destination LID. */
#define HCA_ROUTE_HEADER_DESTINATION_LID_SHIFT 32
#define HCA_ROUTE_HEADER_DESTINATION_LID_MASK UINT64_C(0xffff00000000)

/* Next header (LNH): 2 for a BTH. */
#define HCA_ROUTE_HEADER_NEXT_HEADER_SHIFT 48
#define HCA_ROUTE_HEADER_NEXT_HEADER_MASK UINT64_C(0x3000000000000)

/* Service level. */
#define HCA_ROUTE_HEADER_LEVEL_SHIFT 52
#define HCA_ROUTE_HEADER_LEVEL_MASK UINT64_C(0xf0000000000000)

/* Link version; 0. */
#define HCA_ROUTE_HEADER_VERSION_SHIFT 56
#define HCA_ROUTE_HEADER_VERSION_MASK UINT64_C(0xf00000000000000)

/* First two units of the BTH, the base transport header (IBA volume 1, section 9.2). The highest
   byte is first on the wire. */

/* Destination QPN. */
#define HCA_TRANSPORT_HEADER_DESTINATION_SHIFT 0
#define HCA_TRANSPORT_HEADER_DESTINATION_MASK UINT64_C(0xffffff)

/* Partition key. */
#define HCA_TRANSPORT_HEADER_PARTITION_KEY_SHIFT 32
#define HCA_TRANSPORT_HEADER_PARTITION_KEY_MASK UINT64_C(0xffff00000000)

/* Transport version; 0. */
#define HCA_TRANSPORT_HEADER_VERSION_SHIFT 48
#define HCA_TRANSPORT_HEADER_VERSION_MASK UINT64_C(0xf000000000000)

/* Pad bytes after the data; 0 to 3. */
#define HCA_TRANSPORT_HEADER_PAD_SHIFT 52
#define HCA_TRANSPORT_HEADER_PAD_MASK UINT64_C(0x30000000000000)

/* Solicited event. */
#define HCA_TRANSPORT_HEADER_SOLICITED_SHIFT 55
#define HCA_TRANSPORT_HEADER_SOLICITED_MASK UINT64_C(0x80000000000000)

/* Operation code, a `PacketKind`. */
#define HCA_TRANSPORT_HEADER_KIND_SHIFT 56
#define HCA_TRANSPORT_HEADER_KIND_MASK UINT64_C(0xff00000000000000)

/* Third unit of the BTH, and the unit after it (IBA volume 1, sections 9.2, 9.3). The highest
   byte is first on the wire. */

/* Q_Key, AETH, upper half of the RETH's address, or immediate data of a connection. */
#define HCA_SEQUENCE_HEADER_EXTENSION_SHIFT 0
#define HCA_SEQUENCE_HEADER_EXTENSION_MASK UINT64_C(0xffffffff)

/* PSN. */
#define HCA_SEQUENCE_HEADER_PSN_SHIFT 32
#define HCA_SEQUENCE_HEADER_PSN_MASK UINT64_C(0xffffff00000000)

/* Acknowledgement request. */
#define HCA_SEQUENCE_HEADER_ASKS_SHIFT 63
#define HCA_SEQUENCE_HEADER_ASKS_MASK UINT64_C(0x8000000000000000)

/* Next header (LNH) of packets with a BTH and no global route header. */
#define HCA_NEXT_HEADER UINT64_C(0x2)

/* Bit of the operation code of a packet: unreliable connection. */
#define HCA_UNRELIABLE UINT64_C(0x20)

/* Bytes of a send WQE that are read. */
#define HCA_SEND_WQE_USED UINT64_C(0x30)

/* Bytes of a receive WQE. */
#define HCA_RECEIVE_WQE_BYTES UINT64_C(0x10)

/* Bytes of a CQE. */
#define HCA_CQE_BYTES UINT64_C(0x20)

/* Bytes in front of the data of a datagram. */
#define HCA_GRH_BYTES UINT64_C(0x28)

/* Destination of a datagram for a multicast group. */
#define HCA_MULTICAST_PAIR UINT64_C(0xffffff)

/* LID of the first multicast group. */
#define HCA_MULTICAST_LIDS UINT64_C(0xc000)

/* Partition key of all packets. */
#define HCA_PARTITION_KEY UINT64_C(0xffff)

/* Units of 4 bytes of the longest packet that is taken. */
#define HCA_MAX_UNITS UINT64_C(0x210)

/* Units of the shortest one. */
#define HCA_MIN_UNITS UINT64_C(0x6)

/* Bits of an operation in a CQE: something was received. */
#define HCA_RECEIVED_OPERATION UINT64_C(0x80)

/* Bit of such an operation: it was an RDMA WRITE with immediate data. */
#define HCA_WRITTEN_OPERATION UINT64_C(0x2)

/* Bytes on which an atomic operation works. */
#define HCA_ATOMIC_BYTES UINT64_C(0x8)

/* Bytes of the longest message of a connection. */
#define HCA_MAX_MESSAGE UINT64_C(0x40000000)

#endif
