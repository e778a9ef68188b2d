/* A message by TCP is seen whole or not at all, whether the peer blocks or looks again and again. */
#include "host.h"

#include <errno.h>

enum { ROUNDS = 60 };

static void sleep_us(double us)
{
    struct timespec time = {.tv_nsec = us * 1000};
    CHECK(nanosleep(&time, NULL) == 0);
}

/* Virtual time since the last tick, in us. */
static double since_tick(void)
{
    double us = now_us();
    return us - 100 * (long)(us / 100);
}

/* Two parts, which are one message of TCP or two. Programs send 2 to 4 us after a tick. */
static void send_parts(int fd, int round)
{
    /* From before a tick to behind it, as rounds go on. */
    sleep_us(93.3);
    CHECK(write(fd, &round, 2) == 2);
    double us = since_tick();
    CHECK(us >= 2 && us <= 4.2);
    CHECK(write(fd, (char *)&round + 2, 2) == 2);
}

/* Looks without blocking until the message is there; looks are not in the time of sends. */
static int look(int fd, int round)
{
    int looks = 0, message = 0;
    ssize_t bytes;
    while ((bytes = recv(fd, &message, sizeof message, MSG_DONTWAIT)) < 0) {
        CHECK(errno == EAGAIN);
        double us = since_tick();
        CHECK(us < 1 || us >= 6);
        sleep_us(0.3);
        looks++;
    }
    CHECK(bytes == sizeof message && message == round);
    return looks;
}

int main(int argc, char **argv)
{
    struct host host = open_connection(argc, argv);
    int looks = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int message = 0;
        if (!host.is_server) {
            send_parts(host.socket, round);
        } else if (round % 2) {
            looks += look(host.socket, round);
        } else {
            CHECK(read(host.socket, &message, sizeof message) == sizeof message && message == round);
        }
    }
    CHECK(!host.is_server || looks > ROUNDS);
    meet(&host);
    return end(&host, "sockets");
}
