//! Generates `suci.h` from the signatures of the functions.

use std::fmt::Write;

use crate::calls::CALLS;

const BEGIN: &str = r#"/* Suci for C. Generated from bindings/suci/src by `make tables`; do not edit.
 * Calls return -1 for an error, which datagram_error() describes. A socket may be used by one thread at a time. */
#ifndef SUCI_H
#define SUCI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A peer: an IP address as text, its port, and its ID in this program. */
typedef struct {
  const char *address;
  uint16_t port;
  uint16_t id;
} datagram_peer;

/* Rules. Only DATAGRAM_MODERN is suitable for shared networks. */
#define DATAGRAM_MODERN 1
#define DATAGRAM_REPAIRED 2
#define DATAGRAM_PRINTED 3
/* Flag of the rules: no protection; key must be NULL. */
#define DATAGRAM_TRUSTED 16

/* The address database: peers, rules, and a key of 32 bytes shared by all peers. The database is copied. */
typedef struct {
  const datagram_peer *peers;
  int count;
  int rules;
  const unsigned char *key;
} datagram_database;

typedef struct datagram_socket datagram_socket;

"#;

const END: &str = "/* Table 1 of the paper has the arguments of this call the other way round. */
#ifdef DATAGRAM_TABLE_1
#define datagram_destination(distid, sock) datagram_destination((sock), (distid))
#endif

#ifdef __cplusplus
}
#endif
#endif
";

/// Text of `suci.h`.
pub fn header() -> String {
    let mut text = String::from(BEGIN);
    for call in CALLS {
        let docs: Vec<_> = call.docs.iter().map(|line| line.trim()).collect();
        let arguments: Vec<_> = call.arguments.iter().map(|(kind, name)| format!("{kind}{name}")).collect();
        let arguments = if arguments.is_empty() { "void".into() } else { arguments.join(", ") };
        let _ = writeln!(text, "/* {} */\n{}{}({arguments});\n", docs.join("\n * "), call.result, call.name);
    }
    text + END
}

#[cfg(test)]
mod tests {
    #[test]
    fn committed_header_matches_the_functions() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/include/suci.h");
        let written = std::fs::read_to_string(file).unwrap_or_default();
        assert!(written == super::header(), "make tables writes bindings/suci/include/suci.h anew");
    }
}
