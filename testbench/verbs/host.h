/* Common part of the programs of testbench/verbs: checks, virtual time, and a connection between two hosts. */
#ifndef HOST_H
#define HOST_H

#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);        \
            exit(99);                                                                      \
        }                                                                                  \
    } while (0)

/* Virtual time in microseconds; reading it takes 0.1 us. */
static inline double now_us(void)
{
    struct timespec time;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

/* Whether a duration in microseconds is the expected one, and up to `more` longer. */
static inline int lasts(double us, double expected, double more)
{
    if (us >= expected - 0.001 && us <= expected + more)
        return 1;
    fprintf(stderr, "%.3f us, and not %.3f to %.3f us\n", us, expected, expected + more);
    return 0;
}

enum { BYTES = 4096, ENTRIES = 64 };

struct address {
    uint32_t lid, pair, sequence;
};

/* A connected queue pair with its completion queue and its memory. */
struct host {
    struct ibv_context *context;
    struct ibv_pd *domain;
    struct ibv_comp_channel *channel;
    struct ibv_cq *queue;
    struct ibv_qp *pair;
    struct ibv_mr *region;
    char *memory;
    int socket, is_server, access;
    /* RDMA READs that may be outstanding; 0 is 1. */
    int reads;
};

static inline struct ibv_context *open_device(void)
{
    int count = 0;
    struct ibv_device **devices = ibv_get_device_list(&count);
    CHECK(devices && count == 1);
    // Devices of two lists are compared by their addresses.
    struct ibv_device **again = ibv_get_device_list(NULL);
    CHECK(again && again[0] == devices[0]);
    ibv_free_device_list(again);
    CHECK(strcmp(ibv_get_device_name(devices[0]), "memonet0") == 0);
    struct ibv_context *context = ibv_open_device(devices[0]);
    CHECK(context);
    ibv_free_device_list(devices);
    return context;
}

/* A connection over TCP: `s PORT` listens, `c PORT` connects. */
static inline int connect_hosts(int is_server, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    CHECK(fd >= 0);
    if (!is_server) {
        CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
        return fd;
    }
    CHECK(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
    int peer = accept(fd, NULL, NULL);
    CHECK(peer >= 0);
    close(fd);
    return peer;
}

static inline void exchange(int fd, const void *own, void *peer, size_t bytes)
{
    CHECK(write(fd, own, bytes) == (ssize_t)bytes);
    for (size_t done = 0; done < bytes;) {
        ssize_t part = read(fd, (char *)peer + done, bytes - done);
        CHECK(part > 0);
        done += part;
    }
}

/* All meet here. */
static inline void meet(struct host *host)
{
    char own = 'x', peer = 0;
    exchange(host->socket, &own, &peer, 1);
    CHECK(peer == 'x');
}

/* Connects the queue pair of this host to that of the other one. */
static inline void connect_pair(struct host *host)
{
    struct ibv_port_attr port;
    CHECK(ibv_query_port(host->context, 1, &port) == 0 && port.state == IBV_PORT_ACTIVE);
    struct address own = {port.lid, host->pair->qp_num, 100 + host->is_server}, peer;
    exchange(host->socket, &own, &peer, sizeof own);
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = host->access};
    CHECK(ibv_modify_qp(host->pair, &init,
                        IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0);
    struct ibv_qp_attr receive = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer.pair,
        .rq_psn = peer.sequence,
        .max_dest_rd_atomic = host->reads ? host->reads : 1,
        .min_rnr_timer = 12,
        .ah_attr = {.dlid = peer.lid, .port_num = 1},
    };
    CHECK(ibv_modify_qp(host->pair, &receive,
                        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                            IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0);
    struct ibv_qp_attr send = {
        .qp_state = IBV_QPS_RTS,
        .sq_psn = own.sequence,
        .timeout = 14,
        .retry_cnt = 7,
        .rnr_retry = 7,
        .max_rd_atomic = host->reads ? host->reads : 1,
    };
    CHECK(ibv_modify_qp(host->pair, &send,
                        IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                            IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC) == 0);
    meet(host);
}

/* Opens the device and its objects, all but the queue pair. */
static inline void open_objects(struct host *host)
{
    host->context = open_device();
    host->domain = ibv_alloc_pd(host->context);
    host->channel = ibv_create_comp_channel(host->context);
    host->memory = calloc(1, BYTES);
    CHECK(host->domain && host->channel && host->memory);
    host->region = ibv_reg_mr(host->domain, host->memory, BYTES, IBV_ACCESS_LOCAL_WRITE);
    CHECK(host->region);
}

/* Connects the hosts and opens the device, all but the queue pair. */
static inline struct host open_host(int argc, char **argv)
{
    CHECK(argc == 3);
    struct host host = {.is_server = argv[1][0] == 's'};
    host.socket = connect_hosts(host.is_server, atoi(argv[2]));
    open_objects(&host);
    return host;
}

/* Makes a queue pair and connects it to that of the other host. */
static inline void open_pair(struct host *host)
{
    host->queue = ibv_create_cq(host->context, ENTRIES, NULL, host->channel, 0);
    CHECK(host->queue);
    struct ibv_qp_init_attr attributes = {
        .send_cq = host->queue,
        .recv_cq = host->queue,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
    };
    host->pair = ibv_create_qp(host->domain, &attributes);
    CHECK(host->pair);
    connect_pair(host);
}

/* Opens the device and connects it to that of the other host. */
static inline struct host open_connection(int argc, char **argv)
{
    struct host host = open_host(argc, argv);
    open_pair(&host);
    return host;
}

static inline void post_receive(struct host *host)
{
    struct ibv_sge piece = {(uintptr_t)host->memory + BYTES / 2, BYTES / 2, host->region->lkey};
    struct ibv_recv_wr request = {.wr_id = 1, .sg_list = &piece, .num_sge = 1}, *bad;
    CHECK(ibv_post_recv(host->pair, &request, &bad) == 0);
}

static inline void post_send(struct host *host, uint32_t bytes)
{
    struct ibv_sge piece = {(uintptr_t)host->memory, bytes, host->region->lkey};
    struct ibv_send_wr request = {.wr_id = 2, .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_SEND}, *bad;
    CHECK(ibv_post_send(host->pair, &request, &bad) == 0);
}

/* Polls for one completion, which is a success. */
static inline struct ibv_wc completion(struct ibv_cq *queue)
{
    struct ibv_wc found;
    int count;
    while ((count = ibv_poll_cq(queue, 1, &found)) == 0)
        ;
    CHECK(count == 1 && found.status == IBV_WC_SUCCESS);
    return found;
}

/* The server reports success. */
static inline int end(const struct host *host, const char *what)
{
    if (host->is_server)
        printf("%s: right\n", what);
    return 0;
}

#endif
