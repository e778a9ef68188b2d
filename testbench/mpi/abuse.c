/* Misbehaviour of rank 1, selected by name; rank 0 waits for it. */
#include "check.h"
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The slot as mapped by the library: owner, length of a message, message. */
static volatile unsigned char *slot(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long first = 0;
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "memonet-slot") && sscanf(line, "%lx", &first) == 1)
            break;
    if (maps)
        fclose(maps);
    CHECK(first != 0);
    return (volatile unsigned char *)first;
}

/* Hands over a message of `length` random bytes. */
static void garbage(long length, unsigned seed)
{
    volatile unsigned char *own = slot();
    for (size_t i = 72; i < 257 * 4096; i++)
        own[i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
    *(volatile long *)(own + 8) = length;
    *(volatile unsigned *)own = 1;
    syscall(SYS_futex, own, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
    for (;;)
        pause();
}

static void alone(const char *what, long amount)
{
    if (!strcmp(what, "exit"))
        exit(0);
    else if (!strcmp(what, "exit-code"))
        _exit(9);
    else if (!strcmp(what, "kill"))
        raise(SIGKILL);
    else if (!strcmp(what, "null"))
        *(volatile int *)0 = 1;
    else if (!strcmp(what, "fork")) {
        /* A forked child is not a rank: it must neither communicate nor outlive its parent. */
        pid_t child = fork();
        if (child == 0)
            _exit(MPI_Barrier(MPI_COMM_WORLD));
        waitpid(child, NULL, 0);
    } else if (!strcmp(what, "orphan")) {
        if (fork() == 0)
            for (;;)
                pause();
    } else if (!strcmp(what, "close")) {
        for (int number = 3; number < 64; number++)
            close(number);
    } else if (!strcmp(what, "turn"))
        *(volatile unsigned *)slot() = (unsigned)amount;
    else if (!strcmp(what, "garbage"))
        garbage(amount, 1);
    else if (!strcmp(what, "shrink"))
        CHECK(ftruncate(atoi(getenv("MEMONET_RANK_SLOT")), 0) != 0);
    else if (!strcmp(what, "spin"))
        for (;;)
            ;
    else if (!strcmp(what, "poll"))
        for (int flag = 0; !flag;)
            MPI_Iprobe(0, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "print"))
        for (long i = 0; i < amount; i++)
            puts("A line of sixty-four letters, the last of which is its end: one.");
    else if (!strcmp(what, "stop"))
        raise(SIGSTOP);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    begin(&argc, &argv);
    if (rank == 1)
        alone(what, argc > 2 ? atol(argv[2]) : 1);
    MPI_Barrier(MPI_COMM_WORLD);
    return end("abuse");
}
