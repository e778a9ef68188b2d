/* Generated from crates/devices/dimmnet2/src/registers/user.rs, crates/devices/dimmnet2/src/registers/system.rs, crates/devices/dimmnet2/src/command.rs, crates/devices/dimmnet2/src/packet.rs by `make tables`; do not edit. */
#ifndef MEMONET_DIMMNET2_H
#define MEMONET_DIMMNET2_H

#include <stdint.h>

/* DIMMNET2_GET(word, FIELD) is a field of a word, DIMMNET2_PUT(value, FIELD) a word with that
   field alone; FIELD is a name below, without _MASK or _SHIFT. */
#define DIMMNET2_GET(word, field) (((uint64_t)(word) & field##_MASK) >> field##_SHIFT)
#define DIMMNET2_PUT(value, field) (((uint64_t)(value) << field##_SHIFT) & field##_MASK)

/* User Register page, one per WID (thesis figure 4.12, table 4.8, appendix A). */

/* Lower word of Command0, whose received data goes to SO-DIMM. Writing it issues the command
   (thesis figure 4.13). The host may write it. */
#define DIMMNET2_USER_COMMAND0_LOWER_OFFSET 0x000u
#define DIMMNET2_USER_COMMAND0_LOWER_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_COMMAND0_LOWER_RESET UINT64_C(0x0)

/* Upper word of Command0; keeps its value from command to command. The host may write it. */
#define DIMMNET2_USER_COMMAND0_UPPER_OFFSET 0x010u
#define DIMMNET2_USER_COMMAND0_UPPER_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_COMMAND0_UPPER_RESET UINT64_C(0x0)

/* Access parameters of the local side, for Command0 and Command1 alike; used if Command Ex Flag
   is 1. The host may write it. */
#define DIMMNET2_USER_COMMAND_EX_OFFSET 0x020u
#define DIMMNET2_USER_COMMAND_EX_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_COMMAND_EX_RESET UINT64_C(0x0)

/* Lower word of Command1, whose received data goes to the Prefetch Window. Writing it issues the
   command. The host may write it. */
#define DIMMNET2_USER_COMMAND1_LOWER_OFFSET 0x100u
#define DIMMNET2_USER_COMMAND1_LOWER_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_COMMAND1_LOWER_RESET UINT64_C(0x0)

/* Upper word of Command1. The host may write it. */
#define DIMMNET2_USER_COMMAND1_UPPER_OFFSET 0x110u
#define DIMMNET2_USER_COMMAND1_UPPER_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_COMMAND1_UPPER_RESET UINT64_C(0x0)

/* Progress and errors of the controller (thesis table A.1). After reset the Status Area is
   empty, so bit 4 reads 1. The host may read it. */
#define DIMMNET2_USER_CONTROLLER_STATUS_OFFSET 0x200u
#define DIMMNET2_USER_CONTROLLER_STATUS_MASK UINT64_C(0xfffff)
#define DIMMNET2_USER_CONTROLLER_STATUS_RESET UINT64_C(0x10)

/* Any data clears the Primitive Counter. The host may write it. */
#define DIMMNET2_USER_PRIMITIVE_COUNTER_RESET_OFFSET 0x300u
#define DIMMNET2_USER_PRIMITIVE_COUNTER_RESET_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_PRIMITIVE_COUNTER_RESET_RESET UINT64_C(0x0)

/* Completed primitives by family (thesis table A.2). The host may read it. */
#define DIMMNET2_USER_PRIMITIVE_COUNTER_OFFSET 0x300u
#define DIMMNET2_USER_PRIMITIVE_COUNTER_MASK UINT64_C(0xfffffffffffffff)
#define DIMMNET2_USER_PRIMITIVE_COUNTER_RESET UINT64_C(0x0)

/* Which quarters of each Prefetch Window hold their data (thesis table A.3). The host may read
   it. */
#define DIMMNET2_USER_PREFETCH_WINDOW_FLAG_OFFSET 0x400u
#define DIMMNET2_USER_PREFETCH_WINDOW_FLAG_MASK UINT64_C(0xffff)
#define DIMMNET2_USER_PREFETCH_WINDOW_FLAG_RESET UINT64_C(0x0)

/* Any data clears the Packet Counter. The host may write it. */
#define DIMMNET2_USER_PACKET_COUNTER_RESET_OFFSET 0x500u
#define DIMMNET2_USER_PACKET_COUNTER_RESET_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_PACKET_COUNTER_RESET_RESET UINT64_C(0x0)

/* Packets received for this process. The host may read it. */
#define DIMMNET2_USER_PACKET_COUNTER_OFFSET 0x500u
#define DIMMNET2_USER_PACKET_COUNTER_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_USER_PACKET_COUNTER_RESET UINT64_C(0x0)

/* Size of every ring in SO-DIMM that receives IPUSH. The unit is not published. The host may
   write it. */
#define DIMMNET2_USER_IPUSH_AREA_SIZE_OFFSET 0x600u
#define DIMMNET2_USER_IPUSH_AREA_SIZE_MASK UINT64_C(0xffff)
#define DIMMNET2_USER_IPUSH_AREA_SIZE_RESET UINT64_C(0x0)

/* Head of the LH Buffer, moved by the host. The host may write it. */
#define DIMMNET2_USER_LH_BUFFER_NEXT_READ_ADDRESS_OFFSET 0x700u
#define DIMMNET2_USER_LH_BUFFER_NEXT_READ_ADDRESS_MASK UINT64_C(0xfff)
#define DIMMNET2_USER_LH_BUFFER_NEXT_READ_ADDRESS_RESET UINT64_C(0x0)

/* Tail of the LH Buffer, moved by the controller. The host may read it. */
#define DIMMNET2_USER_LH_BUFFER_NEXT_WRITE_ADDRESS_OFFSET 0x700u
#define DIMMNET2_USER_LH_BUFFER_NEXT_WRITE_ADDRESS_MASK UINT64_C(0xfff)
#define DIMMNET2_USER_LH_BUFFER_NEXT_WRITE_ADDRESS_RESET UINT64_C(0x0)

/* State machines of the controller, for debugging (thesis table A.4). The reset value is that of
   an idle controller (thesis figure C.13). The host may read it. */
#define DIMMNET2_USER_MODULE_STATE_OFFSET 0x800u
#define DIMMNET2_USER_MODULE_STATE_MASK UINT64_C(0x3ffffffffffffff)
#define DIMMNET2_USER_MODULE_STATE_RESET UINT64_C(0x422200020001)

/* Start of the ring of receive statuses in the process's LLCM. The host may write it. */
#define DIMMNET2_USER_STATUS_INITIAL_ADDRESS_OFFSET 0x900u
#define DIMMNET2_USER_STATUS_INITIAL_ADDRESS_MASK UINT64_C(0x7fff)
#define DIMMNET2_USER_STATUS_INITIAL_ADDRESS_RESET UINT64_C(0x0)

/* Code of the size of the ring of receive statuses (thesis table A.5). 0 selects 1024 bytes. The
   host may write it. */
#define DIMMNET2_USER_STATUS_AREA_SIZE_OFFSET 0xa00u
#define DIMMNET2_USER_STATUS_AREA_SIZE_MASK UINT64_C(0x7f)
#define DIMMNET2_USER_STATUS_AREA_SIZE_RESET UINT64_C(0x0)

/* Head of the ring of receive statuses, moved by the host. The host may write it. */
#define DIMMNET2_USER_STATUS_NEXT_READ_ADDRESS_OFFSET 0xb00u
#define DIMMNET2_USER_STATUS_NEXT_READ_ADDRESS_MASK UINT64_C(0x7fff)
#define DIMMNET2_USER_STATUS_NEXT_READ_ADDRESS_RESET UINT64_C(0x0)

/* Tail of the ring of receive statuses, moved by the controller. The host may read it. */
#define DIMMNET2_USER_STATUS_NEXT_WRITE_ADDRESS_OFFSET 0xb00u
#define DIMMNET2_USER_STATUS_NEXT_WRITE_ADDRESS_MASK UINT64_C(0x7fff)
#define DIMMNET2_USER_STATUS_NEXT_WRITE_ADDRESS_RESET UINT64_C(0x0)

/* 1: commands have 192 bits, Command Ex included. 0: Command Ex is ignored. The host may write
   it. */
#define DIMMNET2_USER_COMMAND_EX_FLAG_OFFSET 0xc00u
#define DIMMNET2_USER_COMMAND_EX_FLAG_MASK UINT64_C(0x1)
#define DIMMNET2_USER_COMMAND_EX_FLAG_RESET UINT64_C(0x0)

/* Controller Status (thesis table A.1). Three bits per Write Window report the result of the
   last VS-family primitive from that window. */

/* A written command is not yet in the Request FIFO. */
#define DIMMNET2_CONTROLLER_STATUS_REQUEST_WAITING_SHIFT 0
#define DIMMNET2_CONTROLLER_STATUS_REQUEST_WAITING_MASK UINT64_C(0x1)

/* SO-DIMM initialisation is done. */
#define DIMMNET2_CONTROLLER_STATUS_SDIMM_INITIALIZED_SHIFT 1
#define DIMMNET2_CONTROLLER_STATUS_SDIMM_INITIALIZED_MASK UINT64_C(0x2)

/* The Request FIFO has little room. */
#define DIMMNET2_CONTROLLER_STATUS_REQUEST_FIFO_ALMOST_FULL_SHIFT 2
#define DIMMNET2_CONTROLLER_STATUS_REQUEST_FIFO_ALMOST_FULL_MASK UINT64_C(0x4)

/* The ring of receive statuses is full. */
#define DIMMNET2_CONTROLLER_STATUS_STATUS_AREA_FULL_SHIFT 3
#define DIMMNET2_CONTROLLER_STATUS_STATUS_AREA_FULL_MASK UINT64_C(0x8)

/* The ring of receive statuses is empty. */
#define DIMMNET2_CONTROLLER_STATUS_STATUS_AREA_EMPTY_SHIFT 4
#define DIMMNET2_CONTROLLER_STATUS_STATUS_AREA_EMPTY_MASK UINT64_C(0x10)

/* VS from Write Window 0: the data is in SO-DIMM. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW0_COMPLETE_SHIFT 5
#define DIMMNET2_CONTROLLER_STATUS_WINDOW0_COMPLETE_MASK UINT64_C(0x20)

/* VS from Write Window 0: the source extended past the end of the window. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW0_SOURCE_CLAMPED_SHIFT 6
#define DIMMNET2_CONTROLLER_STATUS_WINDOW0_SOURCE_CLAMPED_MASK UINT64_C(0x40)

/* VS from Write Window 0: the destination extended past the end of own SO-DIMM region. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW0_DESTINATION_CLAMPED_SHIFT 7
#define DIMMNET2_CONTROLLER_STATUS_WINDOW0_DESTINATION_CLAMPED_MASK UINT64_C(0x80)

/* VS from Write Window 1: the data is in SO-DIMM. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW1_COMPLETE_SHIFT 8
#define DIMMNET2_CONTROLLER_STATUS_WINDOW1_COMPLETE_MASK UINT64_C(0x100)

/* VS from Write Window 1: the source extended past the end of the window. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW1_SOURCE_CLAMPED_SHIFT 9
#define DIMMNET2_CONTROLLER_STATUS_WINDOW1_SOURCE_CLAMPED_MASK UINT64_C(0x200)

/* VS from Write Window 1: the destination extended past the end of own SO-DIMM region. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW1_DESTINATION_CLAMPED_SHIFT 10
#define DIMMNET2_CONTROLLER_STATUS_WINDOW1_DESTINATION_CLAMPED_MASK UINT64_C(0x400)

/* VS from Write Window 2: the data is in SO-DIMM. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW2_COMPLETE_SHIFT 11
#define DIMMNET2_CONTROLLER_STATUS_WINDOW2_COMPLETE_MASK UINT64_C(0x800)

/* VS from Write Window 2: the source extended past the end of the window. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW2_SOURCE_CLAMPED_SHIFT 12
#define DIMMNET2_CONTROLLER_STATUS_WINDOW2_SOURCE_CLAMPED_MASK UINT64_C(0x1000)

/* VS from Write Window 2: the destination extended past the end of own SO-DIMM region. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW2_DESTINATION_CLAMPED_SHIFT 13
#define DIMMNET2_CONTROLLER_STATUS_WINDOW2_DESTINATION_CLAMPED_MASK UINT64_C(0x2000)

/* VS from Write Window 3: the data is in SO-DIMM. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW3_COMPLETE_SHIFT 14
#define DIMMNET2_CONTROLLER_STATUS_WINDOW3_COMPLETE_MASK UINT64_C(0x4000)

/* VS from Write Window 3: the source extended past the end of the window. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW3_SOURCE_CLAMPED_SHIFT 15
#define DIMMNET2_CONTROLLER_STATUS_WINDOW3_SOURCE_CLAMPED_MASK UINT64_C(0x8000)

/* VS from Write Window 3: the destination extended past the end of own SO-DIMM region. */
#define DIMMNET2_CONTROLLER_STATUS_WINDOW3_DESTINATION_CLAMPED_SHIFT 16
#define DIMMNET2_CONTROLLER_STATUS_WINDOW3_DESTINATION_CLAMPED_MASK UINT64_C(0x10000)

/* Received data extended past the end of the receive area. */
#define DIMMNET2_CONTROLLER_STATUS_RECEIVE_OVERRUN_SHIFT 17
#define DIMMNET2_CONTROLLER_STATUS_RECEIVE_OVERRUN_MASK UINT64_C(0x20000)

/* Receive Controller condition, a ReceiveCondition code. */
#define DIMMNET2_CONTROLLER_STATUS_RECEIVE_CONDITION_SHIFT 18
#define DIMMNET2_CONTROLLER_STATUS_RECEIVE_CONDITION_MASK UINT64_C(0xc0000)

/* Receive Controller condition in Controller Status (thesis table A.1). */

/* No error. */
#define DIMMNET2_RECEIVE_CONDITION_RECEIVE_NORMAL 0x00u

/* The first line of a packet arrived before the last line of the packet before it. */
#define DIMMNET2_RECEIVE_CONDITION_RECEIVE_OVERLAP 0x01u

/* hflag does not match the number of header lines. */
#define DIMMNET2_RECEIVE_CONDITION_RECEIVE_HEADER_MISMATCH 0x02u

/* A packet of the RVL family is malformed, for example carries data. */
#define DIMMNET2_RECEIVE_CONDITION_RECEIVE_MALFORMED_RVL 0x03u

/* Primitive Counter (thesis table A.2). Each counter wraps at 1024. */

/* BOTF. */
#define DIMMNET2_PRIMITIVE_COUNTER_BOTF_SHIFT 0
#define DIMMNET2_PRIMITIVE_COUNTER_BOTF_MASK UINT64_C(0x3ff)

/* VL, VLS, VLI. */
#define DIMMNET2_PRIMITIVE_COUNTER_VL_SHIFT 10
#define DIMMNET2_PRIMITIVE_COUNTER_VL_MASK UINT64_C(0xffc00)

/* VS, VSS, VSI. */
#define DIMMNET2_PRIMITIVE_COUNTER_VS_SHIFT 20
#define DIMMNET2_PRIMITIVE_COUNTER_VS_MASK UINT64_C(0x3ff00000)

/* RVL, RVLS, RVLI: requests sent. */
#define DIMMNET2_PRIMITIVE_COUNTER_RVL_SHIFT 30
#define DIMMNET2_PRIMITIVE_COUNTER_RVL_MASK UINT64_C(0xffc0000000)

/* RVS, RVSS, RVSI. */
#define DIMMNET2_PRIMITIVE_COUNTER_RVS_SHIFT 40
#define DIMMNET2_PRIMITIVE_COUNTER_RVS_MASK UINT64_C(0x3ff0000000000)

/* IPUSH with and without LHS. */
#define DIMMNET2_PRIMITIVE_COUNTER_IPUSH_SHIFT 50
#define DIMMNET2_PRIMITIVE_COUNTER_IPUSH_MASK UINT64_C(0xffc000000000000)

/* Prefetch Window Flag (thesis table A.3): one bit for each 128-byte quarter of a window. The
   bits of a window are cleared when a read into it is issued; 4'b1111 means that all data has
   arrived. */

/* Quarters of Prefetch Window 0. */
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW0_SHIFT 0
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW0_MASK UINT64_C(0xf)

/* Quarters of Prefetch Window 1. */
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW1_SHIFT 4
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW1_MASK UINT64_C(0xf0)

/* Quarters of Prefetch Window 2. */
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW2_SHIFT 8
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW2_MASK UINT64_C(0xf00)

/* Quarters of Prefetch Window 3. */
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW3_SHIFT 12
#define DIMMNET2_PREFETCH_WINDOW_FLAG_WINDOW3_MASK UINT64_C(0xf000)

/* Module State (thesis table A.4). The thesis publishes four parts: Window Controller 16:0,
   Receive Controller 36:17, Write Unit 50:37, Prefetch Unit 57:51. The layout inside a part is
   inferred from the idle value that dsh decodes in thesis figure C.13. */

/* Window Controller, Request Acceptor: one bit per state, bit 0 is NOP. */
#define DIMMNET2_MODULE_STATE_ACCEPTOR_SHIFT 0
#define DIMMNET2_MODULE_STATE_ACCEPTOR_MASK UINT64_C(0xf)

/* Window Controller, Request Executor: family running in 12:10, its state in 9:0; dsh calls 0
   P_BOTF_WAIT. */
#define DIMMNET2_MODULE_STATE_EXECUTOR_SHIFT 4
#define DIMMNET2_MODULE_STATE_EXECUTOR_MASK UINT64_C(0x1fff0)

/* Receive Controller, main state machine: one bit per state, bit 0 is IDLE. */
#define DIMMNET2_MODULE_STATE_RECEIVE_CONTROLLER_SHIFT 17
#define DIMMNET2_MODULE_STATE_RECEIVE_CONTROLLER_MASK UINT64_C(0x1fffe0000)

/* Receive Controller, PWrite: one bit per state, bit 0 is IDLE. */
#define DIMMNET2_MODULE_STATE_PREFETCH_WINDOW_WRITE_SHIFT 33
#define DIMMNET2_MODULE_STATE_PREFETCH_WINDOW_WRITE_MASK UINT64_C(0x1e00000000)

/* Write Unit: rctl_stat one-hot in 3:0, wctl_stat one-hot in 8:4, wu_stride one-hot in 11:9,
   wu_ipush in 13:12. */
#define DIMMNET2_MODULE_STATE_WRITE_UNIT_SHIFT 37
#define DIMMNET2_MODULE_STATE_WRITE_UNIT_MASK UINT64_C(0x7ffe000000000)

/* Prefetch Unit: four state machines, all 0 when idle. */
#define DIMMNET2_MODULE_STATE_PREFETCH_UNIT_SHIFT 51
#define DIMMNET2_MODULE_STATE_PREFETCH_UNIT_MASK UINT64_C(0x3f8000000000000)

/* Address in the ring of receive statuses; a status takes 16 bytes. */

/* Byte offset in the process's 32 KB of LLCM. */
#define DIMMNET2_STATUS_POINTER_ADDRESS_SHIFT 0
#define DIMMNET2_STATUS_POINTER_ADDRESS_MASK UINT64_C(0x7fff)

/* Address in the LH Buffer; an entry takes 64 bytes. */

/* Byte offset in the process's 4 KB of LH Buffer. */
#define DIMMNET2_LH_BUFFER_POINTER_ADDRESS_SHIFT 0
#define DIMMNET2_LH_BUFFER_POINTER_ADDRESS_MASK UINT64_C(0xfff)

/* System Register page, for the privileged process (thesis figure 4.15, table 4.12, appendix B).
   The thesis leaves offsets 0x400 to 0x600 free; the register at 0x400 is an addition of this
   model. */

/* 1 enables access to the SO-DIMMs. Set once after power-up; Controller Reset does not clear it.
   The host may write it. */
#define DIMMNET2_SYSTEM_SDIMM_INIT_OFFSET 0x000u
#define DIMMNET2_SYSTEM_SDIMM_INIT_MASK UINT64_C(0x1)
#define DIMMNET2_SYSTEM_SDIMM_INIT_RESET UINT64_C(0x0)

/* Code of the capacity of one SO-DIMM (thesis table 4.10). 0 selects 256 MB. The host may write
   it. */
#define DIMMNET2_SYSTEM_SDIMM_CAPACITY_OFFSET 0x100u
#define DIMMNET2_SYSTEM_SDIMM_CAPACITY_MASK UINT64_C(0x3f)
#define DIMMNET2_SYSTEM_SDIMM_CAPACITY_RESET UINT64_C(0x0)

/* Code of the payload of an InfiniBand packet (thesis table 4.11). 0 selects 2048 bytes. The
   host may write it. */
#define DIMMNET2_SYSTEM_MTU_OFFSET 0x200u
#define DIMMNET2_SYSTEM_MTU_MASK UINT64_C(0x1f)
#define DIMMNET2_SYSTEM_MTU_RESET UINT64_C(0x0)

/* Any data resets the subnet management agent. The host may write it. */
#define DIMMNET2_SYSTEM_SMA_SOFTWARE_RESET_OFFSET 0x300u
#define DIMMNET2_SYSTEM_SMA_SOFTWARE_RESET_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_SYSTEM_SMA_SOFTWARE_RESET_RESET UINT64_C(0x0)

/* LID that the Subnet Manager has assigned to this node, and the status of SWIF. The host may
   read it. */
#define DIMMNET2_SYSTEM_SMA_LID_OFFSET 0x300u
#define DIMMNET2_SYSTEM_SMA_LID_MASK UINT64_C(0x3ffff)
#define DIMMNET2_SYSTEM_SMA_LID_RESET UINT64_C(0x0)

/* How data is read for packets. Not in the thesis (decision 0041); 0 is the published behaviour.
   The host may write it. */
#define DIMMNET2_SYSTEM_READ_OPTIONS_OFFSET 0x400u
#define DIMMNET2_SYSTEM_READ_OPTIONS_MASK UINT64_C(0x3)
#define DIMMNET2_SYSTEM_READ_OPTIONS_RESET UINT64_C(0x0)

/* LID of this node, as used by the controller. The host may write it. */
#define DIMMNET2_SYSTEM_LID_OFFSET 0x700u
#define DIMMNET2_SYSTEM_LID_MASK UINT64_C(0xffff)
#define DIMMNET2_SYSTEM_LID_RESET UINT64_C(0x0)

/* Process group of WID 0. The host may write it. */
#define DIMMNET2_SYSTEM_PGID0_OFFSET 0x800u
#define DIMMNET2_SYSTEM_PGID0_MASK UINT64_C(0xff)
#define DIMMNET2_SYSTEM_PGID0_RESET UINT64_C(0x0)

/* Process group of WID 1. The host may write it. */
#define DIMMNET2_SYSTEM_PGID1_OFFSET 0x900u
#define DIMMNET2_SYSTEM_PGID1_MASK UINT64_C(0xff)
#define DIMMNET2_SYSTEM_PGID1_RESET UINT64_C(0x0)

/* Any access, read or write, resets the controller and clears the LH Buffer flags; it reads 0.
   The host may read or write it. */
#define DIMMNET2_SYSTEM_CONTROLLER_RESET_OFFSET 0xa00u
#define DIMMNET2_SYSTEM_CONTROLLER_RESET_MASK UINT64_C(0xffffffffffffffff)
#define DIMMNET2_SYSTEM_CONTROLLER_RESET_RESET UINT64_C(0x0)

/* Writes one entry of the AMT Address Table (thesis figure B.1). The second 0xa00 of thesis
   figure 4.15 is a misprint. The host may write it. */
#define DIMMNET2_SYSTEM_AMT_ADDRESS_TABLE_INTERFACE_OFFSET 0xb00u
#define DIMMNET2_SYSTEM_AMT_ADDRESS_TABLE_INTERFACE_MASK UINT64_C(0x3fffffff)
#define DIMMNET2_SYSTEM_AMT_ADDRESS_TABLE_INTERFACE_RESET UINT64_C(0x0)

/* SMA LID (thesis appendix B). */

/* LID from the subnet management agent. */
#define DIMMNET2_SMA_LID_LID_SHIFT 0
#define DIMMNET2_SMA_LID_LID_MASK UINT64_C(0xffff)

/* SWIF status; 2'b11 means that the link is usable. */
#define DIMMNET2_SMA_LID_SWIF_STATUS_SHIFT 16
#define DIMMNET2_SMA_LID_SWIF_STATUS_MASK UINT64_C(0x30000)

/* AMT Address Table Interface (thesis figure B.1): location of the AMT entry of one sender. */

/* Number of the 64-bit word of LLCM that holds the AMT entry. */
#define DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_VALUE_SHIFT 0
#define DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_VALUE_MASK UINT64_C(0xfff)

/* Sending process's WID; bit 13 is unused (decision 0004). */
#define DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_WID_SHIFT 12
#define DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_WID_MASK UINT64_C(0x1000)

/* Sending node's LID. */
#define DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_LID_SHIFT 14
#define DIMMNET2_AMT_ADDRESS_TABLE_INTERFACE_LID_MASK UINT64_C(0x3fffc000)

/* Read Options: an addition to the registers of the thesis (decision 0041). */

/* 1: RVS and IPUSH begin a packet when all of its data has been read, 0: when the first line has
   (thesis section 5.3.7). */
#define DIMMNET2_READ_OPTIONS_AWAITED_SHIFT 0
#define DIMMNET2_READ_OPTIONS_AWAITED_MASK UINT64_C(0x1)

/* Contiguous data for packets is read from both SO-DIMMs at once, 16 bytes in a cycle (thesis
   section 4.5.6). */
#define DIMMNET2_READ_OPTIONS_TOGETHER_SHIFT 1
#define DIMMNET2_READ_OPTIONS_TOGETHER_MASK UINT64_C(0x2)

/* Primitive codes, the OTYPE of a command and the TYPE of a packet (thesis table 4.13). Bits 4:2
   select the family, bits 1:0 the variant: contiguous, strided or by list. */

/* Does nothing; the controller uses it internally. */
#define DIMMNET2_PRIMITIVE_NOP 0x00u

/* Sends the packet image in a Write Window. */
#define DIMMNET2_PRIMITIVE_BOTF 0x01u

/* Copies from own SO-DIMM to own Prefetch Window. */
#define DIMMNET2_PRIMITIVE_VL 0x04u

/* Copies strided elements from own SO-DIMM to own Prefetch Window. */
#define DIMMNET2_PRIMITIVE_VLS 0x05u

/* Copies listed elements from own SO-DIMM to own Prefetch Window. */
#define DIMMNET2_PRIMITIVE_VLI 0x06u

/* Copies from own Write Window to own SO-DIMM. */
#define DIMMNET2_PRIMITIVE_VS 0x08u

/* Copies from own Write Window to strided elements in own SO-DIMM. */
#define DIMMNET2_PRIMITIVE_VSS 0x09u

/* Copies from own Write Window to listed elements in own SO-DIMM. */
#define DIMMNET2_PRIMITIVE_VSI 0x0au

/* Reads remote SO-DIMM into own SO-DIMM (Command0) or Prefetch Window (Command1). */
#define DIMMNET2_PRIMITIVE_RVL 0x10u

/* Reads strided elements of remote SO-DIMM. */
#define DIMMNET2_PRIMITIVE_RVLS 0x11u

/* Reads elements of remote SO-DIMM, named by a list in that SO-DIMM. */
#define DIMMNET2_PRIMITIVE_RVLI 0x12u

/* Writes own SO-DIMM into remote SO-DIMM (Command0) or Prefetch Window (Command1). */
#define DIMMNET2_PRIMITIVE_RVS 0x14u

/* Writes to strided elements of remote SO-DIMM. */
#define DIMMNET2_PRIMITIVE_RVSS 0x15u

/* Writes to elements of remote SO-DIMM, named by a list in that SO-DIMM. */
#define DIMMNET2_PRIMITIVE_RVSI 0x16u

/* Writes own SO-DIMM to a destination that the receiver chooses. */
#define DIMMNET2_PRIMITIVE_IPUSH 0x18u

/* IPUSH with LHSv1: envelope and data lie contiguously in own SO-DIMM. */
#define DIMMNET2_PRIMITIVE_LHS_V1 0x19u

/* IPUSH with LHSv2: the envelope comes from a Write Window, the data from own SO-DIMM. */
#define DIMMNET2_PRIMITIVE_LHS_V2 0x1au

/* Families of primitives: bits 4:2 of a code. Codes 011 and 111 are not assigned. A footnote of
   the thesis speaks of the upper 2 bits, but those cannot distinguish BOTF from VL nor RVL from
   RVS. */

/* NOP and BOTF; bit 0 distinguishes them. */
#define DIMMNET2_FAMILY_FAMILY_BOTF 0x00u

/* VL, VLS, VLI. */
#define DIMMNET2_FAMILY_FAMILY_VL 0x01u

/* VS, VSS, VSI. */
#define DIMMNET2_FAMILY_FAMILY_VS 0x02u

/* RVL, RVLS, RVLI. */
#define DIMMNET2_FAMILY_FAMILY_RVL 0x04u

/* RVS, RVSS, RVSI. */
#define DIMMNET2_FAMILY_FAMILY_RVS 0x05u

/* IPUSH without LHS, with LHSv1, with LHSv2. */
#define DIMMNET2_FAMILY_FAMILY_IPUSH 0x06u

/* Offset of an SO-DIMM copy: DSTOff of the VL, SRCOff of the VS (thesis section 4.6.8). */
#define DIMMNET2_SODIMM_COPY UINT64_C(0xffffffff)

/* Command Lower of every primitive but BOTF (thesis figure 4.13, table 4.4). Writing it issues
   the command. */

/* Primitive code (thesis table 4.13). */
#define DIMMNET2_LOWER_OTYPE_SHIFT 0
#define DIMMNET2_LOWER_OTYPE_MASK UINT64_C(0x1f)

/* Element size: 1 << dtype bytes (thesis table 4.5). */
#define DIMMNET2_LOWER_DTYPE_SHIFT 5
#define DIMMNET2_LOWER_DTYPE_MASK UINT64_C(0xe0)

/* Number of elements of a strided or list access. */
#define DIMMNET2_LOWER_ITERATION_SHIFT 8
#define DIMMNET2_LOWER_ITERATION_MASK UINT64_C(0xff00)

/* Destination process's WID; bit 17 is unused (decision 0004). */
#define DIMMNET2_LOWER_DWID_SHIFT 16
#define DIMMNET2_LOWER_DWID_MASK UINT64_C(0x10000)

/* Destination node's compressed LID. */
#define DIMMNET2_LOWER_DCLID_SHIFT 18
#define DIMMNET2_LOWER_DCLID_MASK UINT64_C(0x3ffc0000)

/* 1: the receiver writes a receive status; bit 31 is unused (decision 0004). */
#define DIMMNET2_LOWER_EFLAG_SHIFT 30
#define DIMMNET2_LOWER_EFLAG_MASK UINT64_C(0x40000000)

/* Size in bytes, SO-DIMM address of the index list, or stride in bytes, depending on the
   variant. */
#define DIMMNET2_LOWER_SIZE_LIST_STRIDE_SHIFT 32
#define DIMMNET2_LOWER_SIZE_LIST_STRIDE_MASK UINT64_C(0xffffffff00000000)

/* Command Upper (thesis figure 4.13, table 4.4). BOTF does not use it. */

/* Source byte offset: in own SO-DIMM region, own Write Windows or remote SO-DIMM region. */
#define DIMMNET2_UPPER_SRCOFF_SHIFT 0
#define DIMMNET2_UPPER_SRCOFF_MASK UINT64_C(0xffffffff)

/* Destination byte offset: in own SO-DIMM region, own Prefetch Windows or remote memory. */
#define DIMMNET2_UPPER_DSTOFF_SHIFT 32
#define DIMMNET2_UPPER_DSTOFF_MASK UINT64_C(0xffffffff00000000)

/* Command Ex: access parameters of the local side of RVS, RVL and IPUSH (thesis figure 4.13). */

/* Bits 1:0 select contiguous, strided or list access; the others are ignored. */
#define DIMMNET2_EX_OTYPE_SHIFT 0
#define DIMMNET2_EX_OTYPE_MASK UINT64_C(0x1f)

/* Element size: 1 << dtype bytes. */
#define DIMMNET2_EX_DTYPE_SHIFT 5
#define DIMMNET2_EX_DTYPE_MASK UINT64_C(0xe0)

/* Number of elements. */
#define DIMMNET2_EX_ITERATION_SHIFT 8
#define DIMMNET2_EX_ITERATION_MASK UINT64_C(0xff00)

/* Size in bytes, SO-DIMM address of the index list, or stride in bytes. */
#define DIMMNET2_EX_SIZE_LIST_STRIDE_SHIFT 32
#define DIMMNET2_EX_SIZE_LIST_STRIDE_MASK UINT64_C(0xffffffff00000000)

/* Command Lower of BOTF (thesis figure 4.14, table 4.7). Upper need not be written (decision
   0004). */

/* Primitive code, 5'b00001. */
#define DIMMNET2_BOTF_LOWER_OTYPE_SHIFT 0
#define DIMMNET2_BOTF_LOWER_OTYPE_MASK UINT64_C(0x1f)

/* Write Window number; the packet image starts at the first byte of the window. */
#define DIMMNET2_BOTF_LOWER_WINDOW_SHIFT 5
#define DIMMNET2_BOTF_LOWER_WINDOW_MASK UINT64_C(0x60)

/* Bytes to send, packet header included; sizes above 512 send 512, 0 completes at once. */
#define DIMMNET2_BOTF_LOWER_SIZE_SHIFT 32
#define DIMMNET2_BOTF_LOWER_SIZE_MASK UINT64_C(0x3ff00000000)

/* Command Upper of IPUSH with LHSv2 (thesis figure 7.8). */

/* Source byte offset in own SO-DIMM region. */
#define DIMMNET2_LHS_UPPER_SRCOFF_SHIFT 0
#define DIMMNET2_LHS_UPPER_SRCOFF_MASK UINT64_C(0xffffffff)

/* Bytes taken from the Write Windows, up to 512. */
#define DIMMNET2_LHS_UPPER_WINDOW_SIZE_SHIFT 32
#define DIMMNET2_LHS_UPPER_WINDOW_SIZE_MASK UINT64_C(0x3ff00000000)

/* Source byte offset in the process's 2 KB of Write Windows. */
#define DIMMNET2_LHS_UPPER_WINDOW_SRCOFF_SHIFT 42
#define DIMMNET2_LHS_UPPER_WINDOW_SRCOFF_MASK UINT64_C(0x3ffc0000000000)

/* First header line (thesis table 4.15; bit positions by decision 0004). */

/* Bytes of the packet, header included. The controller overwrites it in a BOTF. */
#define DIMMNET2_FIRST_LINE_PACKET_SIZE_SHIFT 0
#define DIMMNET2_FIRST_LINE_PACKET_SIZE_MASK UINT64_C(0xfff)

/* TYPE: primitive code, the OTYPE of a command (thesis table 4.13). */
#define DIMMNET2_FIRST_LINE_OTYPE_SHIFT 12
#define DIMMNET2_FIRST_LINE_OTYPE_MASK UINT64_C(0x1f000)

/* Sender's process group. The controller overwrites it in a BOTF. */
#define DIMMNET2_FIRST_LINE_PGID_SHIFT 20
#define DIMMNET2_FIRST_LINE_PGID_MASK UINT64_C(0xff00000)

/* Receiving process's WID. */
#define DIMMNET2_FIRST_LINE_DWID_SHIFT 28
#define DIMMNET2_FIRST_LINE_DWID_MASK UINT64_C(0x10000000)

/* Sending process's WID. */
#define DIMMNET2_FIRST_LINE_SWID_SHIFT 30
#define DIMMNET2_FIRST_LINE_SWID_MASK UINT64_C(0x40000000)

/* Receiving node's LID; the receiving SWIF replaces it by the sending node's LID (decision
   0005). */
#define DIMMNET2_FIRST_LINE_DLID_SHIFT 32
#define DIMMNET2_FIRST_LINE_DLID_MASK UINT64_C(0xffff00000000)

/* Element size: 1 << dtype bytes. */
#define DIMMNET2_FIRST_LINE_DTYPE_SHIFT 48
#define DIMMNET2_FIRST_LINE_DTYPE_MASK UINT64_C(0x7000000000000)

/* Number of elements. */
#define DIMMNET2_FIRST_LINE_ITERATION_SHIFT 51
#define DIMMNET2_FIRST_LINE_ITERATION_MASK UINT64_C(0x7f8000000000000)

/* Destination 0: SO-DIMM, 1: Prefetch Window. */
#define DIMMNET2_FIRST_LINE_RFLAG_SHIFT 59
#define DIMMNET2_FIRST_LINE_RFLAG_MASK UINT64_C(0x800000000000000)

/* 1: this is the last packet of the primitive and the receiver writes a receive status. */
#define DIMMNET2_FIRST_LINE_EFLAG_SHIFT 60
#define DIMMNET2_FIRST_LINE_EFLAG_MASK UINT64_C(0x1000000000000000)

/* 0: two header lines, 1: three or four. */
#define DIMMNET2_FIRST_LINE_HFLAG_SHIFT 61
#define DIMMNET2_FIRST_LINE_HFLAG_MASK UINT64_C(0x2000000000000000)

/* RVS: receive into LLCM. IPUSH: receive with LHS. */
#define DIMMNET2_FIRST_LINE_LFLAG_SHIFT 62
#define DIMMNET2_FIRST_LINE_LFLAG_MASK UINT64_C(0x4000000000000000)

/* Second header line. The family of the primitive decides which of two meanings `srcoff` has. */

/* RVL family: SRCOff, the offset that the remote node reads. Others: Initial DSTOff, the DSTOff
   of the primitive. */
#define DIMMNET2_SECOND_LINE_SRCOFF_SHIFT 0
#define DIMMNET2_SECOND_LINE_SRCOFF_MASK UINT64_C(0xffffffff)

/* RVL family: offset at which the requester stores the reply. Others: destination of this
   packet's data. */
#define DIMMNET2_SECOND_LINE_DSTOFF_SHIFT 32
#define DIMMNET2_SECOND_LINE_DSTOFF_MASK UINT64_C(0xffffffff00000000)

/* Third header line, present if hflag is 1. */

/* Data bytes of the whole primitive, without headers. */
#define DIMMNET2_THIRD_LINE_TOTAL_TRANSFER_SIZE_SHIFT 0
#define DIMMNET2_THIRD_LINE_TOTAL_TRANSFER_SIZE_MASK UINT64_C(0xffffffff)

/* Stride in bytes or SO-DIMM address of the index list, as in the command. */
#define DIMMNET2_THIRD_LINE_STRIDE_LIST_SHIFT 32
#define DIMMNET2_THIRD_LINE_STRIDE_LIST_MASK UINT64_C(0xffffffff00000000)

/* Fourth header line, RVL family only: how the requester scatters the reply. Laid out as Command
   Ex. */

/* Command Ex OTYPE; 0 (contiguous) if Command Ex is disabled. */
#define DIMMNET2_FOURTH_LINE_OTYPE_SHIFT 0
#define DIMMNET2_FOURTH_LINE_OTYPE_MASK UINT64_C(0x1f)

/* Element size: 1 << dtype bytes. */
#define DIMMNET2_FOURTH_LINE_DTYPE_SHIFT 5
#define DIMMNET2_FOURTH_LINE_DTYPE_MASK UINT64_C(0xe0)

/* Number of elements. */
#define DIMMNET2_FOURTH_LINE_ITERATION_SHIFT 8
#define DIMMNET2_FOURTH_LINE_ITERATION_MASK UINT64_C(0xff00)

/* Stride in bytes, or address of the index list in the requester's SO-DIMM. */
#define DIMMNET2_FOURTH_LINE_STRIDE_LIST_SHIFT 32
#define DIMMNET2_FOURTH_LINE_STRIDE_LIST_MASK UINT64_C(0xffffffff00000000)

/* Lower word of a receive status, laid out as Command Lower (thesis table 4.9). */

/* Primitive code of the packet. */
#define DIMMNET2_STATUS_LOWER_OTYPE_SHIFT 0
#define DIMMNET2_STATUS_LOWER_OTYPE_MASK UINT64_C(0x1f)

/* Element size: 1 << dtype bytes. */
#define DIMMNET2_STATUS_LOWER_DTYPE_SHIFT 5
#define DIMMNET2_STATUS_LOWER_DTYPE_MASK UINT64_C(0xe0)

/* Number of elements. */
#define DIMMNET2_STATUS_LOWER_ITERATION_SHIFT 8
#define DIMMNET2_STATUS_LOWER_ITERATION_MASK UINT64_C(0xff00)

/* Sending process's WID, in place of DWID. */
#define DIMMNET2_STATUS_LOWER_SWID_SHIFT 16
#define DIMMNET2_STATUS_LOWER_SWID_MASK UINT64_C(0x10000)

/* Sending node's compressed LID, in place of DCLID. */
#define DIMMNET2_STATUS_LOWER_SCLID_SHIFT 18
#define DIMMNET2_STATUS_LOWER_SCLID_MASK UINT64_C(0x3ffc0000)

/* eflag of the packet. */
#define DIMMNET2_STATUS_LOWER_EFLAG_SHIFT 30
#define DIMMNET2_STATUS_LOWER_EFLAG_MASK UINT64_C(0x40000000)

/* Bytes received; for strided packets the stride, for list packets the list address. */
#define DIMMNET2_STATUS_LOWER_SIZE_LIST_STRIDE_SHIFT 32
#define DIMMNET2_STATUS_LOWER_SIZE_LIST_STRIDE_MASK UINT64_C(0xffffffff00000000)

/* Upper word of a receive status, laid out as Command Upper; the bits of DSTOff are undefined. */

/* First address of the stored data, in place of SRCOff. */
#define DIMMNET2_STATUS_UPPER_FIRST_ADDRESS_SHIFT 0
#define DIMMNET2_STATUS_UPPER_FIRST_ADDRESS_MASK UINT64_C(0xffffffff)

#endif
