/* Memory windows of type 1: keys for a part of a region, bound through a send queue, bound again, and taken back. One
   host, whose queue pairs are each other's peers. */
#include "check.h"

enum { BYTES = 4096, PART = 256 };
#define BINDABLE (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND)

static char memory[BYTES], text[BYTES];
static struct ibv_mr *region, *texts;
static struct ibv_cq *cq;
static struct ibv_qp *owner, *user;

static int bind_window(struct ibv_mw *window, uint64_t id, struct ibv_mr *of, size_t offset, size_t bytes, int access)
{
    struct ibv_mw_bind bind = { .wr_id = id, .send_flags = IBV_SEND_SIGNALED,
                                .bind_info = { of, of ? (uintptr_t)memory + offset : 0, bytes, access } };
    return ibv_bind_mw(owner, window, &bind);
}

/* The other queue pair writes or reads by this key. */
static void reach(enum ibv_wr_opcode opcode, uint32_t key, size_t offset, uint32_t bytes, enum ibv_wc_status status)
{
    struct ibv_sge sge = { (uintptr_t)text, bytes, texts->lkey };
    struct ibv_send_wr wr = send_of(50, opcode, &sge), *bad;
    wr.wr.rdma.remote_addr = (uintptr_t)memory + offset;
    wr.wr.rdma.rkey = key;
    CHECK(ibv_post_send(user, &wr, &bad) == 0);
    expect(cq, 50, status);
    if (status == IBV_WC_SUCCESS)
        return;
    /* A refused request breaks the connection. */
    CHECK(set_state(owner, IBV_QPS_RESET) == 0 && set_state(user, IBV_QPS_RESET) == 0);
    connect_pairs(owner, user, ALL_ACCESS);
}

static void binding(void)
{
    struct ibv_mw *window = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
    CHECK(window && window->context == context && window->pd == pd && window->type == IBV_MW_TYPE_1);
    uint32_t first = window->rkey;
    reach(IBV_WR_RDMA_WRITE, first, 0, 8, IBV_WC_REM_ACCESS_ERR);
    /* The completion comes after that of the request before. */
    CHECK(post_receive(user, 60, texts, PART, PART) == 0 && post_send(owner, 1, texts, 0, PART) == 0);
    CHECK(bind_window(window, 2, region, PART, PART, IBV_ACCESS_REMOTE_WRITE) == 0);
    struct ibv_wc found[3] = { completion(cq), completion(cq), completion(cq) };
    unsigned sends = 0;
    for (int at = 0; at < 3; at++) {
        CHECK(found[at].status == IBV_WC_SUCCESS);
        if (found[at].wr_id != 60)
            CHECK(found[at].wr_id == ++sends && found[at].opcode == (sends == 1 ? IBV_WC_SEND : IBV_WC_BIND_MW));
    }
    uint32_t bound = window->rkey;
    CHECK(sends == 2 && bound != first);
    memset(text, 'w', PART);
    reach(IBV_WR_RDMA_WRITE, bound, PART, PART, IBV_WC_SUCCESS);
    CHECK(memory[PART - 1] == 0 && memory[PART] == 'w' && memory[2 * PART - 1] == 'w' && memory[2 * PART] == 0);
    /* Beyond either end; a READ; the key of before. */
    reach(IBV_WR_RDMA_WRITE, bound, PART - 1, 8, IBV_WC_REM_ACCESS_ERR);
    reach(IBV_WR_RDMA_WRITE, bound, 2 * PART - 7, 8, IBV_WC_REM_ACCESS_ERR);
    reach(IBV_WR_RDMA_READ, bound, PART, 8, IBV_WC_REM_ACCESS_ERR);
    reach(IBV_WR_RDMA_WRITE, first, PART, 8, IBV_WC_REM_ACCESS_ERR);
    /* Bound again, to other bytes and for READs; then to nothing. */
    CHECK(ibv_dereg_mr(region) == EBUSY);
    CHECK(bind_window(window, 3, region, 0, PART, IBV_ACCESS_REMOTE_READ) == 0);
    expect(cq, 3, IBV_WC_SUCCESS);
    memory[0] = 'r';
    reach(IBV_WR_RDMA_READ, window->rkey, 0, 8, IBV_WC_SUCCESS);
    CHECK(text[0] == 'r');
    reach(IBV_WR_RDMA_WRITE, bound, PART, 8, IBV_WC_REM_ACCESS_ERR);
    bound = window->rkey;
    CHECK(bind_window(window, 4, NULL, 0, 0, 0) == 0);
    expect(cq, 4, IBV_WC_SUCCESS);
    reach(IBV_WR_RDMA_READ, bound, 0, 8, IBV_WC_REM_ACCESS_ERR);
    reach(IBV_WR_RDMA_READ, window->rkey, 0, 8, IBV_WC_REM_ACCESS_ERR);
    CHECK(ibv_dealloc_mw(window) == 0);
}

static void refused(void)
{
    struct ibv_device_attr limits;
    CHECK(ibv_query_device(context, &limits) == 0 && limits.max_mw > 0);
    CHECK(limits.device_cap_flags & IBV_DEVICE_MEM_WINDOW);
    CHECK(!ibv_alloc_mw(pd, IBV_MW_TYPE_2) && errno == EOPNOTSUPP);
    struct ibv_mw *window = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
    CHECK(window);
    /* A region without the right to be bound, bytes beyond it, and a right that needs LOCAL_WRITE. */
    CHECK(bind_window(window, 5, texts, 0, 8, IBV_ACCESS_REMOTE_READ) == EINVAL);
    CHECK(bind_window(window, 5, region, BYTES - 7, 8, IBV_ACCESS_REMOTE_READ) == EINVAL);
    struct ibv_mr *fixed = ibv_reg_mr(pd, memory, BYTES, IBV_ACCESS_MW_BIND);
    CHECK(fixed && bind_window(window, 5, fixed, 0, 8, IBV_ACCESS_REMOTE_WRITE) == EINVAL);
    CHECK(bind_window(window, 5, fixed, 0, 8, IBV_ACCESS_REMOTE_READ) == 0);
    expect(cq, 5, IBV_WC_SUCCESS);
    reach(IBV_WR_RDMA_READ, window->rkey, 0, 8, IBV_WC_SUCCESS);
    /* A binding is flushed with its queue. */
    CHECK(set_state(owner, IBV_QPS_ERR) == 0);
    uint32_t key = window->rkey;
    CHECK(bind_window(window, 6, region, 0, 8, IBV_ACCESS_REMOTE_READ) == 0 && window->rkey == key);
    expect(cq, 6, IBV_WC_WR_FLUSH_ERR);
    CHECK(ibv_dealloc_pd(pd) == EBUSY);
    CHECK(ibv_dealloc_mw(window) == 0 && ibv_dereg_mr(fixed) == 0);
}

int main(void)
{
    begin();
    region = ibv_reg_mr(pd, memory, BYTES, BINDABLE);
    texts = ibv_reg_mr(pd, text, BYTES, IBV_ACCESS_LOCAL_WRITE);
    CHECK(region && texts);
    cq = new_queue(64);
    owner = new_pair(cq, IBV_QPT_RC);
    user = new_pair(cq, IBV_QPT_RC);
    connect_pairs(owner, user, ALL_ACCESS);
    binding();
    refused();
    CHECK(ibv_destroy_qp(owner) == 0 && ibv_destroy_qp(user) == 0 && ibv_destroy_cq(cq) == 0);
    CHECK(ibv_dereg_mr(region) == 0 && ibv_dereg_mr(texts) == 0);
    return end("memory_windows");
}
