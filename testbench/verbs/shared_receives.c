/* Shared receive queues: messages of several connections that interleave, datagrams, immediate data of RDMA, the limit, an
   empty queue, failures of one of several queue pairs. One host. */
#include "check.h"

enum { PLACES = 16, ROOM = 8192, LONG = 1 << 18 };

static char sent[LONG], received[LONG];
static char places[PLACES][ROOM];
static struct ibv_mr *sends, *receives, *room;
static struct ibv_cq *cq;

static struct ibv_srq *new_shared(struct ibv_pd *domain)
{
    struct ibv_srq_init_attr init = { .srq_context = places, .attr = { .max_wr = PLACES, .max_sge = 3 } };
    struct ibv_srq *srq = ibv_create_srq(domain, &init);
    CHECK(srq && init.attr.max_wr == PLACES && init.attr.max_sge >= 3);
    CHECK(srq->context == context && srq->pd == domain && srq->srq_context == places && srq->events_completed == 0);
    return srq;
}

static struct ibv_qp_init_attr attributes_of(struct ibv_srq *srq, enum ibv_qp_type type)
{
    return (struct ibv_qp_init_attr){ .send_cq = cq, .recv_cq = cq, .srq = srq, .qp_type = type,
                                      .cap = { .max_send_wr = 64, .max_send_sge = 1 } };
}

static struct ibv_qp *new_sharing(struct ibv_srq *srq, enum ibv_qp_type type)
{
    struct ibv_qp_init_attr init = attributes_of(srq, type), found;
    struct ibv_qp_attr attributes;
    struct ibv_qp *qp = ibv_create_qp(pd, &init);
    CHECK(qp && qp->srq == srq);
    CHECK(ibv_query_qp(qp, &attributes, IBV_QP_STATE, &found) == 0 && found.srq == srq);
    return qp;
}

/* Place `id` of the memory for messages, in three pieces. */
static int post_shared(struct ibv_srq *srq, uint64_t id)
{
    uintptr_t place = (uintptr_t)places[id % PLACES];
    struct ibv_sge pieces[3] = { { place, 100, room->lkey }, { place + 100, 1500, room->lkey },
                                 { place + 1600, ROOM - 1600, room->lkey } };
    struct ibv_recv_wr wr = { .wr_id = id, .sg_list = pieces, .num_sge = 3 }, *bad;
    return ibv_post_srq_recv(srq, &wr, &bad);
}

/* One piece of this length. */
static int post_piece(struct ibv_srq *srq, uint64_t id, struct ibv_mr *mr, uint32_t bytes)
{
    struct ibv_sge piece = { (uintptr_t)mr->addr, bytes, mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &piece, .num_sge = 1 }, *bad;
    return ibv_post_srq_recv(srq, &wr, &bad);
}

/* The queue holds this number of requests: the other places are free. It is full afterwards. */
static void has_left(struct ibv_srq *srq, int left)
{
    int posted = 0;
    while (post_piece(srq, 900, room, 8) == 0)
        posted++;
    CHECK(posted == PLACES - left && post_piece(srq, 900, room, 8) == ENOMEM);
}

static struct ibv_async_event event_of(enum ibv_event_type kind)
{
    struct ibv_async_event event;
    CHECK(ibv_get_async_event(context, &event) == 0);
    if (event.event_type != kind)
        fprintf(stderr, "event: %s\n", ibv_event_type_str(event.event_type));
    CHECK(event.event_type == kind);
    ibv_ack_async_event(&event);
    return event;
}

static void expect_no_event(void)
{
    struct ibv_async_event event;
    int flags = fcntl(context->async_fd, F_GETFL);
    CHECK(fcntl(context->async_fd, F_SETFL, flags | O_NONBLOCK) == 0);
    CHECK(ibv_get_async_event(context, &event) == -1 && errno == EAGAIN);
    CHECK(fcntl(context->async_fd, F_SETFL, flags) == 0);
}

static void refuses(struct ibv_srq *srq)
{
    struct ibv_qp_init_attr unreliable = attributes_of(srq, IBV_QPT_UC);
    errno = 0;
    CHECK(ibv_create_qp(pd, &unreliable) == NULL && errno == EOPNOTSUPP);
    struct ibv_pd *other = ibv_alloc_pd(context);
    struct ibv_qp_init_attr foreign = attributes_of(srq, IBV_QPT_RC);
    CHECK(other && ibv_create_qp(other, &foreign) == NULL && errno == EINVAL);
    struct ibv_qp *qp = new_sharing(srq, IBV_QPT_RC);
    to_init(qp, 0);
    CHECK(post_receive(qp, 1, room, 0, 8) == EINVAL);
    CHECK(ibv_destroy_srq(srq) == EBUSY && ibv_destroy_qp(qp) == 0);
    struct ibv_sge pieces[4] = { { 0 } };
    struct ibv_recv_wr wrong = { .wr_id = 2, .sg_list = pieces, .num_sge = 4 }, *bad = NULL;
    struct ibv_recv_wr right = { .wr_id = 1, .next = &wrong };
    CHECK(ibv_post_srq_recv(srq, &right, &bad) == EINVAL && bad == &wrong);
    has_left(srq, 1);
    struct ibv_srq *others[3] = { new_shared(other), new_shared(other), new_shared(other) };
    struct ibv_srq_init_attr_ex init = { .attr = { .max_wr = 1, .max_sge = 1 }, .pd = pd, .srq_type = IBV_SRQT_XRC,
                                         .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD };
    CHECK(ibv_create_srq_ex(context, &init) == NULL && errno == EOPNOTSUPP);
    init.srq_type = IBV_SRQT_BASIC;
    CHECK(ibv_create_srq_ex(context, &init) == NULL && errno == ENOMEM);
    CHECK(ibv_dealloc_pd(other) == EBUSY);
    for (int at = 0; at < 3; at++)
        CHECK(ibv_destroy_srq(others[at]) == 0);
    CHECK(ibv_dealloc_pd(other) == 0);
    struct ibv_srq *extended = ibv_create_srq_ex(context, &init);
    uint32_t numbers[2];
    CHECK(extended && ibv_get_srq_num(srq, &numbers[0]) == 0 && ibv_get_srq_num(extended, &numbers[1]) == 0);
    CHECK(numbers[0] != numbers[1] && ibv_destroy_srq(extended) == 0);
    struct ibv_srq_attr attributes = { .max_wr = 2 * PLACES, .srq_limit = PLACES + 1 };
    CHECK(ibv_modify_srq(srq, &attributes, IBV_SRQ_MAX_WR) == EOPNOTSUPP);
    CHECK(ibv_modify_srq(srq, &attributes, IBV_SRQ_LIMIT) == EINVAL);
    CHECK(ibv_query_srq(srq, &attributes) == 0);
    CHECK(attributes.max_wr == PLACES && attributes.max_sge == 3 && attributes.srq_limit == 0);
}

/* Three connections send messages of unlike lengths, more than the queue has places. Each arrives whole in the place that its
   request names, in the order of its connection, and short ones overtake long ones. */
static void interleaves(struct ibv_srq *srq)
{
    enum { PAIRS = 3, MESSAGES = 24 };
    struct ibv_qp *from[PAIRS], *to[PAIRS];
    uint32_t bytes[PAIRS] = { 8000, 3000, 10 };
    int done[PAIRS] = { 0 }, posted[PAIRS] = { 0 }, acknowledged = 0, overtaken = 0;
    uint64_t next = 0, last = 0;
    for (int at = 0; at < PAIRS; at++) {
        from[at] = new_pair(cq, IBV_QPT_RC);
        to[at] = new_sharing(srq, IBV_QPT_RC);
        connect_pairs(from[at], to[at], 0);
        for (int byte = 0; byte < ROOM; byte++)
            sent[at * ROOM + byte] = byte * 7 + byte / 251 + at;
    }
    while (next < PLACES)
        CHECK(post_shared(srq, next++) == 0);
    CHECK(post_shared(srq, next) == ENOMEM);
    for (int left = PAIRS * MESSAGES; left > 0 || acknowledged < PAIRS * MESSAGES;) {
        for (int at = 0; at < PAIRS; at++)
            for (; posted[at] < MESSAGES && posted[at] < done[at] + 4; posted[at]++)
                CHECK(post_send(from[at], 1000 + at, sends, at * ROOM, bytes[at] - posted[at] % 7) == 0);
        struct ibv_wc wc = completion(cq);
        CHECK(wc.status == IBV_WC_SUCCESS);
        if (wc.opcode == IBV_WC_SEND) {
            acknowledged++;
            continue;
        }
        int at = wc.qp_num == to[0]->qp_num ? 0 : wc.qp_num == to[1]->qp_num ? 1 : 2;
        CHECK(wc.qp_num == to[at]->qp_num && wc.byte_len == bytes[at] - done[at] % 7 && wc.wr_id < next);
        CHECK(memcmp(places[wc.wr_id % PLACES], sent + at * ROOM, wc.byte_len) == 0);
        memset(places[wc.wr_id % PLACES], 0, ROOM);
        overtaken += wc.wr_id < last;
        last = wc.wr_id;
        done[at]++;
        left--;
        /* Only the place of this message is free. */
        CHECK(post_shared(srq, (next / PLACES + 1) * PLACES + wc.wr_id % PLACES) == 0);
        next = (next / PLACES + 2) * PLACES;
    }
    CHECK(overtaken > 10 && done[0] == MESSAGES && done[1] == MESSAGES && done[2] == MESSAGES);
    for (int at = 0; at < PAIRS; at++)
        CHECK(ibv_destroy_qp(from[at]) == 0 && ibv_destroy_qp(to[at]) == 0);
}

static void to_datagrams(struct ibv_qp *qp)
{
    struct ibv_qp_attr attributes = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 7 };
    CHECK(ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY) == 0);
    CHECK(set_state(qp, IBV_QPS_RTR) == 0);
    attributes = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .sq_psn = 3 };
    CHECK(ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0);
}

/* Datagrams, messages of a connection and RDMA with immediate data take requests of one queue. */
static void services(struct ibv_srq *srq)
{
    struct ibv_qp *datagrams[2] = { new_pair(cq, IBV_QPT_UD), new_sharing(srq, IBV_QPT_UD) };
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_sharing(srq, IBV_QPT_RC);
    struct ibv_ah_attr address = { .dlid = lid, .port_num = 1 };
    struct ibv_ah *ah = ibv_create_ah(pd, &address);
    CHECK(ah);
    to_datagrams(datagrams[0]);
    to_datagrams(datagrams[1]);
    connect_pairs(a, b, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    for (int at = 0; at < 3; at++)
        CHECK(post_shared(srq, at) == 0);
    struct ibv_sge piece = { (uintptr_t)sent, 1800, sends->lkey };
    struct ibv_send_wr wr = send_of(20, IBV_WR_SEND, &piece), *bad;
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = datagrams[1]->qp_num;
    wr.wr.ud.remote_qkey = 7;
    CHECK(ibv_post_send(datagrams[0], &wr, &bad) == 0);
    struct ibv_wc first = completion(cq), second = completion(cq);
    struct ibv_wc *arrived = first.opcode == IBV_WC_RECV ? &first : &second;
    CHECK(arrived->wr_id == 0 && arrived->status == 0 && arrived->byte_len == 1840);
    CHECK(arrived->qp_num == datagrams[1]->qp_num && arrived->src_qp == datagrams[0]->qp_num);
    CHECK(memcmp(places[0] + 40, sent, 1800) == 0);
    /* RDMA without immediate data takes none. */
    wr = send_of(21, IBV_WR_RDMA_WRITE, &piece);
    wr.wr.rdma.remote_addr = (uintptr_t)received;
    wr.wr.rdma.rkey = receives->rkey;
    CHECK(ibv_post_send(a, &wr, &bad) == 0);
    expect(cq, 21, IBV_WC_SUCCESS);
    wr.wr_id = 22;
    wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
    wr.imm_data = htonl(77);
    piece.length = 5000;
    CHECK(ibv_post_send(a, &wr, &bad) == 0 && post_send(a, 23, sends, 0, 2500) == 0);
    for (int at = 0; at < 4; at++) {
        struct ibv_wc wc = completion(cq);
        CHECK(wc.status == 0);
        if (wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM)
            CHECK(wc.wr_id == 1 && wc.imm_data == htonl(77) && wc.byte_len == 5000 && wc.qp_num == b->qp_num);
        else if (wc.opcode == IBV_WC_RECV)
            CHECK(wc.wr_id == 2 && wc.byte_len == 2500 && memcmp(places[2], sent, 2500) == 0);
    }
    CHECK(memcmp(received, sent, 5000) == 0);
    /* With an empty queue a datagram is dropped. */
    wr = send_of(24, IBV_WR_SEND, NULL);
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = datagrams[1]->qp_num;
    wr.wr.ud.remote_qkey = 7;
    CHECK(ibv_post_send(datagrams[0], &wr, &bad) == 0);
    expect(cq, 24, IBV_WC_SUCCESS);
    expect_none(cq);
    CHECK(ibv_destroy_ah(ah) == 0 && ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
    CHECK(ibv_destroy_qp(datagrams[0]) == 0 && ibv_destroy_qp(datagrams[1]) == 0);
}

static uint32_t limit_of(struct ibv_srq *srq)
{
    struct ibv_srq_attr attributes;
    CHECK(ibv_query_srq(srq, &attributes) == 0);
    return attributes.srq_limit;
}

/* The event comes once, when fewer requests are left than the limit; or at once if fewer are left already. */
static void limits(struct ibv_srq *srq)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_sharing(srq, IBV_QPT_RC);
    struct ibv_srq_attr limit = { .srq_limit = 3 };
    connect_pairs(a, b, 0);
    for (int at = 0; at < 5; at++)
        CHECK(post_shared(srq, at) == 0);
    CHECK(ibv_modify_srq(srq, &limit, IBV_SRQ_LIMIT) == 0 && limit_of(srq) == 3);
    for (int at = 0; at < 4; at++) {
        CHECK(post_send(a, 10, sends, 0, 8) == 0);
        CHECK(completion(cq).status == 0 && completion(cq).status == 0);
        if (at == 2)
            CHECK(event_of(IBV_EVENT_SRQ_LIMIT_REACHED).element.srq == srq && limit_of(srq) == 0);
        else
            expect_no_event();
    }
    CHECK(srq->events_completed == 1);
    limit.srq_limit = 1;
    CHECK(ibv_modify_srq(srq, &limit, IBV_SRQ_LIMIT) == 0 && limit_of(srq) == 1);
    expect_no_event();
    limit.srq_limit = 2;
    CHECK(ibv_modify_srq(srq, &limit, IBV_SRQ_LIMIT) == 0 && limit_of(srq) == 0);
    CHECK(event_of(IBV_EVENT_SRQ_LIMIT_REACHED).element.srq == srq);
    CHECK(post_send(a, 10, sends, 0, 8) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* A connection that retries waits for a request; one that does not fails. */
static void runs_empty(struct ibv_srq *srq)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_sharing(srq, IBV_QPT_RC);
    connect_pairs(a, b, 0);
    CHECK(post_send(a, 1, sends, 0, 3000) == 0);
    expect_none(cq);
    CHECK(post_shared(srq, 2) == 0);
    expect(cq, 2, IBV_WC_SUCCESS);
    expect(cq, 1, IBV_WC_SUCCESS);
    CHECK(set_state(a, IBV_QPS_RESET) == 0 && set_state(b, IBV_QPS_RESET) == 0);
    struct ibv_qp_attr once = rts_of();
    once.rnr_retry = 0;
    to_init(a, 0);
    to_init(b, 0);
    to_receive(a, lid, b->qp_num);
    to_receive(b, lid, a->qp_num);
    CHECK(ibv_modify_qp(a, &once, RTS_MASK) == 0);
    CHECK(post_send(a, 3, sends, 0, 8) == 0);
    expect(cq, 3, IBV_WC_RNR_RETRY_EXC_ERR);
    expect_none(cq);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* A queue pair that has received in RTR goes on in RTS, also amid a message. */
static void goes_on(struct ibv_srq *srq)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_sharing(srq, IBV_QPT_RC);
    to_init(a, 0);
    to_init(b, 0);
    to_receive(b, lid, a->qp_num);
    to_receive(a, lid, b->qp_num);
    to_send(a);
    CHECK(post_shared(srq, 1) == 0 && post_piece(srq, 2, receives, LONG) == 0);
    CHECK(post_send(a, 3, sends, 0, 100) == 0);
    CHECK(completion(cq).status == 0 && completion(cq).status == 0);
    memset(received, 0, LONG);
    CHECK(post_send(a, 4, sends, 0, LONG) == 0);
    usleep(200);
    to_send(b);
    expect(cq, 2, IBV_WC_SUCCESS);
    expect(cq, 4, IBV_WC_SUCCESS);
    CHECK(memcmp(sent, received, LONG) == 0);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* A queue pair fails by itself, by a call, and amid a message. It gives back what it has taken, and no more; the other one
   goes on with the requests that are left. */
static void fails(struct ibv_srq *srq)
{
    struct ibv_qp *from[2], *to[2];
    for (int at = 0; at < 2; at++) {
        from[at] = new_pair(cq, IBV_QPT_RC);
        to[at] = new_sharing(srq, IBV_QPT_RC);
        connect_pairs(from[at], to[at], 0);
    }
    CHECK(post_piece(srq, 1, room, 4) == 0 && post_shared(srq, 2) == 0);
    CHECK(post_send(from[0], 3, sends, 0, 8) == 0);
    struct ibv_wc first = completion(cq), second = completion(cq);
    CHECK(first.wr_id + second.wr_id == 4 && first.status + second.status == IBV_WC_LOC_LEN_ERR + IBV_WC_REM_INV_REQ_ERR);
    CHECK(event_of(IBV_EVENT_QP_LAST_WQE_REACHED).element.qp == to[0] && state_of(to[0]) == IBV_QPS_ERR);
    expect_none(cq);
    CHECK(post_send(from[1], 4, sends, 0, 8) == 0);
    first = completion(cq), second = completion(cq);
    CHECK(first.wr_id + second.wr_id == 6 && first.status == 0 && second.status == 0);
    /* No request is taken, so none is flushed. */
    CHECK(post_shared(srq, 5) == 0 && set_state(to[1], IBV_QPS_ERR) == 0);
    CHECK(event_of(IBV_EVENT_QP_LAST_WQE_REACHED).element.qp == to[1]);
    expect_none(cq);
    for (int at = 0; at < 2; at++) {
        CHECK(set_state(from[at], IBV_QPS_RESET) == 0 && set_state(to[at], IBV_QPS_RESET) == 0);
        connect_pairs(from[at], to[at], 0);
    }
    CHECK(post_send(from[0], 6, sends, 0, 8) == 0);
    first = completion(cq), second = completion(cq);
    CHECK(first.wr_id + second.wr_id == 11 && first.status == 0 && second.status == 0);
    /* The message takes longer than 400 us. */
    CHECK(post_piece(srq, 7, receives, LONG) == 0 && post_shared(srq, 8) == 0 && post_send(from[0], 9, sends, 0, LONG) == 0);
    usleep(200);
    CHECK(set_state(to[0], IBV_QPS_ERR) == 0);
    expect(cq, 7, IBV_WC_WR_FLUSH_ERR);
    CHECK(event_of(IBV_EVENT_QP_LAST_WQE_REACHED).element.qp == to[0]);
    expect(cq, 9, IBV_WC_RETRY_EXC_ERR);
    CHECK(post_send(from[1], 10, sends, 0, 8) == 0);
    first = completion(cq), second = completion(cq);
    CHECK(first.wr_id + second.wr_id == 18 && first.status == 0 && second.status == 0);
    /* A queue pair that is destroyed amid a message gives back its place. */
    CHECK(post_piece(srq, 11, receives, LONG) == 0 && post_shared(srq, 12) == 0);
    CHECK(post_send(from[1], 13, sends, 0, LONG) == 0);
    usleep(200);
    CHECK(ibv_destroy_qp(to[1]) == 0);
    has_left(srq, 1);
    expect_no_event();
    CHECK(ibv_destroy_qp(from[0]) == 0 && ibv_destroy_qp(from[1]) == 0 && ibv_destroy_qp(to[0]) == 0);
}

int main(void)
{
    struct ibv_device_attr device;
    begin();
    CHECK(ibv_query_device(context, &device) == 0);
    CHECK(device.max_srq == 4 && device.max_srq_wr >= PLACES && device.max_srq_sge >= 3);
    cq = new_queue(256);
    sends = ibv_reg_mr(pd, sent, LONG, 0);
    receives = ibv_reg_mr(pd, received, LONG, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    room = ibv_reg_mr(pd, places, sizeof places, IBV_ACCESS_LOCAL_WRITE);
    CHECK(sends && receives && room);
    void (*const parts[])(struct ibv_srq *) = { refuses, interleaves, services, limits, runs_empty, goes_on, fails };
    for (unsigned at = 0; at < sizeof parts / sizeof *parts; at++) {
        struct ibv_srq *srq = new_shared(pd);
        parts[at](srq);
        CHECK(ibv_destroy_srq(srq) == 0);
    }
    CHECK(ibv_dereg_mr(sends) == 0 && ibv_dereg_mr(receives) == 0 && ibv_dereg_mr(room) == 0);
    CHECK(ibv_destroy_cq(cq) == 0);
    return end("shared_receives");
}
