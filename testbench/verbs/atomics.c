/* Atomic operations between two hosts: the original value comes back, the new one is in the peer's memory, and what the
   alignment, a key or a queue pair does not allow is refused. Arguments: server or client, port. */
#include "check.h"

#define ADDS 20
#define RIGHTS (ALL_ACCESS | IBV_ACCESS_REMOTE_ATOMIC)

struct place {
    uint64_t address;
    uint32_t key, pair;
    uint16_t lid;
};

static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct ibv_mr *mr;
static struct place theirs;
static uint64_t *memory;
static int peer;

static void connect_peer(int access)
{
    struct place mine = { (uintptr_t)memory, mr->rkey, qp->qp_num, lid };
    exchange(peer, &mine, &theirs, sizeof mine);
    to_init(qp, access);
    to_receive(qp, theirs.lid, theirs.pair);
    to_send(qp);
    barrier(peer);
}

/* An atomic operation on a byte of the peer's memory; its result comes into word 1. */
static int post(enum ibv_wr_opcode opcode, uint64_t id, uint32_t bytes, size_t offset, uint64_t first, uint64_t second)
{
    struct ibv_sge sge = { (uintptr_t)(memory + 1), bytes, mr->lkey };
    struct ibv_send_wr wr = send_of(id, opcode, &sge), *bad;
    wr.wr.atomic.remote_addr = theirs.address + offset;
    wr.wr.atomic.rkey = theirs.key;
    wr.wr.atomic.compare_add = first;
    wr.wr.atomic.swap = second;
    return ibv_post_send(qp, &wr, &bad);
}

static uint64_t fetch_add(uint64_t id, uint64_t value)
{
    CHECK(post(IBV_WR_ATOMIC_FETCH_AND_ADD, id, 8, 0, value, 99) == 0);
    struct ibv_wc wc = expect(cq, id, IBV_WC_SUCCESS);
    CHECK(wc.opcode == IBV_WC_FETCH_ADD && wc.byte_len == 8);
    return memory[1];
}

static uint64_t compare_swap(uint64_t id, uint64_t compare, uint64_t swap)
{
    CHECK(post(IBV_WR_ATOMIC_CMP_AND_SWP, id, 8, 0, compare, swap) == 0);
    struct ibv_wc wc = expect(cq, id, IBV_WC_SUCCESS);
    CHECK(wc.opcode == IBV_WC_COMP_SWAP && wc.byte_len == 8);
    return memory[1];
}

static void reset(int access)
{
    CHECK(set_state(qp, IBV_QPS_RESET) == 0);
    connect_peer(access);
}

/* Refused requests: bytes of the buffer, place at the peer, rights of its queue pair, and the status. */
static const struct {
    uint32_t bytes;
    size_t offset;
    int access;
    enum ibv_wc_status status;
} refused[] = {
    { 8, 4, RIGHTS, IBV_WC_REM_INV_REQ_ERR },
    { 8, 0, ALL_ACCESS, IBV_WC_REM_ACCESS_ERR },
    { 8, 4096, RIGHTS, IBV_WC_REM_ACCESS_ERR },
    { 4, 0, RIGHTS, IBV_WC_LOC_LEN_ERR },
};

static void refuse(int is_server)
{
    for (size_t at = 0; at < sizeof refused / sizeof *refused; at++) {
        reset(is_server ? refused[at].access : RIGHTS);
        if (!is_server) {
            CHECK(post(IBV_WR_ATOMIC_FETCH_AND_ADD, at, refused[at].bytes, refused[at].offset, 1, 0) == 0);
            expect(cq, at, refused[at].status);
        }
        barrier(peer);
    }
}

/* The client adds to the word of the server, and then replaces it. */
static void add(int is_server)
{
    struct ibv_device_attr limits;
    CHECK(ibv_query_device(context, &limits) == 0 && limits.atomic_cap == IBV_ATOMIC_HCA);
    CHECK(limits.max_qp_rd_atom >= 1 && limits.max_qp_init_rd_atom >= 1);
    connect_peer(RIGHTS);
    if (is_server) {
        barrier(peer);
        CHECK(memory[0] == 0x1122334455667788 + ADDS * 0x100000000);
        barrier(peer);
        barrier(peer);
        CHECK(memory[0] == 42);
        return;
    }
    for (uint64_t at = 0; at < ADDS; at++)
        CHECK(fetch_add(at, 0x100000000) == 0x1122334455667788 + at * 0x100000000UL);
    barrier(peer);
    barrier(peer);
    uint64_t now = 0x1122334455667788 + ADDS * 0x100000000;
    CHECK(compare_swap(50, now + 1, 41) == now);
    CHECK(compare_swap(51, now, 42) == now);
    CHECK(compare_swap(52, now, 43) == 42);
    barrier(peer);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    int is_server = argv[1][0] == 's';
    begin();
    peer = meet(is_server, atoi(argv[2]));
    memory = aligned_alloc(4096, 4096);
    CHECK(memory);
    memset(memory, 0, 4096);
    memory[0] = 0x1122334455667788;
    mr = ibv_reg_mr(pd, memory, 4096, RIGHTS);
    CHECK(mr);
    cq = new_queue(64);
    qp = new_pair(cq, IBV_QPT_RC);
    add(is_server);
    refuse(is_server);
    CHECK(memory[0] == (is_server ? 42 : 0x1122334455667788));
    CHECK(ibv_destroy_qp(qp) == 0 && ibv_destroy_cq(cq) == 0 && ibv_dereg_mr(mr) == 0);
    return end("atomics");
}
