/* Common part of the programs of verbs: the device, queue pairs and their states, and checks that end the program. */
#ifndef CHECK_H
#define CHECK_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: not so: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
            exit(99);                                                                      \
        }                                                                                  \
    } while (0)

#define ALL_ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

static struct ibv_context *context;
static struct ibv_pd *pd;
static uint16_t lid;

static inline void begin(void)
{
    struct ibv_port_attr port;
    struct ibv_device **list = ibv_get_device_list(NULL);
    CHECK(list && list[0]);
    context = ibv_open_device(list[0]);
    CHECK(context);
    ibv_free_device_list(list);
    CHECK(ibv_query_port(context, 1, &port) == 0);
    lid = port.lid;
    pd = ibv_alloc_pd(context);
    CHECK(pd);
}

static inline int end(const char *what)
{
    CHECK(ibv_dealloc_pd(pd) == 0);
    CHECK(ibv_close_device(context) == 0);
    printf("%s: right\n", what);
    return 0;
}

static inline struct ibv_cq *new_queue(int entries)
{
    struct ibv_cq *cq = ibv_create_cq(context, entries, NULL, NULL, 0);
    CHECK(cq);
    return cq;
}

static inline struct ibv_qp *new_pair(struct ibv_cq *cq, enum ibv_qp_type type)
{
    struct ibv_qp_init_attr init = {
        .send_cq = cq,
        .recv_cq = cq,
        .cap = { .max_send_wr = 128, .max_recv_wr = 128, .max_send_sge = 16, .max_recv_sge = 16, .max_inline_data = 220 },
        .qp_type = type,
    };
    struct ibv_qp *qp = ibv_create_qp(pd, &init);
    CHECK(qp);
    return qp;
}

#define INIT_MASK (IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)
#define RTR_MASK                                                                                     \
    (IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |                  \
     IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define RTS_MASK                                                                                     \
    (IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |           \
     IBV_QP_MAX_QP_RD_ATOMIC)

static inline struct ibv_qp_attr init_of(int access)
{
    return (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = access };
}

static inline struct ibv_qp_attr rtr_of(uint16_t peer_lid, uint32_t peer)
{
    return (struct ibv_qp_attr){
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer,
        .rq_psn = 0xfffff0,
        .max_dest_rd_atomic = 1,
        .min_rnr_timer = 12,
        .ah_attr = { .dlid = peer_lid, .port_num = 1 },
    };
}

static inline struct ibv_qp_attr rts_of(void)
{
    return (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .timeout = 8, .retry_cnt = 7, .rnr_retry = 7,
                                 .sq_psn = 0xfffff0, .max_rd_atomic = 1 };
}

/* Each step of a connection. */
static inline void to_init(struct ibv_qp *qp, int access)
{
    struct ibv_qp_attr attributes = init_of(access);
    CHECK(ibv_modify_qp(qp, &attributes, INIT_MASK) == 0);
}

static inline void to_receive(struct ibv_qp *qp, uint16_t peer_lid, uint32_t peer)
{
    struct ibv_qp_attr attributes = rtr_of(peer_lid, peer);
    CHECK(ibv_modify_qp(qp, &attributes, RTR_MASK) == 0);
}

static inline void to_send(struct ibv_qp *qp)
{
    struct ibv_qp_attr attributes = rts_of();
    CHECK(ibv_modify_qp(qp, &attributes, RTS_MASK) == 0);
}

static inline int set_state(struct ibv_qp *qp, enum ibv_qp_state state)
{
    struct ibv_qp_attr attributes = { .qp_state = state };
    return ibv_modify_qp(qp, &attributes, IBV_QP_STATE);
}

static inline enum ibv_qp_state state_of(struct ibv_qp *qp)
{
    struct ibv_qp_attr attributes;
    struct ibv_qp_init_attr init;
    CHECK(ibv_query_qp(qp, &attributes, IBV_QP_STATE, &init) == 0);
    return attributes.qp_state;
}

/* Two queue pairs of this host, connected to each other and ready to send. */
static inline void connect_pairs(struct ibv_qp *a, struct ibv_qp *b, int access)
{
    to_init(a, access);
    to_init(b, access);
    to_receive(a, lid, b->qp_num);
    to_receive(b, lid, a->qp_num);
    to_send(a);
    to_send(b);
}

static inline int post_receive(struct ibv_qp *qp, uint64_t id, struct ibv_mr *mr, size_t offset, uint32_t bytes)
{
    struct ibv_sge sge = { (uintptr_t)mr->addr + offset, bytes, mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 }, *bad;
    return ibv_post_recv(qp, &wr, &bad);
}

static inline struct ibv_send_wr send_of(uint64_t id, enum ibv_wr_opcode opcode, struct ibv_sge *sge)
{
    return (struct ibv_send_wr){ .wr_id = id, .sg_list = sge, .num_sge = sge ? 1 : 0, .opcode = opcode,
                                 .send_flags = IBV_SEND_SIGNALED };
}

static inline int post_send(struct ibv_qp *qp, uint64_t id, struct ibv_mr *mr, size_t offset, uint32_t bytes)
{
    struct ibv_sge sge = { (uintptr_t)mr->addr + offset, bytes, mr->lkey };
    struct ibv_send_wr wr = send_of(id, IBV_WR_SEND, &sge), *bad;
    return ibv_post_send(qp, &wr, &bad);
}

/* The next completion; the program ends if none comes. */
static inline struct ibv_wc completion(struct ibv_cq *cq)
{
    struct ibv_wc wc;
    /* A look takes 10 ns, so this is longer than all retries of a request. */
    for (int look = 0; look < 10000000; look++) {
        int count = ibv_poll_cq(cq, 1, &wc);
        CHECK(count >= 0);
        if (count == 1)
            return wc;
    }
    CHECK(!"a completion comes");
    return wc;
}

/* The next completion is of this request and has this status. */
static inline struct ibv_wc expect(struct ibv_cq *cq, uint64_t id, enum ibv_wc_status status)
{
    struct ibv_wc wc = completion(cq);
    if (wc.wr_id != id || wc.status != status)
        fprintf(stderr, "request %llu, %s\n", (unsigned long long)wc.wr_id, ibv_wc_status_str(wc.status));
    CHECK(wc.wr_id == id && wc.status == status);
    return wc;
}

/* No completion comes for some time. */
static inline void expect_none(struct ibv_cq *cq)
{
    struct ibv_wc wc;
    usleep(200);
    CHECK(ibv_poll_cq(cq, 1, &wc) == 0);
}

/* A connection of TCP with the other program, and what both tell each other. */
static inline int meet(int is_server, int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    CHECK(fd >= 0);
    if (!is_server) {
        CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
        return fd;
    }
    CHECK(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
    int peer = accept(fd, NULL, NULL);
    CHECK(peer >= 0);
    close(fd);
    return peer;
}

static inline void exchange(int fd, const void *mine, void *theirs, size_t bytes)
{
    CHECK(write(fd, mine, bytes) == (ssize_t)bytes);
    CHECK(read(fd, theirs, bytes) == (ssize_t)bytes);
}

static inline void barrier(int fd)
{
    char mine = 1, theirs;
    exchange(fd, &mine, &theirs, 1);
}

#endif
