/* States of a queue pair: needed and allowed attributes, receiving before RTS, flushing, reset, draining. One host. */
#include "check.h"

static char bytes[4096];

/* Each attribute of each step is needed; a foreign one is refused. */
static void masks(struct ibv_cq *cq)
{
    struct ibv_qp *qp = new_pair(cq, IBV_QPT_RC);
    struct ibv_qp_attr steps[3] = { init_of(0), rtr_of(lid, qp->qp_num), rts_of() };
    int needed[3] = { INIT_MASK, RTR_MASK, RTS_MASK };
    CHECK(set_state(qp, IBV_QPS_ERR) == EINVAL);
    for (int step = 0; step < 3; step++) {
        for (int bit = 0; bit < 21; bit++) {
            int mask = needed[step] & ~(1 << bit);
            if (needed[step] >> bit & 1)
                CHECK(ibv_modify_qp(qp, &steps[step], mask) == EINVAL);
        }
        CHECK(ibv_modify_qp(qp, &steps[step], needed[step] | IBV_QP_QKEY) == EINVAL);
        CHECK(state_of(qp) == (enum ibv_qp_state)step);
        CHECK(ibv_modify_qp(qp, &steps[step], needed[step]) == 0);
        CHECK(state_of(qp) == (enum ibv_qp_state)(step + 1));
    }
    struct ibv_qp_attr later = { .qp_state = IBV_QPS_RTS, .min_rnr_timer = 5, .qp_access_flags = ALL_ACCESS };
    CHECK(ibv_modify_qp(qp, &later, IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_ACCESS_FLAGS) == 0);
    CHECK(ibv_modify_qp(qp, &later, IBV_QP_MIN_RNR_TIMER) == 0);
    CHECK(ibv_modify_qp(qp, &later, IBV_QP_STATE | IBV_QP_SQ_PSN) == EINVAL);
    struct ibv_qp_attr now;
    struct ibv_qp_init_attr init;
    CHECK(ibv_query_qp(qp, &now, IBV_QP_STATE, &init) == 0);
    CHECK(now.qp_access_flags == ALL_ACCESS && now.max_rd_atomic == 1 && now.max_dest_rd_atomic == 1);
    CHECK(now.min_rnr_timer == 5 && now.path_mtu == IBV_MTU_1024 && now.rq_psn == 0xfffff0);
    CHECK(now.dest_qp_num == qp->qp_num && now.ah_attr.dlid == lid && now.timeout == 8 && now.port_num == 1);
    CHECK(init.cap.max_send_wr >= 128 && init.qp_type == IBV_QPT_RC && init.send_cq == cq);
    CHECK(set_state(qp, IBV_QPS_RESET) == 0 && state_of(qp) == IBV_QPS_RESET);
    CHECK(ibv_query_qp(qp, &now, IBV_QP_STATE, &init) == 0 && now.qp_access_flags == 0);
    CHECK(ibv_destroy_qp(qp) == 0);
}

/* A queue pair that stays in RTR receives; after RTS it goes on with the next packet, both ways. */
static void receives_from_rtr(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    to_init(a, 0);
    to_init(b, 0);
    for (int at = 0; at < 4; at++)
        CHECK(post_receive(b, 100 + at, mr, 2048, 2048) == 0);
    to_receive(b, lid, a->qp_num);
    to_receive(a, lid, b->qp_num);
    to_send(a);
    for (int at = 0; at < 3; at++) {
        /* One packet, two packets, and none of data. */
        uint32_t length = at == 0 ? 5 : at == 1 ? 1500 : 0;
        memset(bytes, 'a' + at, 2048);
        CHECK(post_send(a, 1 + at, mr, 0, length) == 0);
        struct ibv_wc first = completion(cq), second = completion(cq);
        struct ibv_wc *received = first.opcode == IBV_WC_RECV ? &first : &second;
        CHECK(first.status == 0 && second.status == 0 && first.wr_id + second.wr_id == 101ul + 2 * at);
        CHECK(received->byte_len == length && memcmp(bytes, bytes + 2048, length) == 0);
    }
    CHECK(state_of(b) == IBV_QPS_RTR);
    CHECK(post_send(b, 9, mr, 0, 4) == EINVAL);
    /* This message is in the queue when the row of the adapter is written again. */
    CHECK(post_send(a, 4, mr, 0, 7) == 0);
    usleep(100);
    to_send(b);
    expect(cq, 103, IBV_WC_SUCCESS);
    expect(cq, 4, IBV_WC_SUCCESS);
    CHECK(post_receive(a, 200, mr, 2048, 2048) == 0 && post_receive(b, 104, mr, 2048, 2048) == 0);
    CHECK(post_send(b, 5, mr, 0, 1100) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    CHECK(post_send(a, 6, mr, 0, 1100) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* The program moves a queue pair to the error state: both queues are flushed in their order, later requests at once. */
static void flushes(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    connect_pairs(a, b, 0);
    for (int at = 0; at < 3; at++)
        CHECK(post_receive(a, 10 + at, mr, 2048, 64) == 0);
    CHECK(set_state(a, IBV_QPS_ERR) == 0 && state_of(a) == IBV_QPS_ERR);
    for (int at = 0; at < 3; at++)
        expect(cq, 10 + at, IBV_WC_WR_FLUSH_ERR);
    CHECK(post_receive(a, 20, mr, 2048, 64) == 0 && post_send(a, 21, mr, 0, 8) == 0);
    expect(cq, 20, IBV_WC_WR_FLUSH_ERR);
    expect(cq, 21, IBV_WC_WR_FLUSH_ERR);
    /* The peer gets no answer. */
    CHECK(post_send(b, 30, mr, 0, 8) == 0 && post_send(b, 31, mr, 0, 8) == 0);
    expect(cq, 30, IBV_WC_RETRY_EXC_ERR);
    CHECK(state_of(b) == IBV_QPS_ERR);
    expect(cq, 31, IBV_WC_WR_FLUSH_ERR);
    expect_none(cq);
    CHECK(set_state(b, IBV_QPS_RTS) == EINVAL);
    /* After a reset both work again. */
    CHECK(set_state(a, IBV_QPS_RESET) == 0 && set_state(b, IBV_QPS_RESET) == 0);
    connect_pairs(a, b, 0);
    CHECK(post_receive(a, 40, mr, 2048, 64) == 0 && post_send(b, 41, mr, 0, 8) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* Completions of a destroyed queue pair do not come, not even to the next one of its number. */
static void cleans(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    connect_pairs(a, b, 0);
    CHECK(post_receive(b, 1, mr, 2048, 64) == 0 && post_send(a, 2, mr, 0, 8) == 0);
    usleep(200);
    uint32_t number = b->qp_num;
    CHECK(ibv_destroy_qp(b) == 0);
    b = new_pair(cq, IBV_QPT_RC);
    CHECK(b->qp_num == number);
    expect(cq, 2, IBV_WC_SUCCESS);
    expect_none(cq);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* A drained send queue holds requests until it is ready again. */
static void drains(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    connect_pairs(a, b, 0);
    CHECK(post_receive(b, 1, mr, 2048, 64) == 0);
    struct ibv_qp_attr drain = { .qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1 };
    CHECK(ibv_modify_qp(a, &drain, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY) == 0);
    struct ibv_async_event event;
    CHECK(ibv_get_async_event(context, &event) == 0);
    CHECK(event.event_type == IBV_EVENT_SQ_DRAINED && event.element.qp == a);
    ibv_ack_async_event(&event);
    CHECK(state_of(a) == IBV_QPS_SQD && post_send(a, 2, mr, 0, 8) == 0);
    expect_none(cq);
    CHECK(set_state(a, IBV_QPS_RTS) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* Datagrams have their own table. */
static void datagrams(struct ibv_cq *cq)
{
    struct ibv_qp *qp = new_pair(cq, IBV_QPT_UD);
    struct ibv_qp_attr attributes = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 7 };
    int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY;
    CHECK(ibv_modify_qp(qp, &attributes, mask & ~IBV_QP_QKEY) == EINVAL);
    CHECK(ibv_modify_qp(qp, &attributes, mask | IBV_QP_ACCESS_FLAGS) == EINVAL);
    CHECK(ibv_modify_qp(qp, &attributes, mask) == 0);
    CHECK(set_state(qp, IBV_QPS_RTR) == 0 && set_state(qp, IBV_QPS_RTS) == EINVAL);
    attributes = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .sq_psn = 3 };
    CHECK(ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0 && state_of(qp) == IBV_QPS_RTS);
    CHECK(ibv_destroy_qp(qp) == 0);
}

int main(void)
{
    begin();
    struct ibv_cq *cq = new_queue(128);
    struct ibv_mr *mr = ibv_reg_mr(pd, bytes, sizeof bytes, IBV_ACCESS_LOCAL_WRITE);
    CHECK(mr);
    masks(cq);
    receives_from_rtr(cq, mr);
    /* The first message to a queue pair in RTR was an event; its queue pair is destroyed, and the event with it. */
    flushes(cq, mr);
    cleans(cq, mr);
    drains(cq, mr);
    datagrams(cq);
    CHECK(ibv_dereg_mr(mr) == 0 && ibv_destroy_cq(cq) == 0);
    return end("qp_states");
}
