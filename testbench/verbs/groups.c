/* Multicast groups: each attached queue pair gets a datagram once, that of the sender too, until it is detached; and what
   is refused. `server PORT` and `client PORT`. */
#include "check.h"

enum { BUFFER = 256, BUFFERS = 16, ROUTE = 40, Q_KEY = 0x1234 };
/* LID of the group, and the destination of datagrams for all groups. */
enum { GROUP = 0xc003, ALL_MEMBERS = 0xffffff };

static char buffers[BUFFER * (BUFFERS + 1)];
static struct ibv_mr *region;

static void to_datagrams(struct ibv_qp *qp)
{
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = Q_KEY };
    CHECK(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY) == 0);
    CHECK(set_state(qp, IBV_QPS_RTR) == 0);
    struct ibv_qp_attr send = { .qp_state = IBV_QPS_RTS };
    CHECK(ibv_modify_qp(qp, &send, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0);
}

/* Sends the text behind the last buffer, and waits until it has left. */
static void send_datagram(struct ibv_qp *qp, struct ibv_ah *ah, uint32_t pair, const char *text)
{
    char *at = buffers + BUFFER * BUFFERS;
    strcpy(at, text);
    struct ibv_sge sge = { (uintptr_t)at, strlen(text) + 1, region->lkey };
    struct ibv_send_wr wr = send_of(99, IBV_WR_SEND, &sge), *bad;
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = pair;
    wr.wr.ud.remote_qkey = Q_KEY;
    CHECK(ibv_post_send(qp, &wr, &bad) == 0);
    expect(qp->send_cq, 99, IBV_WC_SUCCESS);
}

/* The next datagram, which is this text for this queue pair. */
static struct ibv_wc expect_datagram(struct ibv_qp *qp, const char *text)
{
    struct ibv_wc wc = completion(qp->recv_cq);
    CHECK(wc.status == IBV_WC_SUCCESS && wc.opcode == IBV_WC_RECV && wc.qp_num == qp->qp_num);
    CHECK(wc.byte_len == ROUTE + strlen(text) + 1);
    CHECK(strcmp(buffers + BUFFER * wc.wr_id + ROUTE, text) == 0);
    return wc;
}

static struct ibv_qp *one, *other;
static const union ibv_gid gid = { .raw = { 0xff, 0x12, [15] = 3 } }, second = { .raw = { 0xff, 0x12, [15] = 4 } };

static struct ibv_qp *new_datagrams(int first)
{
    struct ibv_qp *qp = new_pair(new_queue(64), IBV_QPT_UD);
    to_datagrams(qp);
    for (int at = first; at < first + BUFFERS / 2; at++)
        CHECK(post_receive(qp, at, region, BUFFER * at, BUFFER) == 0);
    return qp;
}

static void delivery(int peer, int is_server)
{
    struct ibv_ah_attr to = { .dlid = GROUP, .port_num = 1, .is_global = 1, .grh = { .dgid = gid } };
    struct ibv_ah *ah = ibv_create_ah(pd, &to);
    CHECK(ah);
    CHECK(ibv_attach_mcast(one, &gid, GROUP) == 0 && ibv_attach_mcast(other, &gid, GROUP) == 0);
    /* Attached twice is attached once. */
    CHECK(ibv_attach_mcast(one, &gid, GROUP) == 0);
    barrier(peer);
    if (!is_server)
        send_datagram(one, ah, ALL_MEMBERS, "to all");
    struct ibv_wc found = expect_datagram(one, "to all");
    CHECK(found.slid != 0 && (found.slid == lid) == !is_server);
    expect_datagram(other, "to all");
    expect_none(one->recv_cq);
    expect_none(other->recv_cq);
    barrier(peer);
    /* The other queue pair of the server stays while one of its GIDs is attached. */
    if (is_server) {
        CHECK(ibv_detach_mcast(one, &gid, GROUP) == 0 && ibv_attach_mcast(other, &second, GROUP) == 0);
        CHECK(ibv_detach_mcast(other, &gid, GROUP) == 0);
    }
    barrier(peer);
    if (!is_server)
        send_datagram(other, ah, ALL_MEMBERS, "to some");
    expect_datagram(other, "to some");
    if (is_server)
        expect_none(one->recv_cq);
    else
        expect_datagram(one, "to some");
    barrier(peer);
    CHECK(ibv_destroy_qp(other) == EBUSY);
    CHECK(ibv_detach_mcast(other, is_server ? &second : &gid, GROUP) == 0);
    if (!is_server)
        CHECK(ibv_detach_mcast(one, &gid, GROUP) == 0);
    barrier(peer);
    if (!is_server)
        send_datagram(one, ah, ALL_MEMBERS, "to none");
    expect_none(one->recv_cq);
    expect_none(other->recv_cq);
    CHECK(ibv_destroy_ah(ah) == 0);
}

static void refused(void)
{
    struct ibv_device_attr limits;
    CHECK(ibv_query_device(context, &limits) == 0 && limits.max_mcast_grp == 16);
    CHECK(limits.max_mcast_qp_attach >= 2 && limits.max_total_mcast_qp_attach >= limits.max_mcast_qp_attach);
    struct ibv_qp *connection = new_pair(one->recv_cq, IBV_QPT_RC);
    union ibv_gid port = { .raw = { 0xfe, 0x80, [15] = 1 } };
    CHECK(ibv_attach_mcast(connection, &gid, GROUP) == EINVAL);
    CHECK(ibv_attach_mcast(one, &port, GROUP) == EINVAL);
    CHECK(ibv_attach_mcast(one, &gid, lid) == EINVAL && ibv_attach_mcast(one, &gid, 0xbfff) == EINVAL);
    CHECK(ibv_attach_mcast(one, &gid, 0xffff) == EINVAL);
    /* The LID after that of the last group. */
    CHECK(ibv_attach_mcast(one, &gid, 0xc010) == ENOMEM);
    CHECK(ibv_attach_mcast(one, &gid, 0xc00f) == 0 && ibv_detach_mcast(one, &gid, 0xc00f) == 0);
    CHECK(ibv_detach_mcast(one, &gid, 0xc00f) == EINVAL && ibv_detach_mcast(one, &second, GROUP) == EINVAL);
    CHECK(ibv_destroy_qp(connection) == 0);
}

static void destroy(struct ibv_qp *qp)
{
    struct ibv_cq *cq = qp->recv_cq;
    CHECK(ibv_destroy_qp(qp) == 0 && ibv_destroy_cq(cq) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    int is_server = argv[1][0] == 's';
    begin();
    int peer = meet(is_server, atoi(argv[2]));
    region = ibv_reg_mr(pd, buffers, sizeof buffers, IBV_ACCESS_LOCAL_WRITE);
    CHECK(region);
    one = new_datagrams(0);
    other = new_datagrams(BUFFERS / 2);
    delivery(peer, is_server);
    refused();
    barrier(peer);
    destroy(one);
    destroy(other);
    CHECK(ibv_dereg_mr(region) == 0);
    return end("groups");
}
