// Generated from crates/devices/dimmnet2/src/packet.rs by `make tables`; do not edit.
package packet_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // First header line (thesis table 4.15; bit positions by decision 0004).
  typedef struct packed {
    logic reserved_63;
    logic lflag;  // [62] RVS: receive into LLCM. IPUSH: receive with LHS.
    logic hflag;  // [61] 0: two header lines, 1: three or four.
    // [60] 1: this is the last packet of the primitive and the receiver writes a receive status.
    logic eflag;
    logic rflag;  // [59] Destination 0: SO-DIMM, 1: Prefetch Window.
    logic [7:0] iteration;  // [58:51] Number of elements.
    logic [2:0] dtype;  // [50:48] Element size: 1 << dtype bytes.
    // [47:32] Receiving node's LID; the receiving SWIF replaces it by the sending node's LID
    // (decision 0005).
    logic [15:0] dlid;
    logic reserved_31;
    logic swid;  // [30] Sending process's WID.
    logic reserved_29;
    logic dwid;  // [28] Receiving process's WID.
    logic [7:0] pgid;  // [27:20] Sender's process group. The controller overwrites it in a BOTF.
    logic [2:0] reserved_17;
    logic [4:0] otype;  // [16:12] TYPE: primitive code, the OTYPE of a command (thesis table 4.13).
    // [11:0] Bytes of the packet, header included. The controller overwrites it in a BOTF.
    logic [11:0] packet_size;
  } first_line_t;

  // Second header line. The family of the primitive decides which of two meanings `srcoff` has.
  typedef struct packed {
    // [63:32] RVL family: offset at which the requester stores the reply. Others: destination of
    // this packet's data.
    logic [31:0] dstoff;
    // [31:0] RVL family: SRCOff, the offset that the remote node reads. Others: Initial DSTOff, the
    // DSTOff of the primitive.
    logic [31:0] srcoff;
  } second_line_t;

  // Third header line, present if hflag is 1.
  typedef struct packed {
    // [63:32] Stride in bytes or SO-DIMM address of the index list, as in the command.
    logic [31:0] stride_list;
    logic [31:0] total_transfer_size;  // [31:0] Data bytes of the whole primitive, without headers.
  } third_line_t;

  // Fourth header line, RVL family only: how the requester scatters the reply. Laid out as Command
  // Ex.
  typedef struct packed {
    // [63:32] Stride in bytes, or address of the index list in the requester's SO-DIMM.
    logic [31:0] stride_list;
    logic [15:0] reserved_16;
    logic [7:0] iteration;  // [15:8] Number of elements.
    logic [2:0] dtype;  // [7:5] Element size: 1 << dtype bytes.
    logic [4:0] otype;  // [4:0] Command Ex OTYPE; 0 (contiguous) if Command Ex is disabled.
  } fourth_line_t;

  // Lower word of a receive status, laid out as Command Lower (thesis table 4.9).
  typedef struct packed {
    // [63:32] Bytes received; for strided packets the stride, for list packets the list address.
    logic [31:0] size_list_stride;
    logic reserved_31;
    logic eflag;  // [30] eflag of the packet.
    logic [11:0] sclid;  // [29:18] Sending node's compressed LID, in place of DCLID.
    logic reserved_17;
    logic swid;  // [16] Sending process's WID, in place of DWID.
    logic [7:0] iteration;  // [15:8] Number of elements.
    logic [2:0] dtype;  // [7:5] Element size: 1 << dtype bytes.
    logic [4:0] otype;  // [4:0] Primitive code of the packet.
  } status_lower_t;

  // Upper word of a receive status, laid out as Command Upper; the bits of DSTOff are undefined.
  typedef struct packed {
    logic [31:0] reserved_32;
    logic [31:0] first_address;  // [31:0] First address of the stored data, in place of SRCOff.
  } status_upper_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
