/* Several requests of a connection are outstanding: they overlap, end in order, and a failure flushes the later ones. */
#include "host.h"

enum { COUNT = 16, PLACES = 5, WRONG = 2 };

static struct ibv_send_wr requests[COUNT];
static struct ibv_sge pieces[COUNT];

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

static struct ibv_sge piece_of(struct host *host, int at, uint32_t bytes)
{
    return (struct ibv_sge){(uintptr_t)host->memory + 64 * at, bytes, host->region->lkey};
}

/* Sixteen messages, posted one after the other and all at once. */
static void overlap(struct host *host)
{
    double times[2];
    for (int at_once = 0; at_once < 2; at_once++) {
        if (host->is_server)
            for (int at = 0; at < COUNT; at++)
                post_receive(host);
        meet(host);
        double begin = now_us();
        for (int at = 0; at < COUNT && !host->is_server; at++) {
            for (int i = 0; i < COUNT; i++) {
                requests[i] = (struct ibv_send_wr){.opcode = IBV_WR_SEND};
                pieces[i] = piece_of(host, i, 64);
            }
            if (!at_once || at == 0)
                post(host, at_once ? COUNT : 1);
            await(host, at_once ? at : 0, IBV_WC_SUCCESS);
        }
        times[at_once] = now_us() - begin;
        for (int at = 0; at < COUNT && host->is_server; at++)
            completion(host->queue);
        meet(host);
    }
    /* The doorbell takes 7.4 us to the adapter, and the round trip of a message 3 us. */
    if (!host->is_server)
        CHECK(times[1] < 7.4 + COUNT * 2 && times[1] * 4 < times[0]);
}

/* The third one of five RDMA WRITEs has no right to its memory. */
static void failure(struct host *host)
{
    struct {
        uint64_t address;
        uint32_t key;
    } own = {(uintptr_t)host->memory, host->region->rkey}, peer;
    memset(host->memory, host->is_server ? 0 : 'x', BYTES);
    exchange(host->socket, &own, &peer, sizeof own);
    if (!host->is_server) {
        for (int at = 0; at < PLACES; at++) {
            requests[at] = (struct ibv_send_wr){.opcode = IBV_WR_RDMA_WRITE};
            requests[at].wr.rdma.remote_addr = peer.address + 64 * at;
            requests[at].wr.rdma.rkey = peer.key + (at == WRONG ? 0x1000 : 0);
            pieces[at] = piece_of(host, at, 8);
        }
        post(host, PLACES);
        for (int at = 0; at < PLACES; at++)
            await(host, at,
                  at < WRONG ? IBV_WC_SUCCESS : at == WRONG ? IBV_WC_REM_ACCESS_ERR : IBV_WC_WR_FLUSH_ERR);
    }
    meet(host);
    for (int at = 0; at < PLACES && host->is_server; at++)
        CHECK(host->memory[64 * at] == (at < WRONG ? 'x' : 0));
}

int main(int argc, char **argv)
{
    struct host host = open_host(argc, argv);
    host.access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
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
    overlap(&host);
    failure(&host);
    return end(&host, "outstanding");
}
