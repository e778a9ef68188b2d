/* Suci for C. Generated from bindings/suci/src by `make tables`; do not edit.
 * Calls return -1 for an error, and datagram_error() tells which. A socket belongs to one thread at a time. */
#ifndef SUCI_H
#define SUCI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A peer: an IP address as text, its port, and the number by which it is named here. */
typedef struct {
  const char *address;
  uint16_t port;
  uint16_t id;
} datagram_peer;

/* Rules. Over networks that anybody uses only DATAGRAM_MODERN. */
#define DATAGRAM_MODERN 1
#define DATAGRAM_REPAIRED 2
#define DATAGRAM_PRINTED 3
/* Added to the rules: nothing is protected, and key is NULL. */
#define DATAGRAM_TRUSTED 16

/* The address database: peers, rules, and a key of 32 bytes that all of them share. It is copied. */
typedef struct {
  const datagram_peer *peers;
  int count;
  int rules;
  const unsigned char *key;
} datagram_database;

typedef struct datagram_socket datagram_socket;

/* Opens a socket at an address and port of this machine, port 0 for any (Table 1). NULL is an error. */
datagram_socket *datagram(const datagram_database *addrdb, const char *myaddr, int myport, int myid);

/* The port of a socket. */
int datagram_port(datagram_socket *sock);

/* Chooses to whom datagram_write writes (Table 1). 0, or -1. */
int datagram_destination(datagram_socket *sock, int id);

/* Sends a block; waits for room in the queue (Table 1). Its length, or -1. */
int datagram_write(datagram_socket *sock, const void *buf, int len);

/* The same without waiting (sample of section 4.3). 0 if there is no room. */
int datagram_write0(datagram_socket *sock, const void *buf, int len);

/* Takes the next block; waits for it (Table 1). Its length, or -1: also if it has more than len bytes; then it is kept. */
int datagram_read(datagram_socket *sock, void *buf, int len);

/* The same without waiting (sample of section 4.3). 0 if there is none. */
int datagram_read0(datagram_socket *sock, void *buf, int len);

/* Length of the next block; waits for it at most so long (section 4.3). 0 if there is none, -1 for an error. */
int datagram_ready(datagram_socket *sock, int sec, int usec);

/* Waits at most so long until a block of this size can be written to id without waiting (section 4.3). 1, 0 if it cannot, or -1. */
int datagram_wait(datagram_socket *sock, int sec, int usec, int size, int id);

/* Blocks to id that are not acknowledged (section 4.3), or -1. */
int datagram_queue_length(datagram_socket *sock, int id);

/* Sends again what id has not acknowledged, where the rules leave that to the program (sample of section 4.3). 0, or -1. */
int datagram_retransmission(datagram_socket *sock, int id);

/* Ours: the id of whoever sent the block that was read last, or -1. */
int datagram_from(datagram_socket *sock);

/* Ours: waits at most so long until id has acknowledged all blocks. 1, 0 if it has not, or -1. */
int datagram_flush(datagram_socket *sock, int sec, int usec, int id);

/* Ours: closes a socket, and tells its peers. It is gone after that; NULL is none. */
void datagram_close(datagram_socket *sock);

/* Ours: what the last call of this thread that failed has to say, until the next one that fails. */
const char *datagram_error(void);

/* Table 1 of the paper has the arguments of this call the other way round. */
#ifdef DATAGRAM_TABLE_1
#define datagram_destination(distid, sock) datagram_destination((sock), (distid))
#endif

#ifdef __cplusplus
}
#endif
#endif
