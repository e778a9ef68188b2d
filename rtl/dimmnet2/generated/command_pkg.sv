// Generated from crates/devices/dimmnet2/src/command.rs by `make tables`; do not edit.
package command_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Primitive codes, the OTYPE of a command and the TYPE of a packet (thesis table 4.13). Bits 4:2
  // select the family, bits 1:0 the variant: contiguous, strided or by list.

  localparam logic [4:0] Nop = 5'b00000;  // Does nothing; the controller uses it internally.
  localparam logic [4:0] Botf = 5'b00001;  // Sends the packet image in a Write Window.
  localparam logic [4:0] Vl = 5'b00100;  // Copies from own SO-DIMM to own Prefetch Window.
  // Copies strided elements from own SO-DIMM to own Prefetch Window.
  localparam logic [4:0] Vls = 5'b00101;
  // Copies listed elements from own SO-DIMM to own Prefetch Window.
  localparam logic [4:0] Vli = 5'b00110;
  localparam logic [4:0] Vs = 5'b01000;  // Copies from own Write Window to own SO-DIMM.
  // Copies from own Write Window to strided elements in own SO-DIMM.
  localparam logic [4:0] Vss = 5'b01001;
  // Copies from own Write Window to listed elements in own SO-DIMM.
  localparam logic [4:0] Vsi = 5'b01010;
  // Reads remote SO-DIMM into own SO-DIMM (Command0) or Prefetch Window (Command1).
  localparam logic [4:0] Rvl = 5'b10000;
  localparam logic [4:0] Rvls = 5'b10001;  // Reads strided elements of remote SO-DIMM.
  // Reads elements of remote SO-DIMM, named by a list in that SO-DIMM.
  localparam logic [4:0] Rvli = 5'b10010;
  // Writes own SO-DIMM into remote SO-DIMM (Command0) or Prefetch Window (Command1).
  localparam logic [4:0] Rvs = 5'b10100;
  localparam logic [4:0] Rvss = 5'b10101;  // Writes to strided elements of remote SO-DIMM.
  // Writes to elements of remote SO-DIMM, named by a list in that SO-DIMM.
  localparam logic [4:0] Rvsi = 5'b10110;
  // Writes own SO-DIMM to a destination that the receiver chooses.
  localparam logic [4:0] Ipush = 5'b11000;
  // IPUSH with LHSv1: envelope and data lie contiguously in own SO-DIMM.
  localparam logic [4:0] LhsV1 = 5'b11001;
  // IPUSH with LHSv2: the envelope comes from a Write Window, the data from own SO-DIMM.
  localparam logic [4:0] LhsV2 = 5'b11010;

  // Families of primitives: bits 4:2 of a code. Codes 011 and 111 are not assigned.
  //
  // A footnote of the thesis speaks of the upper 2 bits, but those cannot distinguish BOTF from VL
  // nor RVL from RVS.

  localparam logic [2:0] FamilyBotf = 3'b000;  // NOP and BOTF; bit 0 distinguishes them.
  localparam logic [2:0] FamilyVl = 3'b001;  // VL, VLS, VLI.
  localparam logic [2:0] FamilyVs = 3'b010;  // VS, VSS, VSI.
  localparam logic [2:0] FamilyRvl = 3'b100;  // RVL, RVLS, RVLI.
  localparam logic [2:0] FamilyRvs = 3'b101;  // RVS, RVSS, RVSI.
  localparam logic [2:0] FamilyIpush = 3'b110;  // IPUSH without LHS, with LHSv1, with LHSv2.

  // Offset of an SO-DIMM copy: DSTOff of the VL, SRCOff of the VS (thesis section 4.6.8).
  localparam logic [31:0] SodimmCopy = 32'd4294967295;

  // Command Lower of every primitive but BOTF (thesis figure 4.13, table 4.4). Writing it issues
  // the command.
  typedef struct packed {
    // [63:32] Size in bytes, SO-DIMM address of the index list, or stride in bytes, depending on
    // the variant.
    logic [31:0] size_list_stride;
    logic reserved_31;
    logic eflag;  // [30] 1: the receiver writes a receive status; bit 31 is unused (decision 0004).
    logic [11:0] dclid;  // [29:18] Destination node's compressed LID.
    logic reserved_17;
    logic dwid;  // [16] Destination process's WID; bit 17 is unused (decision 0004).
    logic [7:0] iteration;  // [15:8] Number of elements of a strided or list access.
    logic [2:0] dtype;  // [7:5] Element size: 1 << dtype bytes (thesis table 4.5).
    logic [4:0] otype;  // [4:0] Primitive code (thesis table 4.13).
  } lower_t;

  // Command Upper (thesis figure 4.13, table 4.4). BOTF does not use it.
  typedef struct packed {
    // [63:32] Destination byte offset: in own SO-DIMM region, own Prefetch Windows or remote
    // memory.
    logic [31:0] dstoff;
    // [31:0] Source byte offset: in own SO-DIMM region, own Write Windows or remote SO-DIMM region.
    logic [31:0] srcoff;
  } upper_t;

  // Command Ex: access parameters of the local side of RVS, RVL and IPUSH (thesis figure 4.13).
  typedef struct packed {
    // [63:32] Size in bytes, SO-DIMM address of the index list, or stride in bytes.
    logic [31:0] size_list_stride;
    logic [15:0] reserved_16;
    logic [7:0] iteration;  // [15:8] Number of elements.
    logic [2:0] dtype;  // [7:5] Element size: 1 << dtype bytes.
    // [4:0] Bits 1:0 select contiguous, strided or list access; the others are ignored.
    logic [4:0] otype;
  } ex_t;

  // Command Lower of BOTF (thesis figure 4.14, table 4.7). Upper need not be written (decision
  // 0004).
  typedef struct packed {
    logic [21:0] reserved_42;
    // [41:32] Bytes to send, packet header included; sizes above 512 send 512, 0 completes at once.
    logic [9:0] size;
    logic [24:0] reserved_7;
    // [6:5] Write Window number; the packet image starts at the first byte of the window.
    logic [1:0] window;
    logic [4:0] otype;  // [4:0] Primitive code, 5'b00001.
  } botf_lower_t;

  // Command Upper of IPUSH with LHSv2 (thesis figure 7.8).
  typedef struct packed {
    logic [9:0] reserved_54;
    // [53:42] Source byte offset in the process's 2 KB of Write Windows.
    logic [11:0] window_srcoff;
    logic [9:0] window_size;  // [41:32] Bytes taken from the Write Windows, up to 512.
    logic [31:0] srcoff;  // [31:0] Source byte offset in own SO-DIMM region.
  } lhs_upper_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
