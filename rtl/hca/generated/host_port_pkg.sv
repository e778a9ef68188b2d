// Generated from crates/devices/hca/src/host_port.rs by `make tables`; do not edit.
package host_port_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the host port.
  typedef struct packed {
    logic [15:0] overflows;  // Number of CQEs lost; wraps.
    // Counters of the send engine.
    struct packed { logic [15:0] failed; logic [15:0] sent; } send_counts;
    // Counters of the receive engine.
    struct packed {
      logic [15:0] failed;
      logic [15:0] received;
      logic [15:0] no_receive;
      logic [15:0] wrong_q_key;
      logic [15:0] unknown_qp;
      logic [15:0] malformed;
      logic [15:0] foreign;
    } receive_counts;
    // Counters of the link side.
    struct packed { logic [15:0] length_errors; logic [15:0] icrc_errors; } link_counts;
    // Progress of a queue pair.
    struct packed {
      logic [7:0] reserved2;
      logic [23:0] receive_psn;
      logic [7:0] reserved1;
      logic [23:0] send_psn;
      logic [15:0] receives;
      logic [15:0] sends;
      logic [25:0] reserved0;
      logic receives_dead;
      logic sends_dead;
      logic outstanding;
      logic [2:0] state;
    } progress;
    logic report;  // The running command stores `progress` in staging words 0 to 3.
    logic command_done;  // The running command ends in this cycle.
    logic [8:0] causes;  // Causes of the interrupt.
    // Access by the host.
    struct packed {
      logic user;
      logic write;
      logic enable;
      logic [13:0] address;
      logic [31:0] wdata;
    } host;
  } in_t;

  // Output pins of the host port.
  typedef struct packed {
    logic [127:0] staging_high;  // Staging words 4 to 7: bits 255:128 of the row.
    logic [127:0] staging_low;  // Staging words 0 to 3: bits 127:0 of the row.
    logic [11:0] row;  // Row of the command.
    logic [3:0] kind;  // Effect of the command, a `context_pkg::Kind`.
    logic command;  // A command is waiting or running.
    logic arm;  // The doorbell arms its completion queue.
    logic [15:0] bell_value;  // Count that is written to the doorbell.
    // Doorbell: 0 to 255 of send queues, 256 to 511 of receive queues, 512 to 515 of shared receive
    // queues, 768 to 1,023 of completion queues.
    logic [9:0] bell;
    logic bell_write;  // A doorbell is written.
    logic refuse;  // An access is refused; high for one cycle.
    logic [8:0] interrupt_enable;  // Interrupt causes that are enabled, a bit each.
    logic [8:0] clear;  // Interrupt causes that the host clears, a bit each.
    logic [15:0] lid;  // LID of the port, from its register.
    logic enable;  // Bit 0 of `Control`: engines run.
    logic [31:0] rdata;  // Word of the last read access.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
