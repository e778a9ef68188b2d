/* Generated from crates/devices/gigae_pm/src/registers.rs, crates/devices/gigae_pm/src/memory_map.rs, crates/devices/gigae_pm/src/protocol/frame.rs, crates/devices/gigae_pm/src/protocol/header.rs by `make tables`; do not edit. */
#ifndef MEMONET_GIGAE_PM_H
#define MEMONET_GIGAE_PM_H

#include <stdint.h>

/* GIGAE_PM_GET(word, FIELD) is a field of a word, GIGAE_PM_PUT(value, FIELD) a word with that
   field alone; FIELD is a name below, without _MASK or _SHIFT. */
#define GIGAE_PM_GET(word, field) (((uint64_t)(word) & field##_MASK) >> field##_SHIFT)
#define GIGAE_PM_PUT(value, field) (((uint64_t)(value) << field##_SHIFT) & field##_MASK)

/* Registers of GigaE PM, behind 0x1000 of the aperture. */

/* Bit 0 lets the card receive and the firmware work; while it is 0, firmware and PCI DMA are
   reset, the firmware's counters too. The host may read or write it. */
#define GIGAE_PM_CONTROL_OFFSET 0x000u
#define GIGAE_PM_CONTROL_MASK UINT64_C(0x1)
#define GIGAE_PM_CONTROL_RESET UINT64_C(0x0)

/* Causes of the interrupt; a bit that is written as 1 is cleared. The host may read or write it. */
#define GIGAE_PM_INTERRUPT_CAUSE_OFFSET 0x004u
#define GIGAE_PM_INTERRUPT_CAUSE_MASK UINT64_C(0xf)
#define GIGAE_PM_INTERRUPT_CAUSE_RESET UINT64_C(0x0)

/* Causes that interrupt the host, by bit. The host may read or write it. */
#define GIGAE_PM_INTERRUPT_ENABLE_OFFSET 0x008u
#define GIGAE_PM_INTERRUPT_ENABLE_MASK UINT64_C(0xf)
#define GIGAE_PM_INTERRUPT_ENABLE_RESET UINT64_C(0x0)

/* Page of 4 KB of NIC memory that is mapped at 0x2000 of the aperture. The host may read or
   write it. */
#define GIGAE_PM_PAGE_OFFSET 0x00cu
#define GIGAE_PM_PAGE_MASK UINT64_C(0xff)
#define GIGAE_PM_PAGE_RESET UINT64_C(0x0)

/* Number of this node. The host may read or write it. */
#define GIGAE_PM_NODE_OFFSET 0x010u
#define GIGAE_PM_NODE_MASK UINT64_C(0x3ff)
#define GIGAE_PM_NODE_RESET UINT64_C(0x0)

/* Number of nodes; frames from and messages to others are refused. The host may read or write
   it. */
#define GIGAE_PM_NODES_OFFSET 0x014u
#define GIGAE_PM_NODES_MASK UINT64_C(0x7ff)
#define GIGAE_PM_NODES_RESET UINT64_C(0x0)

/* First four bytes of all MAC addresses; the lowest byte goes first. The node's number follows.
   The host may read or write it. */
#define GIGAE_PM_MAC_PREFIX_OFFSET 0x018u
#define GIGAE_PM_MAC_PREFIX_MASK UINT64_C(0xffffffff)
#define GIGAE_PM_MAC_PREFIX_RESET UINT64_C(0x0)

/* Ethernet type of GigaE PM; 0x88B5, a local experimental type, unless the site has other use
   for it. The host may read or write it. */
#define GIGAE_PM_ETHER_TYPE_OFFSET 0x01cu
#define GIGAE_PM_ETHER_TYPE_MASK UINT64_C(0xffff)
#define GIGAE_PM_ETHER_TYPE_RESET UINT64_C(0x0)

/* Repairs of the printed rules: bit n - 1 is Fn (decision 0027). The host may read or write it. */
#define GIGAE_PM_RULES_OFFSET 0x020u
#define GIGAE_PM_RULES_MASK UINT64_C(0x3ffff)
#define GIGAE_PM_RULES_RESET UINT64_C(0x0)

/* N: messages that may be sent to a peer without an ACK. The host may read or write it. */
#define GIGAE_PM_WINDOW_OFFSET 0x024u
#define GIGAE_PM_WINDOW_MASK UINT64_C(0x7fff)
#define GIGAE_PM_WINDOW_RESET UINT64_C(0x0)

/* T: cycles from sending a message to sending it again. The host may read or write it. */
#define GIGAE_PM_TIMEOUT_OFFSET 0x028u
#define GIGAE_PM_TIMEOUT_MASK UINT64_C(0xffffffff)
#define GIGAE_PM_TIMEOUT_RESET UINT64_C(0x0)

/* Expiries in a row after which a peer is dead; 0 for never. The host may read or write it. */
#define GIGAE_PM_LIMIT_OFFSET 0x02cu
#define GIGAE_PM_LIMIT_MASK UINT64_C(0xff)
#define GIGAE_PM_LIMIT_RESET UINT64_C(0x0)

/* Free slots of a receive ring that end discarding. The host may read or write it. */
#define GIGAE_PM_ROOM_OFFSET 0x030u
#define GIGAE_PM_ROOM_MASK UINT64_C(0x1f)
#define GIGAE_PM_ROOM_RESET UINT64_C(0x0)

/* Cycles from one visit of a control structure by the timer scan to the next, less one. The host
   may read or write it. */
#define GIGAE_PM_SCAN_PERIOD_OFFSET 0x034u
#define GIGAE_PM_SCAN_PERIOD_MASK UINT64_C(0xffff)
#define GIGAE_PM_SCAN_PERIOD_RESET UINT64_C(0x0)

/* Gives the oldest slot of the receive ring of this number back to the card. The host may write
   it. */
#define GIGAE_PM_RELEASE_OFFSET 0x038u
#define GIGAE_PM_RELEASE_MASK UINT64_C(0x7)
#define GIGAE_PM_RELEASE_RESET UINT64_C(0x0)

/* Slots of the receive rings that the host holds, five bits each, ring 0 lowest. The host may
   read it. */
#define GIGAE_PM_HELD_OFFSET 0x03cu
#define GIGAE_PM_HELD_MASK UINT64_C(0x1ffffff)
#define GIGAE_PM_HELD_RESET UINT64_C(0x0)

/* Cycles for which frames of other protocols do not interrupt again, from the clearing of their
   cause; 0 for an interrupt for each of them (decision 0037). The host may read or write it. */
#define GIGAE_PM_INTERRUPT_DELAY_OFFSET 0x040u
#define GIGAE_PM_INTERRUPT_DELAY_MASK UINT64_C(0xffff)
#define GIGAE_PM_INTERRUPT_DELAY_RESET UINT64_C(0x0)

/* Good frames received. The host may read it. */
#define GIGAE_PM_GOOD_OFFSET 0x080u
#define GIGAE_PM_GOOD_MASK UINT64_C(0xffff)
#define GIGAE_PM_GOOD_RESET UINT64_C(0x0)

/* Frames dropped: wrong check sequence. The host may read it. */
#define GIGAE_PM_FCS_ERRORS_OFFSET 0x084u
#define GIGAE_PM_FCS_ERRORS_MASK UINT64_C(0xffff)
#define GIGAE_PM_FCS_ERRORS_RESET UINT64_C(0x0)

/* Frames dropped: too short. The host may read it. */
#define GIGAE_PM_RUNTS_OFFSET 0x088u
#define GIGAE_PM_RUNTS_MASK UINT64_C(0xffff)
#define GIGAE_PM_RUNTS_RESET UINT64_C(0x0)

/* Frames dropped: too long. The host may read it. */
#define GIGAE_PM_GIANTS_OFFSET 0x08cu
#define GIGAE_PM_GIANTS_MASK UINT64_C(0xffff)
#define GIGAE_PM_GIANTS_RESET UINT64_C(0x0)

/* Frames dropped: for other nodes. The host may read it. */
#define GIGAE_PM_FOREIGN_OFFSET 0x090u
#define GIGAE_PM_FOREIGN_MASK UINT64_C(0xffff)
#define GIGAE_PM_FOREIGN_RESET UINT64_C(0x0)

/* Frames dropped: no room in the receive FIFO. The host may read it. */
#define GIGAE_PM_MISSED_OFFSET 0x094u
#define GIGAE_PM_MISSED_MASK UINT64_C(0xffff)
#define GIGAE_PM_MISSED_RESET UINT64_C(0x0)

/* Frames dropped: unknown kind, version, node or channel, or sizes that do not fit. The host may
   read it. */
#define GIGAE_PM_MALFORMED_OFFSET 0x098u
#define GIGAE_PM_MALFORMED_MASK UINT64_C(0xffff)
#define GIGAE_PM_MALFORMED_RESET UINT64_C(0x0)

/* Frames dropped: of another session. The host may read it. */
#define GIGAE_PM_WRONG_EPOCH_OFFSET 0x09cu
#define GIGAE_PM_WRONG_EPOCH_MASK UINT64_C(0xffff)
#define GIGAE_PM_WRONG_EPOCH_RESET UINT64_C(0x0)

/* Messages dropped by the rules, and frames of other protocols without room. The host may read
   it. */
#define GIGAE_PM_DISCARDED_OFFSET 0x0a0u
#define GIGAE_PM_DISCARDED_MASK UINT64_C(0xffff)
#define GIGAE_PM_DISCARDED_RESET UINT64_C(0x0)

/* Messages and frames delivered to the host. The host may read it. */
#define GIGAE_PM_DELIVERED_OFFSET 0x0a4u
#define GIGAE_PM_DELIVERED_MASK UINT64_C(0xffff)
#define GIGAE_PM_DELIVERED_RESET UINT64_C(0x0)

/* Messages and frames taken from the host. The host may read it. */
#define GIGAE_PM_SENT_OFFSET 0x0a8u
#define GIGAE_PM_SENT_MASK UINT64_C(0xffff)
#define GIGAE_PM_SENT_RESET UINT64_C(0x0)

/* Send descriptors refused. The host may read it. */
#define GIGAE_PM_REFUSED_OFFSET 0x0acu
#define GIGAE_PM_REFUSED_MASK UINT64_C(0xffff)
#define GIGAE_PM_REFUSED_RESET UINT64_C(0x0)

/* Accesses refused: of users beyond the window, and of anyone to nothing. The host may read it. */
#define GIGAE_PM_REFUSED_ACCESSES_OFFSET 0x0b0u
#define GIGAE_PM_REFUSED_ACCESSES_MASK UINT64_C(0xffff)
#define GIGAE_PM_REFUSED_ACCESSES_RESET UINT64_C(0x0)

/* Timers expired. The host may read it. */
#define GIGAE_PM_EXPIRED_OFFSET 0x0b4u
#define GIGAE_PM_EXPIRED_MASK UINT64_C(0xffff)
#define GIGAE_PM_EXPIRED_RESET UINT64_C(0x0)

/* The ring of other protocols. */
#define GIGAE_PM_OTHER UINT64_C(0x4)

/* Words that users may read. */
#define GIGAE_PM_WINDOW_WORDS UINT64_C(0x100)

/* First receive descriptor. */
#define GIGAE_PM_RECEIVE_DESCRIPTORS UINT64_C(0x0)

/* First send descriptor. */
#define GIGAE_PM_SEND_DESCRIPTORS UINT64_C(0x200)

/* First record of a send buffer. */
#define GIGAE_PM_SEND_RECORDS UINT64_C(0x400)

/* Pinned areas: for each ring the send area and the receive area. */
#define GIGAE_PM_AREAS UINT64_C(0x480)

/* First received frame. */
#define GIGAE_PM_FRAMES UINT64_C(0x2000)

/* First send buffer. */
#define GIGAE_PM_SEND_BUFFERS UINT64_C(0x8000)

/* First control structure. */
#define GIGAE_PM_CONTROL_STRUCTURES UINT64_C(0x20000)

/* Word of a received frame's buffer that holds its length. */
#define GIGAE_PM_LENGTH_WORD UINT64_C(0x1ff)

/* Words in front of a message in its frame. */
#define GIGAE_PM_HEADER_WORDS UINT64_C(0xc)

/* Most bytes of a message. */
#define GIGAE_PM_MTU UINT64_C(0x5bc)

/* Most bytes of a frame of another protocol, its two bytes in front included. */
#define GIGAE_PM_OTHER_MTU UINT64_C(0x5ec)

/* Bytes of the pinned send area of a ring. */
#define GIGAE_PM_SEND_AREA_BYTES UINT64_C(0x7800)

/* Bytes of the pinned receive area of a ring. */
#define GIGAE_PM_RECEIVE_AREA_BYTES UINT64_C(0x8000)

/* Flag of a descriptor: owner of its slot, and result. */

/* The slot is free: of a send descriptor for the host, of a receive descriptor for the card. */
#define GIGAE_PM_FLAG_FREE 0x00u

/* The descriptor is posted: a message to be sent, or one that has arrived. */
#define GIGAE_PM_FLAG_FULL 0x01u

/* The message is in its send buffer. */
#define GIGAE_PM_FLAG_KEPT 0x02u

/* The send descriptor was refused: address, size or peer is invalid. The slot is free. */
#define GIGAE_PM_FLAG_REFUSED 0x03u

/* Kind of a frame. Control frames are created and consumed by the firmware and never cross the
   PCI bus (paper section 2.2). */

/* No frame is sent. */
#define GIGAE_PM_KIND_NOTHING 0x00u

/* Msg(s, r, i): message i. */
#define GIGAE_PM_KIND_MESSAGE 0x01u

/* ACK(r, k): k is the last message received in order. */
#define GIGAE_PM_KIND_ACK 0x02u

/* LOSE(r, k): a message after k was lost; k is the last one received in order. */
#define GIGAE_PM_KIND_LOSE 0x03u

/* STOP(r, k): there is no room for message k. */
#define GIGAE_PM_KIND_STOP 0x04u

/* GO(r, k): there is room again; message k is the next. */
#define GIGAE_PM_KIND_GO 0x05u

/* Version of the layout. */
#define GIGAE_PM_VERSION UINT64_C(0x1)

#endif
