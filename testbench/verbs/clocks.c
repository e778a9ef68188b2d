/* All clocks, sleeps, timers and time-outs of a program show and take virtual time. One host. */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/wait.h>

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
    (void)signal;
    alarms++;
}

static unsigned long long counter(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
}

static unsigned long long counter_p(void)
{
    unsigned low, high, processor;
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
    return (unsigned long long)high << 32 | low;
}

/* Every clock is in the year 2000 or near the start of the run. */
static void read_clocks(void)
{
    clockid_t clocks[] = {CLOCK_REALTIME,         CLOCK_MONOTONIC,        CLOCK_MONOTONIC_RAW,
                          CLOCK_MONOTONIC_COARSE, CLOCK_REALTIME_COARSE,  CLOCK_BOOTTIME,
                          CLOCK_TAI,              CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct timespec time;
        CHECK(clock_gettime(clocks[i], &time) == 0 && time.tv_sec < 946684800 + 3600);
    }
    struct timespec time;
    struct timeval day;
    CHECK(timespec_get(&time, TIME_UTC) == TIME_UTC && time.tv_sec / 3600 == 946684800 / 3600);
    CHECK(gettimeofday(&day, NULL) == 0 && day.tv_sec / 3600 == 946684800 / 3600);
    struct tms used;
    clock_t before = clock(), ticks = times(&used);
    usleep(50000);
    CHECK(clock() - before >= 50000 && clock() - before < 50100);
    CHECK(times(&used) - ticks >= 5 && times(&used) - ticks <= 6);
}

/* The counter runs as fast as the clock says. */
static void read_counter(void)
{
    double begin = now_us();
    unsigned long long first = counter();
    usleep(1000);
    unsigned long long second = counter_p();
    double mhz = (second - first) / (now_us() - begin);
    CHECK(mhz > 500 && mhz < 6000);
    first = counter();
    usleep(100000);
    second = counter();
    CHECK(second - first > 0.999 * mhz * 100000 && second - first < 1.001 * mhz * 100000);
    CHECK(system("true") == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(counter() == counter());
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void sleep_in_all_ways(void)
{
    struct timespec ms = {0, 1000000}, time;
    double begin = now_us();
    CHECK(nanosleep(&ms, NULL) == 0 && lasts(now_us() - begin, 1000, 0.5));
    begin = now_us();
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL) == 0 && lasts(now_us() - begin, 1000, 0.5));
    clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
    for (int i = 0; i < 2; i++) {
        begin = now_us();
        CHECK(clock_gettime(clocks[i], &time) == 0);
        time.tv_sec += 3;
        CHECK(clock_nanosleep(clocks[i], TIMER_ABSTIME, &time, NULL) == 0);
        CHECK(lasts(now_us() - begin, 3e6, 0.5));
    }
}

static void wait_for_signals(void)
{
    signal(SIGALRM, count_alarm);
    double begin = now_us();
    CHECK(alarm(2) == 0 && sleep(10) == 8 && alarms == 1 && lasts(now_us() - begin, 2e6, 0.5));
    struct itimerval timer = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}}, old;
    begin = now_us();
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
    while (alarms < 4)
        pause();
    CHECK(lasts(now_us() - begin, 3000, 1));
    CHECK(setitimer(ITIMER_REAL, &off, &old) == 0 && old.it_interval.tv_usec == 1000);
    /* A program that only looks at the clock gets the signal too. */
    struct itimerval soon = {{0, 0}, {0, 5000}};
    begin = now_us();
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    while (alarms < 5)
        now_us();
    CHECK(lasts(now_us() - begin, 5000, 0.5));
    alarm(1);
    begin = now_us();
    CHECK(poll(NULL, 0, 5000) == -1 && errno == EINTR && lasts(now_us() - begin, 1e6, 0.5));
}

static void wait_for_timers(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0);
    struct itimerspec timer = {{0, 2000000}, {0, 5000000}}, left;
    uint64_t count;
    double begin = now_us();
    CHECK(timerfd_settime(fd, 0, &timer, NULL) == 0);
    CHECK(timerfd_gettime(fd, &left) == 0 && left.it_value.tv_nsec > 4900000);
    CHECK(read(fd, &count, 8) == 8 && count == 1 && lasts(now_us() - begin, 5000, 1));
    usleep(5000);
    CHECK(read(fd, &count, 8) == 8 && count == 2);
    struct epoll_event event = {.events = EPOLLIN};
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0);
    CHECK(epoll_wait(set, &event, 1, -1) == 1 && lasts(now_us() - begin, 11000, 2));
    close(set);
    close(fd);
}

/* Nothing comes, so each wait lasts as long as its time-out. */
static void time_out(void)
{
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    struct pollfd wanted = {.fd = pipes[0], .events = POLLIN};
    double begin = now_us();
    CHECK(poll(&wanted, 1, 7) == 0 && lasts(now_us() - begin, 7000, 1));
    struct timespec time = {0, 3000000};
    begin = now_us();
    CHECK(ppoll(&wanted, 1, &time, NULL) == 0 && lasts(now_us() - begin, 3000, 1));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipes[0], &set);
    struct timeval ms = {0, 4000};
    begin = now_us();
    CHECK(select(pipes[0] + 1, &set, NULL, NULL, &ms) == 0 && lasts(now_us() - begin, 4000, 1));
    begin = now_us();
    CHECK(pselect(0, NULL, NULL, NULL, &time, NULL) == 0 && lasts(now_us() - begin, 3000, 1));
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event) == 0);
    begin = now_us();
    CHECK(epoll_wait(epoll, &event, 1, 6) == 0 && lasts(now_us() - begin, 6000, 1));
    CHECK(write(pipes[1], "x", 1) == 1 && epoll_wait(epoll, &event, 1, -1) == 1);

    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    sem_t semaphore;
    CHECK(sem_init(&semaphore, 0, 1) == 0);
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 2;
    begin = now_us();
    pthread_mutex_lock(&mutex);
    CHECK(pthread_cond_timedwait(&condition, &mutex, &deadline) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    CHECK(lasts(now_us() - begin, 2e6 - 0.2, 0.5));
    deadline.tv_sec += 1;
    CHECK(sem_timedwait(&semaphore, &deadline) == 0);
    CHECK(sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT);
    CHECK(lasts(now_us() - begin, 3e6 - 0.2, 0.5));
}

int main(void)
{
    struct ibv_context *context = open_device();
    CHECK(getpid() == syscall(SYS_getpid) && kill(getpid(), 0) == 0);
    int pipes[2];
    CHECK(pipe(pipes) == 0 && fcntl(pipes[0], F_SETOWN, getpid()) == 0);
    srand48(getpid() * time(NULL));
    printf("random %ld\n", lrand48());
    read_clocks();
    read_counter();
    sleep_in_all_ways();
    wait_for_signals();
    wait_for_timers();
    time_out();
    CHECK(ibv_close_device(context) == 0);
    printf("clocks: right, %.1f us\n", now_us());
    return 0;
}
