// Generated from crates/devices/gigae_pm/src/memory_map.rs by `make tables`; do not edit.
package memory_map_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // The ring of other protocols.
  localparam logic [2:0] Other = 3'd4;

  // Words that users may read.
  localparam logic [17:0] WindowWords = 18'd256;

  // First receive descriptor.
  localparam logic [17:0] ReceiveDescriptors = 18'd0;

  // First send descriptor.
  localparam logic [17:0] SendDescriptors = 18'd512;

  // First record of a send buffer.
  localparam logic [17:0] SendRecords = 18'd1024;

  // Pinned areas: for each ring the send area and the receive area.
  localparam logic [17:0] Areas = 18'd1152;

  // First received frame.
  localparam logic [17:0] Frames = 18'd8192;

  // First send buffer.
  localparam logic [17:0] SendBuffers = 18'd32768;

  // First control structure.
  localparam logic [17:0] ControlStructures = 18'd131072;

  // Word of a received frame's buffer that holds its length.
  localparam logic [8:0] LengthWord = 9'd511;

  // Words in front of a message in its frame.
  localparam logic [8:0] HeaderWords = 9'd12;

  // Most bytes of a message.
  localparam logic [10:0] Mtu = 11'd1468;

  // Most bytes of a frame of another protocol, its two bytes in front included.
  localparam logic [10:0] OtherMtu = 11'd1516;

  // Bytes of the pinned send area of a ring.
  localparam logic [31:0] SendAreaBytes = 32'd30720;

  // Bytes of the pinned receive area of a ring.
  localparam logic [31:0] ReceiveAreaBytes = 32'd32768;

  // Flag of a descriptor: owner of its slot, and result.

  // The slot is free: of a send descriptor for the host, of a receive descriptor for the card.
  localparam logic [1:0] Free = 2'b00;
  // The descriptor is posted: a message to be sent, or one that has arrived.
  localparam logic [1:0] Full = 2'b01;
  localparam logic [1:0] Kept = 2'b10;  // The message is in its send buffer.
  // The send descriptor was refused: address, size or peer is invalid. The slot is free.
  localparam logic [1:0] Refused = 2'b11;

  /* verilator lint_on UNUSEDPARAM */
endpackage
