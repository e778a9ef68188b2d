/* A look at an empty completion queue takes the time of one look, however many there are and whatever is between them. */
#include "host.h"

enum { ROUNDS = 20 };

/* Round trip, in us: the client looks `others` times at another queue for each look at the one that gets messages. */
static double round_trip(struct host *host, struct ibv_cq *other, int others)
{
    struct ibv_wc found;
    double begin = now_us();
    for (int round = 0; round < ROUNDS; round++) {
        /* One receive request is always there before its message. */
        post_receive(host);
        if (host->is_server) {
            completion(host->queue);
            post_send(host, 8);
            completion(host->queue);
        } else {
            post_send(host, 8);
            for (int left = 2; left > 0;) {
                for (int look = 0; look < others; look++)
                    CHECK(ibv_poll_cq(other, 1, &found) == 0);
                left -= ibv_poll_cq(host->queue, 1, &found);
            }
        }
    }
    return (now_us() - begin) / ROUNDS;
}

int main(int argc, char **argv)
{
    struct host host = open_connection(argc, argv);
    struct ibv_cq *other = ibv_create_cq(host.context, ENTRIES, NULL, NULL, 0);
    struct ibv_wc found;
    CHECK(other);
    post_receive(&host);
    meet(&host);
    for (int look = 0; look < 100; look++) {
        double begin = now_us();
        CHECK(ibv_poll_cq(host.queue, 1, &found) == 0);
        /* The clock takes 0.1 us. */
        CHECK(lasts(now_us() - begin, 0.110, 0.001));
    }
    double begin = now_us();
    for (int look = 0; look < 10000; look++)
        CHECK(ibv_poll_cq(look % 2 ? host.queue : other, 1, &found) == 0);
    CHECK(lasts(now_us() - begin, 100.1, 0.001));
    double us[3];
    for (int others = 0; others < 3; others++) {
        meet(&host);
        us[others] = round_trip(&host, other, others);
        if (!host.is_server)
            printf("%d looks at another queue: %.3f us\n", others, us[others]);
    }
    /* The rounds differ by a few looks of 10 ns each. */
    CHECK(us[1] < us[0] + 0.1 && us[2] < us[0] + 0.1 && us[0] < us[2] + 0.1);
    meet(&host);
    return end(&host, "looks");
}
