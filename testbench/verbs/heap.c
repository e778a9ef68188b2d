/* The library keeps what it needs out of the program's heap: addresses there do not follow from what the library does. */
#include "check.h"

#include <malloc.h>

static char bytes[4096];
static struct mallinfo2 before;

static int heap_is_as_before(void)
{
    struct mallinfo2 now = mallinfo2();
    return memcmp(&now, &before, sizeof now) == 0;
}

static void make_and_destroy(int is_compared)
{
    begin();
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    struct ibv_mr *mr = ibv_reg_mr(pd, bytes, sizeof bytes, ALL_ACCESS);
    struct ibv_cq *cq = new_queue(64);
    struct ibv_qp *qp = new_pair(cq, IBV_QPT_RC);
    struct ibv_wc found;
    CHECK(channel && mr && ibv_poll_cq(cq, 1, &found) == 0 && usleep(10) == 0);
    CHECK(!is_compared || heap_is_as_before());
    CHECK(ibv_destroy_qp(qp) == 0 && ibv_destroy_cq(cq) == 0 && ibv_dereg_mr(mr) == 0);
    CHECK(ibv_destroy_comp_channel(channel) == 0 && ibv_dealloc_pd(pd) == 0 && ibv_close_device(context) == 0);
}

int main(void)
{
    /* The first time the loader keeps texts on the functions that it did not find. */
    make_and_destroy(0);
    before = mallinfo2();
    for (int round = 0; round < 20; round++) {
        make_and_destroy(1);
        CHECK(heap_is_as_before());
    }
    /* The list of devices alone is in the heap: qperf frees it as memory. */
    free(ibv_get_device_list(NULL));
    CHECK(heap_is_as_before());
    begin();
    return end("heap");
}
