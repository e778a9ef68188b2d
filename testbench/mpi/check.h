/* Common part of all programs: initialization, and checks that end all ranks on failure. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);        \
            MPI_Abort(MPI_COMM_WORLD, 99);                                                 \
        }                                                                                  \
    } while (0)

static int rank, size;

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Class of an error code. Libraries may put more into their codes. */
static inline int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* Ends the rank; rank 0 reports success. */
static int end(const char *what)
{
    MPI_Finalize();
    if (rank == 0)
        printf("%s: right on %d\n", what, size);
    return 0;
}

#endif
