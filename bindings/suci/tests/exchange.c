/* Two sockets of one program exchange blocks as in the sample of section 4.3: 50,000 bytes in one direction and a short
 * block back. Then invalid calls. With DATAGRAM_TABLE_1 the arguments are in the order of Table 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suci.h"

#ifdef DATAGRAM_TABLE_1
#define TO(sock, id) datagram_destination(id, sock)
#else
#define TO(sock, id) datagram_destination(sock, id)
#endif

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, datagram_error()); \
      exit(1); \
    } \
  } while (0)

enum { HERE = 1, THERE = 2, LONG = 50000 };

static void exchange(int rules, const unsigned char *key) {
  static unsigned char sent[LONG], got[LONG];
  char text[16];
  /* A port for each socket, found by opening and closing one. */
  datagram_database alone = {NULL, 0, rules, key};
  datagram_socket *a = datagram(&alone, "127.0.0.1", 0, HERE), *b = datagram(&alone, "127.0.0.1", 0, THERE);
  CHECK(a && b);
  int port_a = datagram_port(a), port_b = datagram_port(b);
  datagram_close(a);
  datagram_close(b);
  datagram_peer peers[] = {{"127.0.0.1", (uint16_t)port_a, HERE}, {"127.0.0.1", (uint16_t)port_b, THERE}};
  datagram_database of_a = {&peers[1], 1, rules, key}, of_b = {&peers[0], 1, rules, key};
  a = datagram(&of_a, "127.0.0.1", port_a, HERE);
  b = datagram(&of_b, "127.0.0.1", port_b, THERE);
  CHECK(a && b);

  for (int at = 0; at < LONG; at++) sent[at] = (unsigned char)(at * 7);
  CHECK(TO(a, THERE) == 0);
  CHECK(datagram_wait(a, 0, 0, LONG, THERE) == 1);
  CHECK(datagram_write0(a, sent, LONG) == LONG);
  CHECK(datagram_queue_length(a, THERE) == 1);
  int ready = 0;
  for (int turn = 0; turn < 100000 && ready == 0; turn++) {
    CHECK((ready = datagram_ready(b, 0, 100)) >= 0);
    CHECK(datagram_retransmission(a, THERE) == 0);
  }
  CHECK(ready == LONG);
  CHECK(datagram_read(b, got, LONG - 1) == -1 && strstr(datagram_error(), "50000"));
  CHECK(datagram_read(b, got, LONG) == LONG && memcmp(sent, got, LONG) == 0);
  CHECK(datagram_from(b) == HERE);
  CHECK(datagram_read0(b, got, LONG) == 0);

  CHECK(TO(b, HERE) == 0 && datagram_write(b, "thanks", 7) == 7);
  for (int turn = 0; turn < 100000 && (ready = datagram_ready(a, 0, 100)) == 0; turn++)
    CHECK(datagram_flush(b, 0, 0, HERE) >= 0);
  CHECK(ready == 7 && datagram_read(a, text, sizeof text) == 7 && strcmp(text, "thanks") == 0);

  CHECK(datagram_write(a, sent, 0) == -1 && datagram_write(a, sent, -1) == -1);
  CHECK(datagram_write(a, NULL, 5) == -1 && datagram_read(a, NULL, 5) == -1);
  CHECK(TO(a, 77) == -1 && strstr(datagram_error(), "77"));
  CHECK(TO(a, -1) == -1 && datagram_ready(a, -1, 0) == -1 && datagram_ready(NULL, 0, 0) == -1);
  datagram_close(a);
  datagram_close(b);
}

int main(void) {
  unsigned char key[32] = "this would be thirty-two bytes..";
  exchange(DATAGRAM_MODERN, key);
  exchange(DATAGRAM_MODERN | DATAGRAM_TRUSTED, NULL);
  exchange(DATAGRAM_REPAIRED | DATAGRAM_TRUSTED, NULL);

  datagram_database unsaid = {NULL, 0, DATAGRAM_MODERN, NULL}, none = {NULL, 0, 9, key};
  CHECK(!datagram(&unsaid, "127.0.0.1", 0, 1) && strstr(datagram_error(), "DATAGRAM_TRUSTED"));
  CHECK(!datagram(&none, "127.0.0.1", 0, 1) && !datagram(NULL, "127.0.0.1", 0, 1));
  unsaid.key = key;
  CHECK(!datagram(&unsaid, "localhost?", 0, 1) && strstr(datagram_error(), "localhost?"));
  CHECK(!datagram(&unsaid, "127.0.0.1", 70000, 1) && !datagram(&unsaid, "127.0.0.1", 0, 70000));
  datagram_close(NULL);
  puts("talked");
  return 0;
}
