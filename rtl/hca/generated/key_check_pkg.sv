// Generated from crates/devices/hca/src/key_check.rs by `make tables`; do not edit.
package key_check_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // An access to host memory.
  typedef struct packed {
    logic remote_read;  // Reads for a peer.
    logic remote_write;  // Writes for a peer.
    logic local_write;  // Writes for the owner.
    logic [32:0] reach;  // Address behind the last one: whoever asks has added before.
    logic [31:0] length;  // Bytes.
    logic [31:0] address;  // First byte.
    logic [3:0] domain;  // Protection domain of the queue pair.
    logic [31:0] key;  // The key.
    // The row of the key.
    struct packed {
      logic [32:0] limit;
      logic [31:0] base;
      logic [7:0] variant;
      logic [3:0] domain;
      logic remote_read;
      logic remote_write;
      logic local_write;
      logic valid;
    } row;
  } in_t;

  // What comes of it.
  typedef struct packed {
    logic allowed;  // It is allowed.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
