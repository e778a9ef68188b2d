/// Mask: takes the oldest entry of the first queue that has one, applies the mask to a user's
/// entry, and refuses invalid entries (paper, section 6.4).
///
/// With the new ROM, destination and DMA write address of an entry in the user's queue combine bits
/// of the operating system with bits of the user: `pe = (pe_base & !pe_mask) | (pe & pe_mask)`,
/// `address = (base & !0x3ffff) | (address & 0x3ffff)`. The mask folds a wrong address into the
/// window silently, so an entry that would cross the end of the window is refused.
module mask (
    /// Clock, 75 MHz.
    input  logic           clk_i,
    /// Synchronous reset.
    input  logic           rst_ni,
    /// From registers, queues, send DMA.
    input  mask_pkg::in_t  pins_i,
    /// To registers, queues, send DMA.
    output mask_pkg::out_t pins_o
);

  mask_pkg::state_e    state_d, state_q;
  logic                user_d, user_q;
  logic                masked_d, masked_q;
  mask_pkg::transfer_t transfer_d, transfer_q;
  logic [26:0]         source_end_d, source_end_q;
  logic [26:0]         destination_end_d, destination_end_q;
  logic [26:0]         window_end_d, window_end_q;
  logic [2:0]          why_d, why_q;

  assign pins_o.idle = (state_q == mask_pkg::Idle);
  assign pins_o.transfer = transfer_q;
  assign pins_o.start = (state_q == mask_pkg::Send);
  assign pins_o.done0 = (state_q == mask_pkg::Done) && !user_q;
  assign pins_o.done1 = (state_q == mask_pkg::Done) && user_q;
  assign pins_o.refuse = (state_q == mask_pkg::Refuse);
  assign pins_o.why = why_q;
  assign pins_o.user = user_q;

  memory_map_pkg::control_t   control;
  memory_map_pkg::addresses_t addresses;
  assign control = pins_i.valid0 ? pins_i.control0 : pins_i.control1;
  assign addresses = pins_i.valid0 ? pins_i.addresses0 : pins_i.addresses1;

  // Reason for which the held entry is refused.
  logic       dma;
  logic       no_kind;
  logic       length;
  logic       source;
  logic       destination;
  logic       window;
  logic [2:0] refusal;
  assign dma = (transfer_q.kind == memory_map_pkg::Dma);
  assign no_kind = (transfer_q.kind == 2'd3);
  assign length = (transfer_q.length == 32'd0) || (transfer_q.length[31:26] != 6'd0) ||
                  (!dma && (transfer_q.length > {5'b0, memory_map_pkg::SlotBytes}));
  assign source = (transfer_q.source[31:26] != 6'd0) || (transfer_q.source[2:0] != 3'd0) ||
                  (source_end_q > 27'h400_0000);
  assign destination = dma && ((transfer_q.destination[31:26] != 6'd0) ||
                               (transfer_q.destination[2:0] != 3'd0) ||
                               (destination_end_q > 27'h400_0000));
  assign window = dma && masked_q && (window_end_q > 27'h4_0000);
  assign refusal = no_kind ? memory_map_pkg::NoKind :
                   length ? memory_map_pkg::Length :
                   source ? memory_map_pkg::Source :
                   destination ? memory_map_pkg::Destination :
                   window ? memory_map_pkg::Window : memory_map_pkg::Nothing;

  always_comb begin
    state_d = state_q;
    user_d = user_q;
    masked_d = masked_q;
    transfer_d = transfer_q;
    source_end_d = source_end_q;
    destination_end_d = destination_end_q;
    window_end_d = window_end_q;
    why_d = why_q;

    unique case (state_q)
      // Idle: the kernel's queue has priority, also while it is fetching.
      mask_pkg::Idle: begin
        if (pins_i.valid0 || (pins_i.valid1 && !pins_i.waits0)) begin
          user_d = !pins_i.valid0;
          masked_d = !pins_i.valid0 && pins_i.new_rom;
          transfer_d.kind = control.kind;
          transfer_d.pe = control.pe;
          transfer_d.length = control.length;
          transfer_d.source = addresses.source;
          transfer_d.destination = addresses.destination;
          transfer_d.entry = pins_i.valid0 ? pins_i.entry0 : pins_i.entry1;
          state_d = mask_pkg::Apply;
        end
      end
      // Apply: the sums take bits 25:0 of the length; `Check` refuses a length with higher bits.
      mask_pkg::Apply: begin
        if (masked_q) begin
          transfer_d.pe = (pins_i.pe_base & ~pins_i.pe_mask) | (transfer_q.pe & pins_i.pe_mask);
          transfer_d.destination = {pins_i.address_base, transfer_q.destination[17:0]};
        end
        source_end_d = {1'b0, transfer_q.source[25:0]} + {1'b0, transfer_q.length[25:0]};
        destination_end_d = {1'b0, transfer_d.destination[25:0]} + {1'b0, transfer_q.length[25:0]};
        window_end_d = {9'b0, transfer_q.destination[17:0]} + {1'b0, transfer_q.length[25:0]};
        state_d = mask_pkg::Check;
      end
      // Check: the first reason is reported.
      mask_pkg::Check: begin
        why_d = refusal;
        state_d = (refusal == memory_map_pkg::Nothing) ? mask_pkg::Send : mask_pkg::Refuse;
      end
      // Send: waits until the data has been read.
      mask_pkg::Send: begin
        if (pins_i.sent) begin
          state_d = mask_pkg::Done;
        end
      end
      mask_pkg::Refuse: state_d = mask_pkg::Done;
      // Done: the queue advances in this cycle.
      mask_pkg::Done: state_d = mask_pkg::Idle;
      default: state_d = mask_pkg::Idle;
    endcase
  end

  // Reserved bits.
  logic unused;
  assign unused = &{1'b0, control};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= mask_pkg::Idle;
      user_q <= '0;
      masked_q <= '0;
      transfer_q <= '0;
      source_end_q <= '0;
      destination_end_q <= '0;
      window_end_q <= '0;
      why_q <= '0;
    end else begin
      state_q <= state_d;
      user_q <= user_d;
      masked_q <= masked_d;
      transfer_q <= transfer_d;
      source_end_q <= source_end_d;
      destination_end_q <= destination_end_d;
      window_end_q <= window_end_d;
      why_q <= why_d;
    end
  end

  // Only checked entries are sent, and every refusal has a reason.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= mask_pkg::Done);
      SentEntryHasNothingWrong : assert ((state_q != mask_pkg::Send) ||
          (refusal == memory_map_pkg::Nothing));
      RefusedEntryHasAReason : assert ((state_q != mask_pkg::Refuse) ||
          (why_q != memory_map_pkg::Nothing));
      KernelHasNoMask : assert (!masked_q || user_q);
    end
  end
`endif

endmodule
