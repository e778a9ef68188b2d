/* Suci for C. Generated from bindings/suci/src by `make tables`; do not edit.
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

/* Opens a socket at a local address and port, port 0 for any free one (Table 1). NULL for an error. */
datagram_socket *datagram(const datagram_database *addrdb, const char *myaddr, int myport, int myid);

/* Port of the socket, or -1. */
int datagram_port(datagram_socket *sock);

/* Selects the peer for datagram_write (Table 1). 0, or -1. */
int datagram_destination(datagram_socket *sock, int id);

/* Sends a block and waits for room in the queue (Table 1). Its length, or -1. */
int datagram_write(datagram_socket *sock, const void *buf, int len);

/* Sends a block without waiting (sample of section 4.3). Its length, 0 if the queue is full, or -1. */
int datagram_write0(datagram_socket *sock, const void *buf, int len);

/* Waits for the next block and takes it (Table 1). Its length, or -1; a block longer than len is an
 * error and remains. */
int datagram_read(datagram_socket *sock, void *buf, int len);

/* Takes the next block without waiting (sample of section 4.3). Its length, 0 if there is none, or -1. */
int datagram_read0(datagram_socket *sock, void *buf, int len);

/* Waits for the next block, at most for the given time (section 4.3). Its length, 0 if there is none, or
 * -1. */
int datagram_ready(datagram_socket *sock, int sec, int usec);

/* Waits until a block of this size can be written to id without waiting, at most for the given time
 * (section 4.3). 1, 0 if it cannot, or -1. */
int datagram_wait(datagram_socket *sock, int sec, int usec, int size, int id);

/* Number of unacknowledged blocks to id (section 4.3), or -1. */
int datagram_queue_length(datagram_socket *sock, int id);

/* Retransmits unacknowledged packets to id, with the rules that leave this to the program (sample of
 * section 4.3). 0, or -1. */
int datagram_retransmission(datagram_socket *sock, int id);

/* Extension: id of the sender of the last block read, or -1. */
int datagram_from(datagram_socket *sock);

/* Extension: waits until id has acknowledged all blocks, at most for the given time. 1, 0 if it has not,
 * or -1. */
int datagram_flush(datagram_socket *sock, int sec, int usec, int id);

/* Extension: closes the socket and its connections, and frees it. NULL is ignored. */
void datagram_close(datagram_socket *sock);

/* Extension: message of the last call of this thread that failed, valid until the next failure. */
const char *datagram_error(void);

/* Table 1 of the paper has the arguments of this call the other way round. */
#ifdef DATAGRAM_TABLE_1
#define datagram_destination(distid, sock) datagram_destination((sock), (distid))
#endif

#ifdef __cplusplus
}
#endif
#endif
