/* RDMA between two hosts: what is written is seen in memory, what is read is what the peer has written there last, and what
   a key or a queue pair does not allow is refused. Arguments: server or client, port. */
#include "peer.h"

#define BYTES (1 << 20)

static unsigned char *memory;

static int post(enum ibv_wr_opcode opcode, uint64_t id, size_t offset, uint32_t bytes, uint64_t remote, uint32_t key)
{
    struct ibv_sge sge = { (uintptr_t)memory + offset, bytes, mr->lkey };
    struct ibv_send_wr wr = send_of(id, opcode, &sge), *bad;
    wr.wr.rdma.remote_addr = remote;
    wr.wr.rdma.rkey = key;
    wr.imm_data = htonl(77);
    return ibv_post_send(qp, &wr, &bad);
}

static unsigned char pattern(size_t at, int salt)
{
    return at * 7 + at / 251 + salt;
}

static void fill(size_t from, size_t bytes, int salt)
{
    for (size_t at = 0; at < bytes; at++)
        memory[from + at] = pattern(at, salt);
}

static int holds(size_t from, size_t bytes, int salt)
{
    for (size_t at = 0; at < bytes; at++)
        if (memory[from + at] != pattern(at, salt))
            return 0;
    return 1;
}

static void serve(void)
{
    struct ibv_wc wc;
    connect_peer(ALL_ACCESS);
    /* The last byte of a WRITE is seen without a completion. */
    volatile unsigned char *last = memory + BYTES / 2 - 1;
    while (*last != pattern(BYTES / 2 - 1, 1))
        CHECK(ibv_poll_cq(cq, 1, &wc) == 0);
    CHECK(holds(0, BYTES / 2, 1));
    CHECK(post_receive(qp, 5, mr, 0, 0) == 0);
    wc = expect(cq, 5, IBV_WC_SUCCESS);
    CHECK(wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM && wc.imm_data == htonl(77) && wc.byte_len == 3000);
    CHECK(wc.wc_flags & IBV_WC_WITH_IMM && holds(101, 3000, 2));
    /* Bytes that this program writes without a call are those that are read. */
    fill(7, 5000, 3);
    barrier(peer);
    barrier(peer);
    /* A wrong key breaks the connection at both ends, and flushes the receive request. */
    CHECK(post_receive(qp, 6, mr, 0, 8) == 0);
    barrier(peer);
    struct ibv_async_event event;
    CHECK(ibv_get_async_event(context, &event) == 0);
    CHECK(event.event_type == IBV_EVENT_QP_ACCESS_ERR && event.element.qp == qp);
    ibv_ack_async_event(&event);
    expect(cq, 6, IBV_WC_WR_FLUSH_ERR);
    CHECK(state_of(qp) == IBV_QPS_ERR);
    /* Beyond the region; a queue pair without the right to write; one without the right to read. */
    int accesses[] = { ALL_ACCESS, IBV_ACCESS_REMOTE_READ, IBV_ACCESS_REMOTE_WRITE, 0 };
    for (int at = 0; at < 4; at++) {
        barrier(peer);
        reset(accesses[at]);
        barrier(peer);
    }
    CHECK(holds(7, 5000, 3));
}

static void ask(void)
{
    connect_peer(ALL_ACCESS);
    fill(0, BYTES / 2, 1);
    CHECK(post(IBV_WR_RDMA_WRITE, 1, 0, BYTES / 2, theirs.address, theirs.key) == 0);
    CHECK(expect(cq, 1, IBV_WC_SUCCESS).opcode == IBV_WC_RDMA_WRITE);
    fill(0, 3000, 2);
    CHECK(post(IBV_WR_RDMA_WRITE_WITH_IMM, 2, 0, 3000, theirs.address + 101, theirs.key) == 0);
    expect(cq, 2, IBV_WC_SUCCESS);
    barrier(peer);
    CHECK(post(IBV_WR_RDMA_READ, 3, 50, 5000, theirs.address + 7, theirs.key) == 0);
    struct ibv_wc wc = expect(cq, 3, IBV_WC_SUCCESS);
    CHECK(wc.opcode == IBV_WC_RDMA_READ && holds(50, 5000, 3));
    CHECK(post(IBV_WR_RDMA_WRITE, 4, 0, 0, 0, 0) == 0);
    expect(cq, 4, IBV_WC_SUCCESS);
    barrier(peer);
    barrier(peer);
    CHECK(post(IBV_WR_RDMA_WRITE, 5, 0, 8, theirs.address, theirs.key + 0x1000) == 0);
    CHECK(post(IBV_WR_SEND, 6, 0, 8, 0, 0) == 0);
    expect(cq, 5, IBV_WC_REM_ACCESS_ERR);
    expect(cq, 6, IBV_WC_WR_FLUSH_ERR);
    CHECK(state_of(qp) == IBV_QPS_ERR);
    struct {
        enum ibv_wr_opcode opcode;
        uint64_t offset;
    } refused[] = { { IBV_WR_RDMA_WRITE, BYTES - 4 }, { IBV_WR_RDMA_WRITE, 0 }, { IBV_WR_RDMA_READ, 0 },
                    { IBV_WR_RDMA_WRITE, 0 } };
    for (int at = 0; at < 4; at++) {
        barrier(peer);
        reset(ALL_ACCESS);
        CHECK(post(refused[at].opcode, 7, 0, 8, theirs.address + refused[at].offset, theirs.key) == 0);
        expect(cq, 7, IBV_WC_REM_ACCESS_ERR);
        barrier(peer);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    int is_server = argv[1][0] == 's';
    memory = malloc(BYTES);
    CHECK(memory);
    memset(memory, 0, BYTES);
    begin_peer(is_server, argv[2], memory, BYTES, ALL_ACCESS);
    if (is_server)
        serve();
    else
        ask();
    return end_peer("rdma");
}
