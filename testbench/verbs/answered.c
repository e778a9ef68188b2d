/* A rank whose launcher computes before it answers in a pipe: the rank waits, and does not spin on memory meanwhile. */
#include "host.h"

int main(void)
{
    char memory[BYTES], byte;
    struct ibv_context *context = open_device();
    struct ibv_pd *domain = ibv_alloc_pd(context);
    CHECK(domain);
    struct ibv_mr *region =
        ibv_reg_mr(domain, memory, BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    CHECK(region);
    double begin = now_us();
    CHECK(read(STDIN_FILENO, &byte, 1) == 1);
    /* A program that spins on memory waits for the adapter, 1 ms. */
    CHECK(lasts(now_us() - begin, 0, 500));
    CHECK(ibv_dereg_mr(region) == 0 && ibv_dealloc_pd(domain) == 0 && ibv_close_device(context) == 0);
    puts("answered: right");
    return 0;
}
