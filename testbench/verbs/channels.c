/* Descriptors of completion channels become ready in poll, select and epoll; reads of those that do not block fail. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* Blocks until the channel has an event, in the way of this number. */
static void wait_for_event(int fd, int way)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    struct epoll_event event = {.events = EPOLLIN};
    fd_set set;
    int epoll;
    switch (way) {
    case 0:
        CHECK(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
        break;
    case 1:
        CHECK(poll(&wanted, 1, 1000) == 1);
        break;
    case 2:
        FD_ZERO(&set);
        FD_SET(fd, &set);
        CHECK(select(fd + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &set));
        break;
    default:
        epoll = epoll_create1(0);
        CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
        CHECK(epoll_wait(epoll, &event, 1, -1) == 1 && event.events == EPOLLIN);
        close(epoll);
    }
}

static void get_event(struct host *host)
{
    struct ibv_cq *queue;
    void *context;
    CHECK(ibv_get_cq_event(host->channel, &queue, &context) == 0 && queue == host->queue);
    ibv_ack_cq_events(queue, 1);
    /* There is no second one. */
    struct pollfd wanted = {.fd = host->channel->fd, .events = POLLIN};
    CHECK(poll(&wanted, 1, 0) == 0);
}

int main(int argc, char **argv)
{
    struct host host = open_connection(argc, argv);
    for (int way = 0; way < 4; way++) {
        post_receive(&host);
        meet(&host);
        if (host.is_server) {
            CHECK(ibv_req_notify_cq(host.queue, 0) == 0);
            double begin = now_us();
            wait_for_event(host.channel->fd, way);
            /* The peer sleeps for 500 us and sends; the message and its event take 20 us. */
            double us = now_us() - begin;
            CHECK(us > 400 && us < 800);
            get_event(&host);
            CHECK(completion(host.queue).opcode == IBV_WC_RECV);
            post_send(&host, 8);
            CHECK(completion(host.queue).opcode == IBV_WC_SEND);
        } else {
            usleep(500);
            post_send(&host, 8);
            int sent = completion(host.queue).opcode, received = completion(host.queue).opcode;
            CHECK(sent == IBV_WC_SEND && received == IBV_WC_RECV);
        }
    }
    struct ibv_cq *queue;
    void *context;
    CHECK(fcntl(host.channel->fd, F_SETFL, O_NONBLOCK) == 0);
    CHECK(ibv_get_cq_event(host.channel, &queue, &context) == -1 && errno == EAGAIN);
    post_receive(&host);
    meet(&host);
    CHECK(ibv_req_notify_cq(host.queue, 0) == 0);
    post_send(&host, 8);
    int looks = 0;
    while (ibv_get_cq_event(host.channel, &queue, &context) != 0) {
        CHECK(errno == EAGAIN);
        usleep(1);
        looks++;
    }
    CHECK(looks > 5 && queue == host.queue);
    ibv_ack_cq_events(queue, 1);
    completion(host.queue);
    completion(host.queue);
    meet(&host);
    return end(&host, "channels");
}
