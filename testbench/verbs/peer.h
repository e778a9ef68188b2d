/* A connection of two hosts, with memory of each that the other may reach. */
#ifndef PEER_H
#define PEER_H

#include "check.h"

struct place {
    uint64_t address;
    uint32_t key, pair;
    uint16_t lid;
};

static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct ibv_mr *mr;
/* Memory, key and queue pair of the other host. */
static struct place theirs;
/* A connection of TCP to its program. */
static int peer;

static inline void connect_peer(int access)
{
    struct place mine = { (uintptr_t)mr->addr, mr->rkey, qp->qp_num, lid };
    exchange(peer, &mine, &theirs, sizeof mine);
    to_init(qp, access);
    to_receive(qp, theirs.lid, theirs.pair);
    to_send(qp);
    barrier(peer);
}

static inline void reset(int access)
{
    CHECK(set_state(qp, IBV_QPS_RESET) == 0);
    connect_peer(access);
}

/* Meets the other program, registers memory and makes a queue pair. */
static inline void begin_peer(int is_server, const char *port, void *memory, size_t bytes, int access)
{
    begin();
    peer = meet(is_server, atoi(port));
    mr = ibv_reg_mr(pd, memory, bytes, access);
    CHECK(mr);
    cq = new_queue(64);
    qp = new_pair(cq, IBV_QPT_RC);
}

static inline int end_peer(const char *what)
{
    CHECK(ibv_destroy_qp(qp) == 0 && ibv_destroy_cq(cq) == 0 && ibv_dereg_mr(mr) == 0);
    return end(what);
}

#endif
