/* Several RDMA READs of a connection are outstanding: they overlap, end in order, and one that is refused ends behind those
   before it and flushes the later ones. A SEND waits for them. */
#include "host.h"

enum { COUNT = 16, STRIDE = 128, PLACES = 5, WRONG = 2, LOCAL = BYTES / 2 };

static struct ibv_send_wr requests[COUNT + 1];
static struct ibv_sge pieces[COUNT + 1];
static struct memory {
    uint64_t address;
    uint32_t key;
} peer;

/* A READ of as many bytes of the peer, from and to the place of its number. */
static void read_at(struct host *host, int at, uint32_t bytes)
{
    pieces[at] = (struct ibv_sge){(uintptr_t)host->memory + LOCAL + STRIDE * at, bytes, host->region->lkey};
    requests[at] = (struct ibv_send_wr){.opcode = IBV_WR_RDMA_READ};
    requests[at].wr.rdma.remote_addr = peer.address + STRIDE * at;
    requests[at].wr.rdma.rkey = peer.key;
}

/* As many requests in a list, posted by one call. */
static void post(struct host *host, int count)
{
    struct ibv_send_wr *bad;
    for (int at = 0; at < count; at++) {
        requests[at].wr_id = 100 + at;
        requests[at].sg_list = &pieces[at];
        requests[at].num_sge = 1;
        requests[at].next = at + 1 < count ? &requests[at + 1] : NULL;
    }
    CHECK(ibv_post_send(host->pair, requests, &bad) == 0);
}

/* Completions come in the order of the requests. */
static void await(struct host *host, int at, enum ibv_wc_status status)
{
    struct ibv_wc found;
    int count;
    while ((count = ibv_poll_cq(host->queue, 1, &found)) == 0)
        ;
    CHECK(count == 1 && found.wr_id == (uint64_t)100 + at && found.status == status);
}

static int is_read(struct host *host, int at, uint32_t bytes)
{
    return memcmp(host->memory + LOCAL + STRIDE * at, host->memory + STRIDE * at, bytes) == 0;
}

/* Sixteen READs, posted one after the other and all at once. */
static void overlap(struct host *host)
{
    double times[2];
    for (int at_once = 0; at_once < 2 && !host->is_server; at_once++) {
        memset(host->memory + LOCAL, 0, LOCAL);
        double begin = now_us();
        for (int at = 0; at < COUNT; at++) {
            for (int i = 0; i < COUNT && (!at_once || at == 0); i++)
                read_at(host, i, 100);
            if (!at_once) {
                requests[0] = requests[at];
                pieces[0] = pieces[at];
            }
            if (!at_once || at == 0)
                post(host, at_once ? COUNT : 1);
            await(host, at_once ? at : 0, IBV_WC_SUCCESS);
        }
        times[at_once] = now_us() - begin;
        for (int at = 0; at < COUNT; at++)
            CHECK(is_read(host, at, 100));
    }
    if (!host->is_server)
        CHECK(times[1] * 3 < times[0]);
}

/* READs of several packets each, and a SEND that waits for them. */
static void long_reads(struct host *host)
{
    if (host->is_server)
        post_receive(host);
    meet(host);
    if (!host->is_server) {
        memset(host->memory + LOCAL, 0, LOCAL);
        for (int at = 0; at < 3; at++)
            read_at(host, at, 1500);
        requests[3] = (struct ibv_send_wr){.opcode = IBV_WR_SEND};
        pieces[3] = (struct ibv_sge){(uintptr_t)host->memory, 8, host->region->lkey};
        post(host, 4);
        for (int at = 0; at < 4; at++)
            await(host, at, IBV_WC_SUCCESS);
        for (int at = 0; at < 3; at++)
            CHECK(is_read(host, at, 1500));
    } else {
        completion(host->queue);
    }
    meet(host);
}

/* The third one of five READs has no right to its memory. */
static void failure(struct host *host)
{
    if (host->is_server)
        return;
    memset(host->memory + LOCAL, 0, LOCAL);
    for (int at = 0; at < PLACES; at++)
        read_at(host, at, 100);
    requests[WRONG].wr.rdma.rkey += 0x1000;
    post(host, PLACES);
    for (int at = 0; at < PLACES; at++)
        await(host, at, at < WRONG ? IBV_WC_SUCCESS : at == WRONG ? IBV_WC_REM_ACCESS_ERR : IBV_WC_WR_FLUSH_ERR);
    for (int at = 0; at < PLACES; at++)
        CHECK(is_read(host, at, 100) == (at < WRONG));
}

int main(int argc, char **argv)
{
    struct host host = open_host(argc, argv);
    struct ibv_device_attr limits;
    CHECK(ibv_query_device(host.context, &limits) == 0);
    CHECK(limits.max_qp_rd_atom == COUNT && limits.max_qp_init_rd_atom == COUNT);
    host.reads = COUNT;
    host.access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ;
    host.region = ibv_reg_mr(host.domain, host.memory, BYTES, host.access);
    host.queue = ibv_create_cq(host.context, ENTRIES, NULL, host.channel, 0);
    CHECK(host.region && host.queue);
    struct ibv_qp_init_attr attributes = {
        .send_cq = host.queue,
        .recv_cq = host.queue,
        .cap = {.max_send_wr = COUNT, .max_recv_wr = COUNT, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
    };
    host.pair = ibv_create_qp(host.domain, &attributes);
    CHECK(host.pair);
    connect_pair(&host);
    struct ibv_qp_attr now;
    CHECK(ibv_query_qp(host.pair, &now, IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC, &attributes) == 0);
    CHECK(now.max_rd_atomic == COUNT && now.max_dest_rd_atomic == COUNT);
    /* Both hosts have the same bytes. */
    for (int at = 0; at < LOCAL; at++)
        host.memory[at] = at * 7 + 1;
    struct memory own = {(uintptr_t)host.memory, host.region->rkey};
    exchange(host.socket, &own, &peer, sizeof own);
    overlap(&host);
    long_reads(&host);
    failure(&host);
    meet(&host);
    return end(&host, "reads");
}
