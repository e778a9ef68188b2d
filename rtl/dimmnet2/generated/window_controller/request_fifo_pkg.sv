// Generated from crates/devices/dimmnet2/src/window_controller/request_fifo.rs by `make tables`; do not edit.
package request_fifo_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bits of a request.
  localparam logic [31:0] RequestWidth = 32'd130;

  // Bits of a Command Ex.
  localparam logic [31:0] ExWidth = 32'd64;

  // Capacity in requests.
  localparam logic [31:0] Depth = 32'd512;

  // The FIFO is almost full when it has room for fewer requests than this.
  localparam logic [31:0] AlmostFullFree = 32'd4;

  // Input pins of a Request FIFO.
  typedef struct packed {
    // Takes the oldest request, which is on the output in the next cycle; ignored when empty.
    logic read_enable;
    logic write_enable;  // Stores request and Command Ex; ignored when full.
    logic [63:0] ex;  // Command Ex of `request`.
    // Request to store.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
  } in_t;

  // Output pins of a Request FIFO.
  typedef struct packed {
    logic almost_full;  // The FIFO has room for fewer than four requests.
    logic full;  // The FIFO holds 512 requests.
    logic empty;  // The FIFO holds no request.
    logic [63:0] ex;  // Command Ex of `request`.
    // The most recently taken request.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
