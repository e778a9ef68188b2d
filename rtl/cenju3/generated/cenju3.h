/* Generated from crates/devices/cenju3/src/registers.rs, crates/devices/cenju3/src/memory_map.rs by `make tables`; do not edit. */
#ifndef MEMONET_CENJU3_H
#define MEMONET_CENJU3_H

#include <stdint.h>

/* CENJU3_GET(word, FIELD) is a field of a word, CENJU3_PUT(value, FIELD) a word with that field
   alone; FIELD is a name below, without _MASK or _SHIFT. */
#define CENJU3_GET(word, field) (((uint64_t)(word) & field##_MASK) >> field##_SHIFT)
#define CENJU3_PUT(value, field) (((uint64_t)(value) << field##_SHIFT) & field##_MASK)

/* Registers of the NIF of Cenju-3. */

/* Bit 0 lets the NIF fetch entries and take packets; when it is cleared, work in progress is
   finished. Bit 1, read-only, is set while the NIF is active. The host may read or write it. */
#define CENJU3_CONTROL_OFFSET 0x000u
#define CENJU3_CONTROL_MASK UINT64_C(0x3)
#define CENJU3_CONTROL_RESET UINT64_C(0x0)

/* Number of this processor element. The host may read or write it. */
#define CENJU3_PE_OFFSET 0x004u
#define CENJU3_PE_MASK UINT64_C(0xff)
#define CENJU3_PE_RESET UINT64_C(0x0)

/* Pending interrupt causes; writing 1 clears a bit. The host may read or write it. */
#define CENJU3_INTERRUPT_CAUSE_OFFSET 0x008u
#define CENJU3_INTERRUPT_CAUSE_MASK UINT64_C(0xf)
#define CENJU3_INTERRUPT_CAUSE_RESET UINT64_C(0x0)

/* Interrupt causes that are enabled. The host may read or write it. */
#define CENJU3_INTERRUPT_ENABLE_OFFSET 0x00cu
#define CENJU3_INTERRUPT_ENABLE_MASK UINT64_C(0xf)
#define CENJU3_INTERRUPT_ENABLE_RESET UINT64_C(0x0)

/* Errors and waiting packets; writing 1 clears a bit. The host may read or write it. */
#define CENJU3_STATUS_OFFSET 0x010u
#define CENJU3_STATUS_MASK UINT64_C(0x7f)
#define CENJU3_STATUS_RESET UINT64_C(0x0)

/* The first entry that was refused since bit 0 of Status was cleared. The host may read it. */
#define CENJU3_REFUSED_ENTRY_OFFSET 0x014u
#define CENJU3_REFUSED_ENTRY_MASK UINT64_C(0xfffff)
#define CENJU3_REFUSED_ENTRY_RESET UINT64_C(0x0)

/* DMA write address of that entry, after the mask; of a message, its source. The host may read
   it. */
#define CENJU3_REFUSED_ADDRESS_OFFSET 0x018u
#define CENJU3_REFUSED_ADDRESS_MASK UINT64_C(0xffffffff)
#define CENJU3_REFUSED_ADDRESS_RESET UINT64_C(0x0)

/* Packets dropped since reset; the counter wraps. The host may read it. */
#define CENJU3_DROPPED_OFFSET 0x01cu
#define CENJU3_DROPPED_MASK UINT64_C(0xffff)
#define CENJU3_DROPPED_RESET UINT64_C(0x0)

/* Kernel's send queue: 4 KB. The host may read or write it. */
#define CENJU3_QUEUE_BASE0_OFFSET 0x020u
#define CENJU3_QUEUE_BASE0_MASK UINT64_C(0x3ffffff)
#define CENJU3_QUEUE_BASE0_RESET UINT64_C(0x0)

/* User's send queue: 4 KB. The host may read or write it. */
#define CENJU3_QUEUE_BASE1_OFFSET 0x024u
#define CENJU3_QUEUE_BASE1_MASK UINT64_C(0x3ffffff)
#define CENJU3_QUEUE_BASE1_RESET UINT64_C(0x0)

/* Header part of receive message buffer 0: 4 KB. The host may read or write it. */
#define CENJU3_HEADER_BASE0_OFFSET 0x030u
#define CENJU3_HEADER_BASE0_MASK UINT64_C(0x3ffffff)
#define CENJU3_HEADER_BASE0_RESET UINT64_C(0x0)

/* Header part of receive message buffer 1: 4 KB. The host may read or write it. */
#define CENJU3_HEADER_BASE1_OFFSET 0x034u
#define CENJU3_HEADER_BASE1_MASK UINT64_C(0x3ffffff)
#define CENJU3_HEADER_BASE1_RESET UINT64_C(0x0)

/* Receive header buffer of DMA: 4 KB. The host may read or write it. */
#define CENJU3_HEADER_BASE2_OFFSET 0x038u
#define CENJU3_HEADER_BASE2_MASK UINT64_C(0x3ffffff)
#define CENJU3_HEADER_BASE2_RESET UINT64_C(0x0)

/* Data part of receive message buffer 0: 8 KB. The host may read or write it. */
#define CENJU3_DATA_BASE0_OFFSET 0x03cu
#define CENJU3_DATA_BASE0_MASK UINT64_C(0x3ffffff)
#define CENJU3_DATA_BASE0_RESET UINT64_C(0x0)

/* Data part of receive message buffer 1: 8 KB. The host may read or write it. */
#define CENJU3_DATA_BASE1_OFFSET 0x040u
#define CENJU3_DATA_BASE1_MASK UINT64_C(0x3ffffff)
#define CENJU3_DATA_BASE1_RESET UINT64_C(0x0)

/* New ROM: bits 31 to 18 of the DMA write addresses of the user; the others are ignored. The
   host may read or write it. */
#define CENJU3_ADDRESS_BASE_OFFSET 0x050u
#define CENJU3_ADDRESS_BASE_MASK UINT64_C(0xffffffff)
#define CENJU3_ADDRESS_BASE_RESET UINT64_C(0x0)

/* New ROM: bits of the user's destinations where `PeMask` is 0. The host may read or write it. */
#define CENJU3_PE_BASE_OFFSET 0x054u
#define CENJU3_PE_BASE_MASK UINT64_C(0xff)
#define CENJU3_PE_BASE_RESET UINT64_C(0x0)

/* New ROM: bits of the destination that the user chooses. The host may read or write it. */
#define CENJU3_PE_MASK_OFFSET 0x058u
#define CENJU3_PE_MASK_MASK UINT64_C(0xff)
#define CENJU3_PE_MASK_RESET UINT64_C(0x0)

/* Kernel's send queue: the entry that the host writes next. The NIF may send the entries before
   it. The host may read or write it. */
#define CENJU3_QUEUE_WRITE0_OFFSET 0x060u
#define CENJU3_QUEUE_WRITE0_MASK UINT64_C(0x3f)
#define CENJU3_QUEUE_WRITE0_RESET UINT64_C(0x0)

/* Kernel's send queue: the entry that the NIF reads next. Data of entries before it has been
   read and may be overwritten. The host may read it. */
#define CENJU3_QUEUE_READ0_OFFSET 0x064u
#define CENJU3_QUEUE_READ0_MASK UINT64_C(0x3f)
#define CENJU3_QUEUE_READ0_RESET UINT64_C(0x0)

/* Receive message buffer 1: the header that the host reads next. Headers before it may be
   overwritten. The host may read or write it. */
#define CENJU3_RING_READ1_OFFSET 0x070u
#define CENJU3_RING_READ1_MASK UINT64_C(0x3f)
#define CENJU3_RING_READ1_RESET UINT64_C(0x0)

/* Receive message buffer 1: the header that the NIF writes next. Messages of the headers before
   it have arrived. The host may read it. */
#define CENJU3_RING_WRITE1_OFFSET 0x074u
#define CENJU3_RING_WRITE1_MASK UINT64_C(0x3f)
#define CENJU3_RING_WRITE1_RESET UINT64_C(0x0)

/* User's send queue: the entry that the host writes next. The host may read or write it. */
#define CENJU3_QUEUE_WRITE1_OFFSET 0x800u
#define CENJU3_QUEUE_WRITE1_MASK UINT64_C(0x3f)
#define CENJU3_QUEUE_WRITE1_RESET UINT64_C(0x0)

/* User's send queue: the entry that the NIF reads next. The host may read it. */
#define CENJU3_QUEUE_READ1_OFFSET 0x804u
#define CENJU3_QUEUE_READ1_MASK UINT64_C(0x3f)
#define CENJU3_QUEUE_READ1_RESET UINT64_C(0x0)

/* Receive message buffer 0: the header that the host reads next. The host may read or write it. */
#define CENJU3_RING_READ0_OFFSET 0x810u
#define CENJU3_RING_READ0_MASK UINT64_C(0x3f)
#define CENJU3_RING_READ0_RESET UINT64_C(0x0)

/* Receive message buffer 0: the header that the NIF writes next. The host may read it. */
#define CENJU3_RING_WRITE0_OFFSET 0x814u
#define CENJU3_RING_WRITE0_MASK UINT64_C(0x3f)
#define CENJU3_RING_WRITE0_RESET UINT64_C(0x0)

/* Receive header buffer of DMA: the header that the host reads next. The host may read or write
   it. */
#define CENJU3_RING_READ2_OFFSET 0x820u
#define CENJU3_RING_READ2_MASK UINT64_C(0x3f)
#define CENJU3_RING_READ2_RESET UINT64_C(0x0)

/* Receive header buffer of DMA: the header that the NIF writes next. The host may read it. */
#define CENJU3_RING_WRITE2_OFFSET 0x824u
#define CENJU3_RING_WRITE2_MASK UINT64_C(0x3f)
#define CENJU3_RING_WRITE2_RESET UINT64_C(0x0)

/* Bits of Status. */

/* An entry was refused. */
#define CENJU3_STATUS_ENTRY_SHIFT 0
#define CENJU3_STATUS_ENTRY_MASK UINT64_C(0x1)

/* A mask was written while the user's queue was not empty; the write was refused. */
#define CENJU3_STATUS_MASK_SHIFT 1
#define CENJU3_STATUS_MASK_MASK UINT64_C(0x2)

/* A write was refused: the register does not exist, is locked while the NIF is active, or does
   not accept the address. */
#define CENJU3_STATUS_ACCESS_SHIFT 2
#define CENJU3_STATUS_ACCESS_MASK UINT64_C(0x4)

/* A packet was dropped: it is for another processor element, or is malformed. */
#define CENJU3_STATUS_PACKET_SHIFT 3
#define CENJU3_STATUS_PACKET_MASK UINT64_C(0x8)

/* The link was held back because a ring was full, ring 0 lowest. */
#define CENJU3_STATUS_HELD_SHIFT 4
#define CENJU3_STATUS_HELD_MASK UINT64_C(0x70)

/* A refused entry. */

/* Reason, a code of `Refusal`. */
#define CENJU3_REFUSED_WHY_SHIFT 0
#define CENJU3_REFUSED_WHY_MASK UINT64_C(0x7)

/* The entry is from the user's queue. */
#define CENJU3_REFUSED_USER_SHIFT 3
#define CENJU3_REFUSED_USER_MASK UINT64_C(0x8)

/* Place of the entry in its queue; 0 to 63. */
#define CENJU3_REFUSED_ENTRY_SHIFT 4
#define CENJU3_REFUSED_ENTRY_MASK UINT64_C(0x3f0)

/* Destination processor element, after the mask. */
#define CENJU3_REFUSED_PE_SHIFT 12
#define CENJU3_REFUSED_PE_MASK UINT64_C(0xff000)

/* Bytes of a message at most. */
#define CENJU3_SLOT_BYTES UINT64_C(0x80)

/* Bytes of a segment at most. */
#define CENJU3_SEGMENT_BYTES UINT64_C(0x100)

/* Words of a packet at most. */
#define CENJU3_PACKET_WORDS UINT64_C(0x27)

/* Cycles from one word on a link to the next. */
#define CENJU3_WORD_CYCLES UINT64_C(0xf)

/* Kinds of transfer. */

/* A message to receive message buffer 0. */
#define CENJU3_KIND_MESSAGE0 0x00u

/* A message to receive message buffer 1. */
#define CENJU3_KIND_MESSAGE1 0x01u

/* A DMA transfer to the physical address in the entry. */
#define CENJU3_KIND_DMA 0x02u

/* Reasons for which an entry is refused. */

/* Not refused. */
#define CENJU3_REFUSAL_NOTHING 0x00u

/* The kind is unknown. */
#define CENJU3_REFUSAL_NO_KIND 0x01u

/* The length is 0, or a message has more than 128 bytes. */
#define CENJU3_REFUSAL_LENGTH 0x02u

/* The source is not wholly in memory, or its address is not a multiple of 8. */
#define CENJU3_REFUSAL_SOURCE 0x03u

/* The destination is not wholly in memory, or its address is not a multiple of 8. */
#define CENJU3_REFUSAL_DESTINATION 0x04u

/* The destination crosses the end of the user's window. */
#define CENJU3_REFUSAL_WINDOW 0x05u

/* Word 0 of entries and headers. */

/* Kind of transfer. */
#define CENJU3_CONTROL_KIND_SHIFT 0
#define CENJU3_CONTROL_KIND_MASK UINT64_C(0x3)

/* Processor element: destination of an entry, source of a header. */
#define CENJU3_CONTROL_PE_SHIFT 8
#define CENJU3_CONTROL_PE_MASK UINT64_C(0xff00)

/* Bytes of data. */
#define CENJU3_CONTROL_LENGTH_SHIFT 32
#define CENJU3_CONTROL_LENGTH_MASK UINT64_C(0xffffffff00000000)

/* Word 1 of entries and headers. */

/* Byte address of the data, a multiple of 8: the source of an entry, the place of received data
   in a header. */
#define CENJU3_ADDRESSES_SOURCE_SHIFT 0
#define CENJU3_ADDRESSES_SOURCE_MASK UINT64_C(0xffffffff)

/* DMA write address of an entry, a multiple of 8. */
#define CENJU3_ADDRESSES_DESTINATION_SHIFT 32
#define CENJU3_ADDRESSES_DESTINATION_MASK UINT64_C(0xffffffff00000000)

/* First word of a packet. */

/* Kind of transfer. */
#define CENJU3_HEADER_KIND_SHIFT 0
#define CENJU3_HEADER_KIND_MASK UINT64_C(0x3)

/* Last segment of its transfer: six words follow the data. */
#define CENJU3_HEADER_LAST_SHIFT 2
#define CENJU3_HEADER_LAST_MASK UINT64_C(0x4)

/* Destination. */
#define CENJU3_HEADER_PE_SHIFT 8
#define CENJU3_HEADER_PE_MASK UINT64_C(0xff00)

/* Source processor element. */
#define CENJU3_HEADER_SOURCE_SHIFT 16
#define CENJU3_HEADER_SOURCE_MASK UINT64_C(0xff0000)

/* Bytes of data, minus 1. */
#define CENJU3_HEADER_BYTES_SHIFT 24
#define CENJU3_HEADER_BYTES_MASK UINT64_C(0xff000000)

/* Byte address of this data, for DMA; 0 for a message. */
#define CENJU3_HEADER_ADDRESS_SHIFT 32
#define CENJU3_HEADER_ADDRESS_MASK UINT64_C(0xffffffff00000000)

#endif
