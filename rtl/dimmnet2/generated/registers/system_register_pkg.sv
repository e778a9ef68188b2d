// Generated from crates/devices/dimmnet2/src/registers/system.rs by `make tables`; do not edit.
package system_register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // System Register page, for the privileged process (thesis figure 4.15, table 4.12, appendix B).
  // The thesis leaves offsets 0x400 to 0x600 free; the register at 0x400 is an addition of this
  // model.

  // write: 1 enables access to the SO-DIMMs. Set once after power-up; Controller Reset does not
  // clear it.
  localparam logic [11:0] SdimmInit = 12'h000;
  // write: Code of the capacity of one SO-DIMM (thesis table 4.10). 0 selects 256 MB.
  localparam logic [11:0] SdimmCapacity = 12'h100;
  // write: Code of the payload of an InfiniBand packet (thesis table 4.11). 0 selects 2048 bytes.
  localparam logic [11:0] Mtu = 12'h200;
  // write: Any data resets the subnet management agent.
  localparam logic [11:0] SmaSoftwareReset = 12'h300;
  // read: LID that the Subnet Manager has assigned to this node, and the status of SWIF.
  localparam logic [11:0] SmaLid = 12'h300;
  // write: How data is read for packets. Not in the thesis (decision 0041); 0 is the published
  // behaviour.
  localparam logic [11:0] ReadOptions = 12'h400;
  localparam logic [11:0] Lid = 12'h700;  // write: LID of this node, as used by the controller.
  localparam logic [11:0] Pgid0 = 12'h800;  // write: Process group of WID 0.
  localparam logic [11:0] Pgid1 = 12'h900;  // write: Process group of WID 1.
  // read or write: Any access, read or write, resets the controller and clears the LH Buffer flags;
  // it reads 0.
  localparam logic [11:0] ControllerReset = 12'ha00;
  // write: Writes one entry of the AMT Address Table (thesis figure B.1). The second 0xa00 of
  // thesis figure 4.15 is a misprint.
  localparam logic [11:0] AmtAddressTableInterface = 12'hb00;

  // SMA LID (thesis appendix B).
  typedef struct packed {
    logic [45:0] reserved_18;
    logic [1:0] swif_status;  // [17:16] SWIF status; 2'b11 means that the link is usable.
    logic [15:0] lid;  // [15:0] LID from the subnet management agent.
  } sma_lid_t;

  // AMT Address Table Interface (thesis figure B.1): location of the AMT entry of one sender.
  typedef struct packed {
    logic [33:0] reserved_30;
    logic [15:0] lid;  // [29:14] Sending node's LID.
    logic reserved_13;
    logic wid;  // [12] Sending process's WID; bit 13 is unused (decision 0004).
    logic [11:0] value;  // [11:0] Number of the 64-bit word of LLCM that holds the AMT entry.
  } amt_address_table_interface_t;

  // Read Options: an addition to the registers of the thesis (decision 0041).
  typedef struct packed {
    logic [61:0] reserved_2;
    // [1] Contiguous data for packets is read from both SO-DIMMs at once, 16 bytes in a cycle
    // (thesis section 4.5.6).
    logic together;
    // [0] 1: RVS and IPUSH begin a packet when all of its data has been read, 0: when the first
    // line has (thesis section 5.3.7).
    logic awaited;
  } read_options_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
