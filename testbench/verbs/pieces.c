/* Requests of many buffers, inline data, addresses with a global route, and queues that grow. One host. */
#include "check.h"

#define PIECES 16

static char bytes[16384];

static char letter(int at)
{
    return 'a' + at % 26;
}

/* Sixteen buffers of different lengths, and as many on the other side, of other lengths. */
static void many(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    struct ibv_sge from[PIECES], to[PIECES];
    int total = 0;
    connect_pairs(a, b, ALL_ACCESS);
    for (int at = 0; at < PIECES; at++) {
        from[at] = (struct ibv_sge){ (uintptr_t)bytes + 200 * at + at, at == 3 ? 0 : 10 + 9 * at, mr->lkey };
        to[at] = (struct ibv_sge){ (uintptr_t)bytes + 8192 + 200 * at, at == 5 ? 0 : 170 - 9 * at, mr->lkey };
        total += from[at].length;
    }
    for (int round = 0; round < 40; round++) {
        int done = 0;
        memset(bytes, 0, sizeof bytes);
        for (int at = 0; at < PIECES; at++)
            for (uint32_t byte = 0; byte < from[at].length; byte++)
                ((char *)(uintptr_t)from[at].addr)[byte] = letter(done++ + round);
        struct ibv_recv_wr receive = { .wr_id = 1, .sg_list = to, .num_sge = PIECES }, *bad_receive;
        struct ibv_send_wr send = send_of(2, IBV_WR_SEND, from), *bad;
        send.num_sge = PIECES;
        CHECK(ibv_post_recv(b, &receive, &bad_receive) == 0 && ibv_post_send(a, &send, &bad) == 0);
        struct ibv_wc first = completion(cq), second = completion(cq);
        CHECK(first.status == 0 && second.status == 0 && (first.byte_len == (uint32_t)total || second.byte_len == (uint32_t)total));
        int at = 0, byte = 0;
        for (done = 0; done < total; done++) {
            while (byte == (int)to[at].length)
                at++, byte = 0;
            CHECK(((char *)(uintptr_t)to[at].addr)[byte++] == letter(done + round));
        }
    }
    /* The pieces of a READ, which asks for no completion, are there when the next request is complete. */
    struct ibv_send_wr last = send_of(4, IBV_WR_RDMA_WRITE, NULL);
    struct ibv_send_wr read = send_of(3, IBV_WR_RDMA_READ, to), *bad;
    read.num_sge = 3;
    read.send_flags = 0;
    read.next = &last;
    read.wr.rdma.remote_addr = (uintptr_t)bytes;
    read.wr.rdma.rkey = mr->rkey;
    strcpy(bytes, "read into three pieces");
    memset(bytes + 8192, 0, 600);
    to[0].length = 5, to[1].length = 9, to[2].length = 9;
    CHECK(ibv_post_send(a, &read, &bad) == 0);
    expect(cq, 4, IBV_WC_SUCCESS);
    CHECK(!strcmp(bytes + 8192, "read ") && !strcmp(bytes + 8392, "into thre") && !strcmp(bytes + 8592, "e pieces"));
    /* One piece with a wrong key is one too many. */
    from[7].lkey += 0x1000;
    struct ibv_send_wr wrong = send_of(5, IBV_WR_SEND, from);
    wrong.num_sge = PIECES;
    CHECK(ibv_post_send(a, &wrong, &bad) == 0);
    expect(cq, 5, IBV_WC_LOC_PROT_ERR);
    wrong.num_sge = PIECES + 1;
    CHECK(ibv_post_send(b, &wrong, &bad) == EINVAL && bad == &wrong);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* Inline data need no key and may change after the call. */
static void inline_data(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    char data[221];
    connect_pairs(a, b, ALL_ACCESS);
    for (int round = 0; round < 100; round++) {
        memset(data, letter(round), sizeof data);
        struct ibv_sge sge[2] = { { (uintptr_t)data, 100, 0 }, { (uintptr_t)data + 100, 120, 0 } };
        struct ibv_send_wr send = send_of(2, round & 1 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE_WITH_IMM, sge), *bad;
        send.num_sge = 2;
        send.send_flags = IBV_SEND_INLINE | (round % 8 == 7 ? IBV_SEND_SIGNALED : 0);
        send.wr.rdma.remote_addr = (uintptr_t)bytes;
        send.wr.rdma.rkey = mr->rkey;
        CHECK(post_receive(b, 1, mr, 0, 256) == 0 && ibv_post_send(a, &send, &bad) == 0);
        memset(data, 0, sizeof data);
        int sent = 0, received = 0;
        while (!received || (round % 8 == 7 && !sent)) {
            struct ibv_wc wc = completion(cq);
            CHECK(wc.status == 0);
            wc.wr_id == 1 ? received++ : sent++;
        }
        CHECK(bytes[0] == letter(round) && bytes[219] == letter(round));
        sge[1].length = 121;
        CHECK(ibv_post_send(a, &send, &bad) == EINVAL);
    }
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0);
}

/* A GID of the table leads to the port of the LID, for connections and datagrams. */
static void global_routes(struct ibv_cq *cq, struct ibv_mr *mr)
{
    struct ibv_port_attr port;
    union ibv_gid gid;
    CHECK(ibv_query_port(context, 1, &port) == 0 && port.gid_tbl_len == 8);
    CHECK(ibv_query_gid(context, 1, 0, &gid) == 0 && ibv_query_gid(context, 1, 8, &gid) != 0);
    struct ibv_ah_attr address = { .dlid = lid, .port_num = 1, .is_global = 1,
                                   .grh = { .dgid = gid, .sgid_index = 1, .hop_limit = 1 } };
    CHECK(ibv_create_ah(pd, &address) == NULL && errno == EINVAL);
    address.grh.sgid_index = 0;
    struct ibv_ah *ah = ibv_create_ah(pd, &address);
    CHECK(ah);
    struct ibv_qp *qp = new_pair(cq, IBV_QPT_UD), *connection = new_pair(cq, IBV_QPT_RC);
    to_init(connection, 0);
    struct ibv_qp_attr receive = rtr_of(lid, connection->qp_num);
    receive.ah_attr = address;
    CHECK(ibv_modify_qp(connection, &receive, RTR_MASK) == 0);
    struct ibv_qp_attr attributes = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 7 };
    CHECK(ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY) == 0);
    CHECK(set_state(qp, IBV_QPS_RTR) == 0);
    attributes = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS };
    CHECK(ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0);
    /* The 40 bytes of a route header and the data go to two buffers. */
    struct ibv_sge to[2] = { { (uintptr_t)bytes + 4096, 40, mr->lkey }, { (uintptr_t)bytes + 5000, 100, mr->lkey } };
    struct ibv_recv_wr wr = { .wr_id = 1, .sg_list = to, .num_sge = 2 }, *bad_receive;
    struct ibv_sge from = { (uintptr_t)bytes, 9, mr->lkey };
    struct ibv_send_wr send = send_of(2, IBV_WR_SEND, &from), *bad;
    send.wr.ud.ah = ah;
    send.wr.ud.remote_qpn = qp->qp_num;
    send.wr.ud.remote_qkey = 7;
    strcpy(bytes, "datagram");
    CHECK(ibv_post_recv(qp, &wr, &bad_receive) == 0 && ibv_post_send(qp, &send, &bad) == 0);
    struct ibv_wc first = completion(cq), second = completion(cq);
    CHECK(first.status == 0 && second.status == 0 && !strcmp(bytes + 5000, "datagram"));
    send.opcode = IBV_WR_RDMA_WRITE;
    CHECK(ibv_post_send(qp, &send, &bad) == EINVAL);
    CHECK(ibv_destroy_ah(ah) == 0 && ibv_destroy_qp(qp) == 0 && ibv_destroy_qp(connection) == 0);
}

/* A queue keeps its completions when it gets another size. */
static void sizes(struct ibv_mr *mr)
{
    struct ibv_cq *cq = new_queue(10);
    struct ibv_qp *a = new_pair(cq, IBV_QPT_RC), *b = new_pair(cq, IBV_QPT_RC);
    connect_pairs(a, b, 0);
    for (int round = 0; round < 3; round++) {
        for (int at = 0; at < 20; at++)
            CHECK(post_receive(b, 1, mr, 0, 8) == 0 && post_send(a, 2, mr, 64, 8) == 0);
        usleep(20 * (round + 1));
        CHECK(ibv_resize_cq(cq, round == 1 ? 50 : 1000) == 0 && cq->cqe >= (round == 1 ? 50 : 1000));
        for (int at = 0; at < 40; at++)
            CHECK(completion(cq).status == 0);
        expect_none(cq);
    }
    CHECK(ibv_resize_cq(cq, 0) == EINVAL && ibv_resize_cq(cq, 1 << 20) == EINVAL);
    CHECK(ibv_destroy_qp(a) == 0 && ibv_destroy_qp(b) == 0 && ibv_destroy_cq(cq) == 0);
}

int main(void)
{
    struct ibv_device_attr limits;
    begin();
    CHECK(ibv_query_device(context, &limits) == 0 && limits.max_sge >= PIECES && limits.max_qp_rd_atom == 16);
    struct ibv_cq *cq = new_queue(64);
    struct ibv_mr *mr = ibv_reg_mr(pd, bytes, sizeof bytes, ALL_ACCESS);
    CHECK(mr);
    many(cq, mr);
    inline_data(cq, mr);
    global_routes(cq, mr);
    sizes(mr);
    CHECK(ibv_dereg_mr(mr) == 0 && ibv_destroy_cq(cq) == 0);
    return end("pieces");
}
