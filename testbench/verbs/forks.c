/* Programs that fork for each connection, and wait for the fork, use verbs there. Arguments: server or client, port; or
   only `killed`. */
#include "host.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { ROUNDS = 3, PAIRS = 40, MOST_PAIRS = 62 };

/* Makes queue pairs and regions, and leaves them to the end of the process. */
static void make_many(struct host *host, int pairs)
{
    struct ibv_qp_init_attr attributes = {
        .send_cq = host->queue,
        .recv_cq = host->queue,
        .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
    };
    for (int pair = 0; pair < pairs; pair++)
        CHECK(ibv_create_qp(host->domain, &attributes));
    for (int region = 0; region < PAIRS; region++)
        CHECK(ibv_reg_mr(host->domain, host->memory, BYTES, IBV_ACCESS_LOCAL_WRITE));
}

/* A fork serves a connection: messages both ways, and exit code 3 and more. */
static int serve(struct host host, int round)
{
    double begin = now_us();
    CHECK(alarm(0) == 0);
    open_objects(&host);
    open_pair(&host);
    make_many(&host, PAIRS);
    for (int message = 0; message < 10; message++) {
        post_receive(&host);
        meet(&host);
        memset(host.memory, 16 * round + message, 100);
        post_send(&host, 100);
        completion(host.queue);
        completion(host.queue);
        CHECK(host.memory[BYTES / 2 + 99] == 16 * round + message);
    }
    CHECK(now_us() > begin);
    return 3 + round;
}

/* Two parts, one after the other, of a program that has used no verbs itself. */
static int serve_all(int argc, char **argv)
{
    CHECK(argc == 3);
    struct host host = {.is_server = argv[1][0] == 's'};
    host.socket = connect_hosts(host.is_server, atoi(argv[2]));
    double before = now_us();
    alarm(50);
    for (int round = 0; round < ROUNDS; round++) {
        pid_t fork_of_round = fork();
        CHECK(fork_of_round >= 0);
        if (fork_of_round == 0)
            exit(serve(host, round));
        /* A server closes the connection of its fork. */
        close(dup(host.socket));
        int status;
        CHECK(waitpid(round % 2 ? -1 : fork_of_round, &status, 0) == fork_of_round);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3 + round);
        /* The time of the fork has passed for the program too. */
        double after = now_us();
        CHECK(after > before + 100);
        before = after;
    }
    CHECK(alarm(0) > 0);
    /* A fork for which the program does not wait at once is none of the run. */
    pid_t other = fork();
    CHECK(other >= 0);
    if (other == 0) {
        int count = -1;
        CHECK(ibv_get_device_list(&count) == NULL || count == 0);
        _exit(7);
    }
    int status;
    open_objects(&host);
    CHECK(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    open_pair(&host);
    make_many(&host, MOST_PAIRS - 1);
    meet(&host);
    return end(&host, "forks");
}

/* Opens the device and makes all queue pairs that it has. */
static void fill(struct host *host)
{
    open_objects(host);
    host->queue = ibv_create_cq(host->context, ENTRIES, NULL, host->channel, 0);
    make_many(host, MOST_PAIRS);
}

/* A fork that has the device is killed while it waits; then the device is free. */
static int kill_one(void)
{
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    pid_t killed = fork();
    CHECK(killed >= 0);
    struct host host = {0};
    if (killed == 0) {
        fill(&host);
        pid_t killer = fork();
        CHECK(killer >= 0);
        if (killer == 0) {
            /* This fork is none of the run, so it sleeps in real time. */
            usleep(50000);
            kill(getppid(), SIGKILL);
            _exit(0);
        }
        char none;
        CHECK(read(pipes[0], &none, 1) == 1);
    }
    int status;
    CHECK(waitpid(killed, &status, 0) == killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    CHECK(waitpid(killed, &status, 0) == -1 && errno == ECHILD);
    /* The next fork has the device, too, although the one before has made a fork. */
    pid_t next = fork();
    CHECK(next >= 0);
    if (next == 0) {
        fill(&host);
        exit(8);
    }
    /* It has looked for its place meanwhile, in real time. */
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 20000000}, NULL);
    CHECK(waitpid(next, &status, 0) == next && WIFEXITED(status) && WEXITSTATUS(status) == 8);
    fill(&host);
    host.is_server = 1;
    return end(&host, "forks");
}

int main(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "killed") == 0 ? kill_one() : serve_all(argc, argv);
}
