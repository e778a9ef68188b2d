/* Several threads of a rank in MPI at once (MPI_THREAD_MULTIPLE), and the ways in which threads wait for each other. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define MESSAGES 20

static MPI_Comm copies[THREADS];
static int peer, key;

/* Runs a function in THREADS threads, each with its number. */
static void all(void *(*run)(void *))
{
    pthread_t threads[THREADS];
    for (long number = 0; number < THREADS; number++)
        CHECK(pthread_create(&threads[number], NULL, run, (void *)number) == 0);
    for (long number = 0; number < THREADS; number++) {
        void *result;
        CHECK(pthread_join(threads[number], &result) == 0 && result == (void *)number);
    }
}

/* Each thread exchanges messages with the thread of its number. */
static void *exchange(void *number)
{
    int tag = (int)(long)number, flag;
    MPI_Is_thread_main(&flag);
    CHECK(!flag);
    for (int at = 0; at < MESSAGES; at++) {
        int in = -1, out = 1000 * rank + 100 * tag + at;
        MPI_Status status;
        MPI_Request request;
        if (rank < peer)
            MPI_Send(&out, 1, MPI_INT, peer, tag, MPI_COMM_WORLD);
        MPI_Irecv(&in, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &request);
        if (rank > peer)
            MPI_Ssend(&out, 1, MPI_INT, peer, tag, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        CHECK(in == 1000 * peer + 100 * tag + at && status.MPI_TAG == tag && status.MPI_SOURCE == peer);
    }
    return number;
}

/* A thread waits in a receive; another one of the same rank sends to it. */
static void *wait_for_self(void *number)
{
    int in = -1, out = 7;
    if ((long)number % 2)
        MPI_Send(&out, 1, MPI_INT, 0, (int)(long)number - 1, MPI_COMM_SELF);
    else
        MPI_Recv(&in, 1, MPI_INT, 0, (int)(long)number, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK((long)number % 2 || in == 7);
    return number;
}

/* Each thread makes communicators and uses them. */
static void *collective(void *number)
{
    MPI_Comm own = copies[(long)number], twin, half;
    for (int at = 0; at < 3; at++) {
        int sum, one = 1, parts;
        MPI_Comm_dup(own, &twin);
        MPI_Comm_split(twin, rank % 2, rank, &half);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, twin);
        MPI_Comm_size(half, &parts);
        CHECK(sum == size && parts == (size + 1 - rank % 2) / 2);
        MPI_Barrier(half);
        MPI_Comm_free(&half);
        MPI_Comm_free(&twin);
    }
    return number;
}

static int received;

/* All threads match messages of one tag. Each message is received once. */
static void *match(void *number)
{
    for (int at = 0; at < MESSAGES; at++) {
        MPI_Message message;
        MPI_Status status;
        int flag = 0, value = -1, count;
        if (at % 2)
            MPI_Mprobe(peer, 99, MPI_COMM_WORLD, &message, &status);
        else
            while (!flag)
                MPI_Improbe(peer, 99, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 1);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        received += value;
    }
    return number;
}

static void *send_all(void *number)
{
    for (int at = 0; at < THREADS * MESSAGES; at++)
        MPI_Send(&at, 1, MPI_INT, peer, 99, MPI_COMM_WORLD);
    return number;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_spinlock_t spin;
static char order[THREADS + 1];
static int turn, last;

/* Mutex, condition, barrier, semaphore, spin lock and lock of readers: threads run in the order of their numbers. */
static void *synchronize(void *number)
{
    int own = (int)(long)number;
    pthread_mutex_lock(&lock);
    while (turn != THREADS - 1 - own)
        pthread_cond_wait(&changed, &lock);
    order[turn++] = (char)('0' + own);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        __atomic_add_fetch(&last, 1, __ATOMIC_SEQ_CST);
    sem_wait(&semaphore);
    pthread_rwlock_rdlock(&shared);
    pthread_spin_lock(&spin);
    MPI_Sendrecv(&own, 1, MPI_INT, 0, 50 + own, &own, 1, MPI_INT, 0, 50 + own, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_spin_unlock(&spin);
    pthread_rwlock_unlock(&shared);
    sem_post(&semaphore);
    return number;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Sleeps and time limits take virtual time, also while another thread is in a call. */
static void *sleep_in_virtual_time(void *number)
{
    double begin = now();
    if (number == 0) {
        int in;
        MPI_Recv(&in, 1, MPI_INT, 0, 60, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        CHECK(now() - begin > 0.003 && now() - begin < 0.0031);
    } else if ((long)number == 1) {
        usleep(3000);
        MPI_Send(&rank, 1, MPI_INT, 0, 60, MPI_COMM_SELF);
    } else if ((long)number == 2) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (until.tv_nsec + 2000000) / 1000000000;
        until.tv_nsec = (until.tv_nsec + 2000000) % 1000000000;
        pthread_mutex_lock(&lock);
        CHECK(pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT);
        pthread_mutex_unlock(&lock);
        CHECK(now() - begin > 0.002 && now() - begin < 0.0021);
    } else {
        usleep(1000);
        CHECK(now() - begin > 0.001 && now() - begin < 0.0011);
    }
    return number;
}

static volatile int told;

/* Loops that look and let others run. */
static void *spin_and_yield(void *number)
{
    if (number == 0)
        while (told < THREADS - 1)
            sched_yield();
    else if ((long)number == 1)
        while (pthread_mutex_trylock(&lock))
            ;
    if (number != 0)
        told = told + 1;
    if ((long)number == 1)
        pthread_mutex_unlock(&lock);
    return number;
}

static MPI_Request held;

static int nothing(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int freed(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancelled(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

/* One thread waits for a request that another one completes. All use the same attributes. */
static void *complete(void *number)
{
    int flag, *value;
    if (number == 0)
        MPI_Wait(&held, MPI_STATUS_IGNORE);
    MPI_Comm_set_attr(copies[(long)number], key, &copies[(long)number]);
    if ((long)number == 1)
        MPI_Grequest_complete(held);
    MPI_Comm_get_attr(copies[(long)number], key, &value, &flag);
    CHECK(flag && value == (int *)&copies[(long)number]);
    MPI_Comm_delete_attr(copies[(long)number], key);
    return number;
}

int main(int argc, char **argv)
{
    int provided, flag;
    pthread_t sender;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    MPI_Query_thread(&provided);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    MPI_Is_thread_main(&flag);
    CHECK(flag);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer = size % 2 && rank == size - 1 ? rank : rank ^ 1;
    if (peer != rank)
        all(exchange);
    all(wait_for_self);
    for (int at = 0; at < THREADS; at++)
        MPI_Comm_dup(MPI_COMM_WORLD, &copies[at]);
    all(collective);
    CHECK(pthread_create(&sender, NULL, send_all, NULL) == 0);
    all(match);
    pthread_join(sender, NULL);
    CHECK(received == THREADS * MESSAGES * (THREADS * MESSAGES - 1) / 2);
    pthread_barrier_init(&barrier, NULL, THREADS);
    sem_init(&semaphore, 0, 2);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    all(synchronize);
    CHECK(!strcmp(order, "3210") && last == 1);
    all(sleep_in_virtual_time);
    all(spin_and_yield);
    MPI_Grequest_start(nothing, freed, cancelled, NULL, &held);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    all(complete);
    CHECK(held == MPI_REQUEST_NULL);
    MPI_Comm_free_keyval(&key);
    for (int at = 0; at < THREADS; at++)
        MPI_Comm_free(&copies[at]);
    return end("threads");
}
