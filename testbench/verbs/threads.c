/* A thread that waits for an event does not hold up the one that posts. */
#include "host.h"

#include <pthread.h>

enum { MESSAGES = 10 };

static struct host host;
static int received;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *receive(void *unused)
{
    struct ibv_wc found;
    struct ibv_cq *queue;
    void *context;
    while (received < MESSAGES) {
        CHECK(ibv_req_notify_cq(host.queue, 0) == 0);
        while (ibv_poll_cq(host.queue, 1, &found) == 1) {
            CHECK(found.status == IBV_WC_SUCCESS);
            if (found.opcode == IBV_WC_RECV) {
                pthread_mutex_lock(&mutex);
                received++;
                pthread_cond_signal(&changed);
                pthread_mutex_unlock(&mutex);
            }
        }
        if (received < MESSAGES) {
            CHECK(ibv_get_cq_event(host.channel, &queue, &context) == 0);
            ibv_ack_cq_events(queue, 1);
        }
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    host = open_connection(argc, argv);
    for (int count = 0; count < MESSAGES; count++)
        post_receive(&host);
    meet(&host);
    CHECK(pthread_create(&thread, NULL, receive, NULL) == 0);
    for (int count = 0; count < MESSAGES; count++) {
        post_send(&host, 8);
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += 1;
        pthread_mutex_lock(&mutex);
        while (received <= count)
            CHECK(pthread_cond_timedwait(&changed, &mutex, &deadline) == 0);
        pthread_mutex_unlock(&mutex);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    meet(&host);
    return end(&host, "threads");
}
