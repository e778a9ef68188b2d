/* A program that spins on memory, and makes no call, sees what its peer writes there, and what a thread of its own
 * writes. */
#include "host.h"

#include <pthread.h>

enum { ROUNDS = 20 };

static volatile int is_awake;

static void *wake(void *unused)
{
    usleep(100);
    is_awake = 1;
    return unused;
}

static void spin_for_a_thread(void)
{
    pthread_t thread;
    double begin = now_us();
    CHECK(pthread_create(&thread, NULL, wake, NULL) == 0);
    while (!is_awake)
        ;
    /* Spinning waits for the adapter first, 1 ms: before the thread begins, and while it sleeps. */
    CHECK(lasts(now_us() - begin, 100, 2000));
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    struct host host = open_host(argc, argv);
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
    struct ibv_mr *region = ibv_reg_mr(host.domain, host.memory, BYTES, access);
    struct ibv_cq *queue = ibv_create_cq(host.context, ENTRIES, NULL, NULL, 0);
    CHECK(region && queue);
    struct ibv_qp_init_attr attributes = {
        .send_cq = queue,
        .recv_cq = queue,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
    };
    host.pair = ibv_create_qp(host.domain, &attributes);
    CHECK(host.pair);
    host.access = IBV_ACCESS_REMOTE_WRITE;
    connect_pair(&host);
    struct {
        uint64_t address;
        uint32_t key;
    } own = {(uintptr_t)host.memory, region->rkey}, peer;
    exchange(host.socket, &own, &peer, sizeof own);
    volatile char *arrived = host.memory + BYTES - 1;
    char *sent = host.memory + BYTES / 2 - 1;
    for (int round = 1; round <= ROUNDS; round++) {
        double begin = now_us();
        if (host.is_server)
            while (*arrived != round)
                ;
        *sent = round;
        struct ibv_sge piece = {(uintptr_t)host.memory, BYTES / 2, region->lkey};
        struct ibv_send_wr request = {.sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE}, *bad;
        request.wr.rdma.remote_addr = peer.address + BYTES / 2;
        request.wr.rdma.rkey = peer.key;
        CHECK(ibv_post_send(host.pair, &request, &bad) == 0);
        if (!host.is_server)
            while (*arrived != round)
                ;
        /* Two messages of 2,048 bytes, each about 14 us: no receive request and no completion. */
        if (!host.is_server && round > 1 && !lasts(now_us() - begin, 26, 8))
            exit(99);
        completion(queue);
    }
    spin_for_a_thread();
    meet(&host);
    return end(&host, "spins");
}
