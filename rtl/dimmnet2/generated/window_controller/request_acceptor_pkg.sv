// Generated from crates/devices/dimmnet2/src/window_controller/request_acceptor.rs by `make tables`; do not edit.
package request_acceptor_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Lines of a full Write Window.
  localparam logic [9:0] WindowLines = 10'd64;

  // Request Acceptor (figure 5.9).
  typedef enum logic [1:0] {
    Nop = 2'd0,  // Waits for a request in either FIFO.
    Req = 2'd1,  // Reads the chosen FIFO.
    ReqIn = 2'd2,  // Latches the FIFO's output.
    Wait = 2'd3  // Waits for the Request Executor.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Wait
    4'b1000,  // from ReqIn
    4'b0100,  // from Req
    4'b0010  // from Nop
  };

  // Amount of data that a request of the RVS, RVL, IPUSH, VL or VS family moves.
  typedef struct packed {
    logic too_long;  // VS: Size exceeds `room`.
    logic [9:0] room;  // VS family: bytes from the source to the end of its Write Window.
    logic nothing;  // The request moves no data.
    // Lines taken from the Write Windows, 0 to 64; at most those of the command.
    logic [6:0] window_lines;
    // Most bytes moved: the elements of Command Ex and the lines of the Write Windows.
    logic [15:0] limit;
    logic limited;  // `limit` applies.
    logic [14:0] elements;  // Bytes of the elements of Command Ex.
    logic [31:0] command;  // Bytes given by the command.
  } sizes_t;

  // Input pins of the Request Acceptor.
  typedef struct packed {
    logic executor_ready;  // The Request Executor can accept a request.
    logic [63:0] remote_ex;  // Command Ex of `remote_request`.
    // Request taken from the remote Request FIFO.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } remote_request;
    logic remote_empty;  // The remote Request FIFO is empty.
    logic [63:0] host_ex;  // Command Ex of `host_request`.
    // Request taken from the host Request FIFO.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } host_request;
    logic host_empty;  // The host Request FIFO is empty.
  } in_t;

  // Output pins of the Request Acceptor.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic request_enable;  // `request` is valid; held until the Request Executor is ready.
    logic remote;  // The request came from a remote node.
    sizes_t sizes;  // Amount of data that the request moves.
    logic [63:0] ex;  // Command Ex of `request`.
    // Request for the Request Executor.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
    logic remote_read_enable;  // Takes a request from the remote Request FIFO.
    logic host_read_enable;  // Takes a request from the host Request FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
