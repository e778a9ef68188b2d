/* Refused calls, and errors that events report: registration, domains, overflow, arrival. One host. */
#include <sys/mman.h>

#include "check.h"

static char bytes[4096];

static int refused(void *address, size_t length, int access)
{
    errno = 0;
    CHECK(ibv_reg_mr(pd, address, length, access) == NULL);
    return errno;
}

static void registration(void)
{
    CHECK(refused((void *)0x10, 8, IBV_ACCESS_LOCAL_WRITE) == EFAULT);
    CHECK(refused(bytes, sizeof bytes, IBV_ACCESS_REMOTE_WRITE) == EINVAL);
    CHECK(refused(bytes, sizeof bytes, IBV_ACCESS_REMOTE_ATOMIC) == EINVAL);
    CHECK(refused(bytes, sizeof bytes, IBV_ACCESS_ZERO_BASED) == EOPNOTSUPP);
    char *constant = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(constant != MAP_FAILED && refused(constant, 4096, IBV_ACCESS_LOCAL_WRITE) == EFAULT);
    struct ibv_mr *mr = ibv_reg_mr(pd, constant, 4096, IBV_ACCESS_REMOTE_READ);
    CHECK(mr);
    CHECK(ibv_dealloc_pd(pd) == EBUSY);
    CHECK(ibv_dereg_mr(mr) == 0);
    /* The second page is gone. */
    CHECK(munmap(constant + 4096, 4096) == 0 && refused(constant, 8192, 0) == EFAULT);
    struct ibv_ah_attr address = { .dlid = lid, .port_num = 1 };
    struct ibv_ah *ah = ibv_create_ah(pd, &address);
    CHECK(ah && ibv_dealloc_pd(pd) == EBUSY);
    CHECK(ibv_destroy_ah(ah) == 0);
}

/* A region that changes in place. */
static void registration_again(struct ibv_cq *cq)
{
    static char other[64];
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    struct ibv_mr *mr = ibv_reg_mr(pd, bytes, sizeof bytes, 0);
    connect_pairs(a, b, 0);
    CHECK(post_receive(b, 1, mr, 0, 8) == 0);
    CHECK(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_REMOTE_WRITE) != 0);
    CHECK(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_LOCAL_WRITE) == 0);
    strcpy(bytes + 64, "before");
    CHECK(post_send(a, 2, mr, 64, 8) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0 && strcmp(bytes, "before") == 0);
    CHECK(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, other, sizeof other, 0) == 0);
    CHECK(mr->addr == other && mr->length == sizeof other);
    strcpy(other + 32, "after");
    CHECK(post_receive(b, 3, mr, 0, 8) == 0 && post_send(a, 4, mr, 32, 8) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0 && strcmp(other, "after") == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0 && ibv_dereg_mr(mr) == 0);
}

/* The queue has more room than was asked for, and no more. */
static void overflow(struct ibv_mr *mr)
{
    struct ibv_cq *small = new_queue(1);
    struct ibv_qp *a = new_pair(small, IBV_QPT_RC), *b = new_pair(small, IBV_QPT_RC);
    struct ibv_async_event event;
    struct ibv_wc wc;
    int posted = 0, taken = 0, count, errors = 0;
    connect_pairs(a, b, 0);
    while (posted < 200) {
        if (post_receive(b, posted, mr, 0, 8) != 0 || post_send(a, posted, mr, 64, 8) != 0)
            break;
        posted++;
        usleep(100);
    }
    CHECK(ibv_get_async_event(context, &event) == 0);
    CHECK(event.event_type == IBV_EVENT_CQ_ERR && event.element.cq == small);
    ibv_ack_async_event(&event);
    for (int at = 0; at < 2; at++) {
        CHECK(ibv_get_async_event(context, &event) == 0 && event.event_type == IBV_EVENT_QP_FATAL);
        CHECK(event.element.qp == a || event.element.qp == b);
        ibv_ack_async_event(&event);
    }
    while ((count = ibv_poll_cq(small, 1, &wc)) > 0) {
        taken++;
        errors += wc.status != IBV_WC_SUCCESS;
    }
    CHECK(count < 0 && taken >= small->cqe && errors == 0);
    CHECK(state_of(a) == IBV_QPS_ERR && state_of(b) == IBV_QPS_ERR);
    CHECK(ibv_destroy_cq(small) == EBUSY);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0 && ibv_destroy_cq(small) == 0);
}

/* Without an event a non-blocking context says so. */
static void events(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_async_event event;
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    int flags = fcntl(context->async_fd, F_GETFL);
    CHECK(fcntl(context->async_fd, F_SETFL, flags | O_NONBLOCK) == 0);
    CHECK(ibv_get_async_event(context, &event) == -1 && errno == EAGAIN);
    to_init(a, 0);
    to_init(b, 0);
    to_receive(a, lid, b->qp_num);
    to_receive(b, lid, a->qp_num);
    to_send(a);
    CHECK(post_receive(b, 1, mr, 0, 8) == 0 && post_send(a, 2, mr, 64, 8) == 0);
    usleep(100);
    CHECK(ibv_get_async_event(context, &event) == 0);
    CHECK(event.event_type == IBV_EVENT_COMM_EST && event.element.qp == b);
    ibv_ack_async_event(&event);
    CHECK(ibv_get_async_event(context, &event) == -1 && errno == EAGAIN);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    CHECK(fcntl(context->async_fd, F_SETFL, flags) == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* Errors that the adapter finds, and their place in the order. */
static void statuses(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    connect_pairs(a, b, 0);
    CHECK(post_receive(b, 1, mr, 0, 4) == 0 && post_receive(b, 2, mr, 0, 4) == 0);
    CHECK(post_send(a, 3, mr, 64, 8) == 0 && post_send(a, 4, mr, 64, 8) == 0);
    int seen = 0;
    for (int at = 0; at < 4; at++) {
        struct ibv_wc wc = completion(cq);
        enum ibv_wc_status expected[] = { 0, IBV_WC_LOC_LEN_ERR, IBV_WC_WR_FLUSH_ERR, IBV_WC_REM_INV_REQ_ERR,
                                          IBV_WC_WR_FLUSH_ERR };
        CHECK(wc.wr_id >= 1 && wc.wr_id <= 4 && wc.status == expected[wc.wr_id]);
        seen |= 1 << wc.wr_id;
    }
    CHECK(seen == 0x1e && state_of(a) == IBV_QPS_ERR && state_of(b) == IBV_QPS_ERR);
    expect_none(cq);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* Of three connections one has a request with a wrong key: both of its ends fail, and no other one. */
static void refusal(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *pairs[6];
    struct ibv_async_event event;
    for (int at = 0; at < 6; at++)
        pairs[at] = new_pair(cq, IBV_QPT_RC);
    for (int at = 0; at < 6; at += 2)
        connect_pairs(pairs[at], pairs[at + 1], ALL_ACCESS);
    struct ibv_sge sge = { (uintptr_t)bytes, 8, mr->lkey };
    struct ibv_send_wr wr = send_of(1, IBV_WR_RDMA_READ, &sge), *bad;
    wr.wr.rdma.remote_addr = (uintptr_t)bytes;
    wr.wr.rdma.rkey = mr->rkey + 0x1000;
    CHECK(ibv_post_send(pairs[2], &wr, &bad) == 0);
    expect(cq, 1, IBV_WC_REM_ACCESS_ERR);
    CHECK(ibv_get_async_event(context, &event) == 0);
    CHECK(event.event_type == IBV_EVENT_QP_ACCESS_ERR && event.element.qp == pairs[3]);
    ibv_ack_async_event(&event);
    for (int at = 0; at < 6; at++)
        CHECK(state_of(pairs[at]) == (at == 2 || at == 3 ? IBV_QPS_ERR : IBV_QPS_RTS));
    for (int at = 0; at < 6; at += 4) {
        CHECK(post_receive(pairs[at + 1], 2, mr, 0, 8) == 0 && post_send(pairs[at], 3, mr, 64, 8) == 0);
        CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    }
    for (int at = 0; at < 6; at++)
        CHECK(ibv_destroy_qp(pairs[at]) == 0);
}

int main(void)
{
    begin();
    struct ibv_cq *cq = new_queue(64);
    registration();
    struct ibv_mr *mr = ibv_reg_mr(pd, bytes, sizeof bytes, IBV_ACCESS_LOCAL_WRITE);
    CHECK(mr);
    statuses(cq, mr);
    events(cq, mr);
    overflow(mr);
    refusal(cq, mr);
    CHECK(ibv_dereg_mr(mr) == 0);
    registration_again(cq);
    CHECK(ibv_destroy_cq(cq) == 0);
    return end("errors");
}
