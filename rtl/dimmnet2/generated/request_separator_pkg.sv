// Generated from crates/devices/dimmnet2/src/request_separator.rs by `make tables`; do not edit.
package request_separator_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Output pins of the Request Separator.
  typedef struct packed {
    logic status_enable;  // `request` is a receive status (Status Write Enable of figure 5.16).
    // `request` is a remote request (Request Write Enable of figure 5.16).
    logic remote_request_enable;
    logic [63:0] ex;  // Command Ex of a remote request.
    // A remote request for the Window Controller, or a status for the Status Write Unit.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
