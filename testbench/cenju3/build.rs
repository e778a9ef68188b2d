//! Verilates the blocks of the NIF of Cenju-3. With the feature `faults`, it also verilates a block with a
//! fault for each assertion: the witnesses of the proofs, and faults of the whole NIF and of the
//! combinational block, which have no proof.

use verilate::Testbench;

fn main() {
    let blocks = Testbench::new("cenju3");
    if std::env::var_os("CARGO_FEATURE_FAULTS").is_none() {
        return blocks.build();
    }
    blocks
        .witnesses("../formal/cenju3")
        // A packet begins while the one before it is being stored.
        .fault(
            "cenju3_one_ring_at_a_time",
            "cenju3",
            "link_receive",
            "if (pins_i.rings_idle && (held_d == 3'd0)) begin",
            "if ((pins_i.rings_idle || (pins_i.full == 3'd0)) && (held_d == 3'd0)) begin",
        )
        // Send DMA ignores the level of the FIFO.
        .fault(
            "cenju3_transmit_fifo_never_overflows",
            "cenju3",
            "cenju3",
            "assign dma_in.fifo_count = transmit_count;",
            "assign dma_in.fifo_count = transmit_count >> 1;",
        )
        // Memory answers the granted block, which may not request it.
        .fault(
            "memory_port_answers_who_asks",
            "memory_port",
            "memory_port",
            "(pins_i.grant & request) : 6'd0",
            "pins_i.grant : 6'd0",
        )
        // The mask takes the next entry while the one before it is being sent.
        .fault(
            "cenju3_one_entry_at_a_time",
            "cenju3",
            "mask",
            "if (pins_i.sent) begin",
            "if (!pins_i.sent) begin",
        )
        .build();
}
