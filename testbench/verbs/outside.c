/* A program that waits for a process outside the run, in a pipe and in TCP, delays no other program and is no deadlock. */
#include "host.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Sleeps in real time, in a process that does not belong to the run. */
static void wait_really(int ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    syscall(SYS_nanosleep, &time, NULL);
}

int main(int argc, char **argv)
{
    struct host host = open_connection(argc, argv);
    int pipes[2], answers[2];
    char byte;
    CHECK(pipe(pipes) == 0 && pipe(answers) == 0);
    /* Each host has an assistant: it answers a byte of the pipe after a while. */
    pid_t child = fork();
    if (child == 0) {
        for (int count = 0; count < 2; count++) {
            if (read(pipes[0], &byte, 1) != 1)
                _exit(1);
            wait_really(50);
            if (write(answers[1], &byte, 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    /* Both hosts wait outside at once. */
    CHECK(write(pipes[1], "x", 1) == 1 && read(answers[0], &byte, 1) == 1);
    /* One waits outside while the other one waits for its message. */
    post_receive(&host);
    meet(&host);
    if (host.is_server) {
        /* No completion comes meanwhile. */
        struct pollfd wanted[] = {{.fd = host.channel->fd, .events = POLLIN}, {.fd = answers[0], .events = POLLIN}};
        CHECK(ibv_req_notify_cq(host.queue, 0) == 0 && write(pipes[1], "y", 1) == 1);
        CHECK(poll(wanted, 2, -1) == 1 && wanted[0].revents == 0 && read(answers[0], &byte, 1) == 1);
        post_send(&host, 8);
        completion(host.queue);
    } else {
        completion(host.queue);
        CHECK(write(pipes[1], "z", 1) == 1);
    }
    meet(&host);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return end(&host, "outside");
}
