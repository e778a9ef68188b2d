// Generated from crates/devices/gigae_pm/src/mac/pins.rs by `make tables`; do not edit.
package mac_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Longest frame in bytes, header and check sequence included.
  localparam logic [10:0] LongestFrame = 11'd1518;

  // Shortest frame in bytes, header and check sequence included.
  localparam logic [10:0] ShortestFrame = 11'd64;

  // Free words that let a frame in.
  localparam logic [10:0] FrameWords = 11'd384;

  // Four bytes of a frame to be sent, lowest first. The first two bytes of a frame are padding and
  // are not sent: they align the payload after the header to 4 bytes.
  typedef struct packed {
    logic last;  // Last word of the frame.
    logic [1:0] bytes;  // Valid bytes of the last word, less one.
    logic [31:0] data;  // Four bytes of the frame, the first lowest.
  } transmit_word_t;

  // Four bytes of a received frame, laid out as those to be sent, check sequence included; or its
  // status at the end.
  typedef struct packed {
    logic last;  // `data` is the status of the frame.
    logic [31:0] data;  // Bytes, or a status.
  } receive_word_t;

  // Status of a received frame, 32 bits.
  typedef struct packed {
    logic [7:0] missed;  // Frames before this one for which there was no room; stops at 255.
    logic [9:0] reserved;  // Always 0.
    logic giant;  // Longer than 1,518 bytes; the rest is missing.
    logic runt;  // Shorter than 64 bytes.
    logic fcs_error;  // The check sequence is wrong, or the physical layer reported an error.
    logic [10:0] length;  // Bytes of the frame, check sequence included.
  } receive_status_t;

  // Input pins of the MAC.
  typedef struct packed {
    // From the physical layer.
    struct packed { logic rx_error; logic rx_valid; logic [7:0] rx_data; } network;
    logic word_next;  // Takes the next word of the current frame.
    logic frame_start;  // Takes the first word of the next received frame.
    logic transmit_enable;  // Writes `transmit_word` into the transmit FIFO.
    transmit_word_t transmit_word;  // Word to be sent.
  } in_t;

  // Output pins of the MAC.
  typedef struct packed {
    struct packed { logic tx_enable; logic [7:0] tx_data; } network;  // To the physical layer.
    logic frame_available;  // At least one whole frame has been received.
    receive_word_t receive_word;  // Received word taken last.
    logic [10:0] transmit_free;  // Words that the transmit FIFO can take.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
