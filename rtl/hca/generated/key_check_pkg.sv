// Generated from crates/devices/hca/src/key_check.rs by `make tables`; do not edit.
package key_check_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // An access to host memory.
  typedef struct packed {
    logic remote_atomic;  // The access is an atomic operation of a peer.
    logic remote_read;  // The access reads for a peer.
    logic remote_write;  // The access writes for a peer.
    logic local_write;  // The access writes for the owner.
    logic [32:0] reach;  // Address after the last byte; the engine adds it a cycle earlier.
    logic [31:0] length;  // Bytes.
    logic [31:0] address;  // Address of the first byte.
    logic [3:0] domain;  // Protection domain of the queue pair.
    logic [31:0] key;  // Key of the access; bits 11:0 select the row.
    // Row of the key.
    struct packed {
      logic [32:0] limit;
      logic [31:0] base;
      logic remote_atomic;
      logic [7:0] variant;
      logic [3:0] domain;
      logic remote_read;
      logic remote_write;
      logic local_write;
      logic valid;
    } row;
  } in_t;

  // Result of the check.
  typedef struct packed {
    logic allowed;  // The access is allowed.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
