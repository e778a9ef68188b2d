// Generated from crates/devices/dimmnet2/src/window_controller/vl.rs by `make tables`; do not edit.
package vl_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // VL module of the Request Executor (figure 5.12).
  typedef enum logic [2:0] {
    Prim = 3'd0,  // Waits for a VL, VLS or VLI.
    Wait = 3'd1,  // Waits for the Prefetch Unit.
    Vl1 = 3'd2,  // Sends the request to the Prefetch Unit.
    Vl2 = 3'd3,  // Waits until the Prefetch Unit is done.
    VlEnd = 3'd4  // Resets the internal registers.
  } state_e;

  // Declared arcs of state_e: bit [from * 5 + to].
  localparam logic [24:0] StateArcs = {
    5'b00001,  // from VlEnd
    5'b10000,  // from Vl2
    5'b11000,  // from Vl1
    5'b00100,  // from Wait
    5'b00110  // from Prim
  };

  // Input pins of the VL module.
  typedef struct packed {
    logic [1:0] hold;  // Requests of this process wait, bit per WID.
    logic prefetch_unit_busy;  // The Prefetch Unit is executing a request.
    // The request of the primitive.
    struct packed {
      logic [9:0] reach;
      logic [9:0] wanted;
      logic first_half;
      logic [31:0] total;
      logic to_packet;
      logic [31:0] dstoff;
      logic [31:0] srcoff;
      logic [31:0] size_list_stride;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic wid;
    } vector_load;
    // The Request Executor dispatches a VL, VLS or VLI; high for one cycle, only while `idle`.
    logic start;
  } in_t;

  // Output pins of the VL module.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The module can accept a primitive.
    logic done_wid;  // Process whose primitive is complete.
    logic done;  // A primitive is complete; high for one cycle.
    logic vector_load_start;  // The Prefetch Unit accepts `vector_load` in this cycle.
    // Request, to Prefetch Unit.
    struct packed {
      logic [9:0] reach;
      logic [9:0] wanted;
      logic first_half;
      logic [31:0] total;
      logic to_packet;
      logic [31:0] dstoff;
      logic [31:0] srcoff;
      logic [31:0] size_list_stride;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic wid;
    } vector_load;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
