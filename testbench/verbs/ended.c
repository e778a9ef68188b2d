/* The peer ends without a word: its queue pairs are gone, and requests for it fail. Arguments: server or client, port. */
#include "check.h"

static char bytes[64];

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    begin();
    int is_server = argv[1][0] == 's', peer = meet(is_server, atoi(argv[2]));
    struct ibv_mr *mr = ibv_reg_mr(pd, bytes, sizeof bytes, ALL_ACCESS);
    struct ibv_cq *cq = new_queue(16);
    struct ibv_qp *qp = new_pair(cq, IBV_QPT_RC);
    uint32_t mine[2] = { qp->qp_num, lid }, theirs[2];
    CHECK(mr);
    exchange(peer, mine, theirs, sizeof mine);
    to_init(qp, ALL_ACCESS);
    to_receive(qp, theirs[1], theirs[0]);
    to_send(qp);
    barrier(peer);
    if (is_server)
        return 0;
    char none;
    CHECK(read(peer, &none, 1) == 0);
    usleep(1000);
    CHECK(post_send(qp, 1, mr, 0, 8) == 0);
    expect(cq, 1, IBV_WC_RETRY_EXC_ERR);
    CHECK(ibv_destroy_qp(qp) == 0 && ibv_destroy_cq(cq) == 0 && ibv_dereg_mr(mr) == 0);
    return end("ended");
}
