/// With the new ROM, user entries stay within the elements and the 256 KB that the host allows.
///
/// Source: paper, section 6.4.
///
/// No entry of any queue reads or writes beyond memory, is empty, or is a message longer than its
/// slot. The kernel's queue has priority. A refused entry is never sent, and an entry is done once.
// Mutation: rtl/cenju3/mask.sv | (pins_i.pe_base & ~pins_i.pe_mask) \| (transfer_q.pe & pins_i.pe_mask) | (pins_i.pe_base & ~pins_i.pe_mask) \| transfer_q.pe
// Mutation: rtl/cenju3/mask.sv | {pins_i.address_base, transfer_q.destination[17:0]} | {pins_i.address_base[13:1], transfer_q.destination[18:0]}
// Mutation: rtl/cenju3/mask.sv | masked_q && (window_end_q > 27'h4_0000) | masked_q && (window_end_q > 27'h4_0008)
// Mutation: rtl/cenju3/mask.sv | masked_d = !pins_i.valid0 && pins_i.new_rom | masked_d = 1'b0
// Mutation: rtl/cenju3/mask.sv | (source_end_q > 27'h400_0000) | (source_end_q > 27'h400_0001)
// Mutation: rtl/cenju3/mask.sv | {1'b0, transfer_d.destination[25:0]} + {1'b0, transfer_q.length[25:0]} | {1'b0, transfer_q.destination[25:0]} + {1'b0, transfer_q.length[25:0]}
// Mutation: rtl/cenju3/mask.sv | (transfer_q.length[31:26] != 6'd0) | (transfer_q.length[31:27] != 5'd0)
// Mutation: rtl/cenju3/mask.sv | pins_i.valid0 \|\| (pins_i.valid1 && !pins_i.waits0) | pins_i.valid0 \|\| pins_i.valid1
// Mutation: rtl/cenju3/mask.sv | mask_pkg::Refuse: state_d = mask_pkg::Done | mask_pkg::Refuse: state_d = mask_pkg::Send
// Witness: StateIsDeclared | rtl/cenju3/mask.sv | mask_pkg::Refuse: state_d = mask_pkg::Done; | mask_pkg::Refuse: state_d[2:0] = 3'd6;
// Witness: SentEntryHasNothingWrong | rtl/cenju3/mask.sv | (refusal == memory_map_pkg::Nothing) ? mask_pkg::Send | (refusal != memory_map_pkg::Length) ? mask_pkg::Send
// Witness: RefusedEntryHasAReason | rtl/cenju3/mask.sv | why_d = refusal; | why_d = why_q;
// Witness: KernelHasNoMask | rtl/cenju3/mask.sv | masked_d = !pins_i.valid0 && pins_i.new_rom; | masked_d = pins_i.new_rom;
module mask_proof (
    input logic clk_i,
    input logic rst_ni,
    input mask_pkg::in_t pins_i
);

  mask_pkg::out_t pins_o;
  mask u_mask (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_mask.state_q ;
  (* hierconn *) logic        \u_mask.masked_q ;
  (* hierconn *) logic [26:0] \u_mask.source_end_q ;
  (* hierconn *) logic [26:0] \u_mask.destination_end_q ;
  (* hierconn *) logic [26:0] \u_mask.window_end_q ;
  logic [2:0] state;
  assign state = \u_mask.state_q ;

  machine #(.States(6), .Arcs(mask_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The registers change no mask while the user's queue is not empty (register_file).
  logic        known_q;
  logic        past_rst_nq;
  logic [2:0]  past_state_q;
  logic        past_waits_q;
  logic        past_valid0_q;
  logic        new_rom_q;
  logic        user_q;
  logic [13:0] address_base_q;
  logic [7:0]  pe_base_q;
  logic [7:0]  pe_mask_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_waits_q <= pins_i.waits0;
    past_valid0_q <= pins_i.valid0;
    if (state == mask_pkg::Idle) begin
      new_rom_q <= pins_i.new_rom;
      user_q <= !pins_i.valid0;
      address_base_q <= pins_i.address_base;
      pe_base_q <= pins_i.pe_base;
      pe_mask_q <= pins_i.pe_mask;
    end
  end
  always @* begin
    if (state != mask_pkg::Idle) begin
      assume (pins_i.address_base == address_base_q);
      assume (pins_i.pe_base == pe_base_q);
      assume (pins_i.pe_mask == pe_mask_q);
    end
  end

  // Ends as 64-bit sums, which do not wrap.
  mask_pkg::transfer_t transfer;
  logic        dma;
  logic        masked;
  logic [63:0] source_end;
  logic [63:0] destination_end;
  logic [63:0] window_end;
  assign transfer = pins_o.transfer;
  assign dma = (transfer.kind == memory_map_pkg::Dma);
  assign masked = user_q && new_rom_q;
  assign source_end = {32'b0, transfer.source} + {32'b0, transfer.length};
  assign destination_end = {32'b0, transfer.destination} + {32'b0, transfer.length};
  assign window_end = {46'b0, transfer.destination[17:0]} + {32'b0, transfer.length};

  always @* begin
    if (known_q && pins_o.start) begin
      if (masked) begin
        UserStaysInHisProcessorElements: assert (((transfer.pe ^ pe_base_q) & ~pe_mask_q) == 8'd0);
        if (dma) begin
          UserBeginsInHisWindow: assert (transfer.destination[31:18] == address_base_q);
          UserEndsInHisWindow: assert (window_end <= 64'h4_0000);
        end
      end
      KindIsKnown: assert (transfer.kind != 2'd3);
      ThereIsAByte: assert (transfer.length != 32'd0);
      MessageFitsItsSlot: assert (dma || transfer.length <= 32'd128);
      SourceIsInMemory: assert (source_end <= 64'h400_0000 && transfer.source[2:0] == 3'd0);
      if (dma) begin
        DestinationIsInMemory: assert (destination_end <= 64'h400_0000 &&
            transfer.destination[2:0] == 3'd0);
      end
    end
    if (known_q) begin
      OneEndAtATime: assert (!(pins_o.done0 && pins_o.done1));
      WhatIsRefusedIsNotSent: assert (!(pins_o.refuse && pins_o.start));
      if (past_rst_nq) begin
        if (past_state_q == mask_pkg::Refuse) RefusedEntryIsOver: assert (!pins_o.start);
        if (past_state_q == mask_pkg::Idle && state != mask_pkg::Idle) begin
          KernelGoesFirst: assert (pins_o.user == !past_valid0_q && (past_valid0_q ||
              !past_waits_q));
        end
      end
      // Invariants that carry the induction.
      if (state != mask_pkg::Idle) begin
        assert (pins_o.user == user_q && \u_mask.masked_q  == masked);
      end
      if (state == mask_pkg::Check) begin
        assert (\u_mask.source_end_q  == {1'b0, transfer.source[25:0]} + {1'b0,
            transfer.length[25:0]});
        assert (\u_mask.destination_end_q  == {1'b0, transfer.destination[25:0]} + {1'b0,
            transfer.length[25:0]});
        assert (\u_mask.window_end_q  == {9'b0, transfer.destination[17:0]} + {1'b0,
            transfer.length[25:0]});
        if (masked) begin
          assert (((transfer.pe ^ pe_base_q) & ~pe_mask_q) == 8'd0 &&
              transfer.destination[31:18] == address_base_q);
        end
      end
    end
  end

endmodule
