/* As many queue pairs, completion queues and memory regions as the adapter has: the last ones work, and there is no
   other one. One host, whose queue pairs are each other's peers. */
#include "check.h"

enum { BYTES = 64, PAIRS = 254, QUEUES = 256, REGIONS = 4080 };

static char source[BYTES] = "through the last key", target[BYTES];
static struct ibv_qp *pairs[PAIRS];
static struct ibv_cq *queues[QUEUES];
static struct ibv_mr *regions[REGIONS];

int main(void)
{
    begin();
    struct ibv_device_attr limits;
    CHECK(ibv_query_device(context, &limits) == 0);
    CHECK(limits.max_qp == PAIRS && limits.max_cq == QUEUES);
    CHECK(limits.max_mr == REGIONS && limits.max_mw == REGIONS);
    for (int at = 0; at < QUEUES; at++)
        queues[at] = new_queue(4);
    CHECK(!ibv_create_cq(context, 4, NULL, NULL, 0) && errno == ENOMEM);
    for (int at = 0; at < REGIONS; at++) {
        regions[at] = ibv_reg_mr(pd, at % 2 ? target : source, BYTES, at % 2 ? ALL_ACCESS : 0);
        CHECK(regions[at] && (at == 0 || regions[at]->lkey != regions[at - 1]->lkey));
    }
    for (int at = 0; at < PAIRS; at++)
        pairs[at] = new_pair(queues[QUEUES - PAIRS + at], IBV_QPT_RC);
    struct ibv_qp_init_attr another = { .send_cq = queues[0], .recv_cq = queues[0], .qp_type = IBV_QPT_RC };
    another.cap = (struct ibv_qp_cap){ .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 };
    CHECK(!ibv_create_qp(pd, &another) && errno == ENOMEM);
    /* The sender is the last queue pair with the last queue, its peer the one before, and both have keys of high rows. */
    struct ibv_cq *cq = queues[QUEUES - 1];
    struct ibv_qp *writer = pairs[PAIRS - 1], *owner = pairs[PAIRS - 2];
    connect_pairs(writer, owner, ALL_ACCESS);
    struct ibv_sge sge = { (uintptr_t)source, BYTES, regions[REGIONS - 2]->lkey };
    struct ibv_send_wr wr = send_of(1, IBV_WR_RDMA_WRITE, &sge), *bad;
    wr.wr.rdma.remote_addr = (uintptr_t)target;
    wr.wr.rdma.rkey = regions[REGIONS - 1]->rkey;
    CHECK(ibv_post_send(writer, &wr, &bad) == 0);
    expect(cq, 1, IBV_WC_SUCCESS);
    CHECK(memcmp(source, target, BYTES) == 0);
    /* A region without rights for peers, and the row of one that is gone. */
    wr.wr.rdma.rkey = regions[REGIONS - 2]->rkey;
    wr.wr.rdma.remote_addr = (uintptr_t)source;
    CHECK(ibv_post_send(writer, &wr, &bad) == 0);
    expect(cq, 1, IBV_WC_REM_ACCESS_ERR);
    CHECK(set_state(owner, IBV_QPS_RESET) == 0 && set_state(writer, IBV_QPS_RESET) == 0);
    connect_pairs(writer, owner, ALL_ACCESS);
    wr.wr.rdma.rkey = regions[REGIONS - 1]->rkey;
    wr.wr.rdma.remote_addr = (uintptr_t)target;
    CHECK(ibv_dereg_mr(regions[REGIONS - 1]) == 0);
    CHECK(ibv_post_send(writer, &wr, &bad) == 0);
    expect(cq, 1, IBV_WC_REM_ACCESS_ERR);
    for (int at = 0; at < PAIRS; at++)
        CHECK(ibv_destroy_qp(pairs[at]) == 0);
    for (int at = 0; at < QUEUES; at++)
        CHECK(ibv_destroy_cq(queues[at]) == 0);
    for (int at = 0; at < REGIONS - 1; at++)
        CHECK(ibv_dereg_mr(regions[at]) == 0);
    return end("limits");
}
