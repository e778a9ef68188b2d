// Generated from crates/dimmnet2/src/host_interface/pins.rs by `make tables`; do not edit.
package host_interface_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // A configuration value on its way, one core cycle after the host wrote it (thesis table 5.1).
  typedef struct packed {
    // Which system register: 1 SO-DIMM Capacity, 2 MTU, 3 LID, 4 PGID of WID 0, 5 PGID of WID 1, 0
    // none.
    logic [2:0] system_code;
    // Which user register: 2 IPUSH Area Size, 5 Status Initial Address, 6 Status Area Size, 7
    // Status Next Read Address, 0 none.
    logic [2:0] user_code;
    logic wid;  // Process whose page was written; user registers only.
    logic [15:0] value;  // Value, as written, right-aligned.
  } configuration_t;

  // What the transaction side shows to the host in the registers of both processes.
  typedef struct packed {
    logic [1:0] link_status;  // SWIF status.
    logic [15:0] sma_lid;  // LID from the Subnet Manager.
    logic [2:0] write_control_state;  // State number of the Write Unit's write control.
    logic [1:0] read_control_state;  // State number of the Write Unit's read control.
    logic [1:0] packet_write_state;  // State number of its packet writer.
    logic [3:0] receive_state;  // State number of the Receive Controller.
    logic [2:0] executor_family;  // Family of the running module, code bits 4:2 of the primitive.
    logic [9:0] executor_state;  // State number of the running module of the Request Executor.
    logic [1:0] acceptor_state;  // State number of the Request Acceptor.
    logic receive_wid;  // Process that the three pulses above belong to.
    // Condition of the Receive Controller, nonzero for one cycle: 1 first line inside a packet, 2
    // header lines and hflag differ, 3 malformed RVL.
    logic [1:0] receive_condition;
    logic receive_overrun;  // Received data ran past its area; one cycle.
    logic packet_received;  // A packet was accepted; one cycle.
    logic botf_done_wid;  // Process whose BOTF is complete.
    logic botf_done;  // A BOTF is complete; one cycle.
    logic request_fifo_almost_full;  // The host Request FIFO has little room left.
    logic [1:0] status_empty;  // Status ring empty, bit per WID.
    logic [1:0] status_full;  // Status ring full, bit per WID.
    logic [14:0] status_next_write_address1;  // Status ring of WID 1.
    // Status ring of WID 0: where the next status goes, a byte address in LLCM.
    logic [14:0] status_next_write_address0;
  } status_t;

  // Input pins of the host interface section.
  typedef struct packed {
    logic [63:0] llcm_wdata;  // Data for LLCM.
    logic [12:0] llcm_address;  // Word of 8 bytes: WID, word in the process's 32 KB.
    // Bytes of an LLCM word to write, from Status Write Unit or Receive Controller; 0 writes
    // nothing.
    logic [7:0] llcm_byte_enable;
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    // Bytes of a Prefetch Window to write, from Receive Controller; 0 writes nothing.
    logic [15:0] prefetch_window_byte_enable;
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads 16 bytes of a Write Window, from Window Controller.
    // The host Request FIFO cannot take a request, from Window Controller.
    logic request_fifo_full;
    status_t status;  // For the registers.
    // From the host bus.
    struct packed {
      logic write;
      logic enable;
      logic [19:0] address;
      logic [15:0] byte_enable;
      logic [127:0] wdata;
    } host;
  } in_t;

  // Output pins of the host interface section.
  typedef struct packed {
    // Resets the controller; high for eight cycles, so that the network side sees it too.
    logic controller_reset;
    logic sodimm_enabled;  // SO-DIMM access is enabled.
    configuration_t configuration;  // Configuration values.
    // Writes the request; it is taken in a cycle in which the FIFO is not full.
    logic request_enable;
    logic [63:0] request_ex;  // Command Ex of the request; 0 unless enabled.
    // To the host Request FIFO.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
    // To the Window Controller: two lines of the Write Window read last.
    logic [127:0] write_window_rdata;
    logic [127:0] rdata;  // To the host bus: data of the read one cycle earlier.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
