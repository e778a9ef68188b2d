/* Conjugate gradients for a one-dimensional Laplacian in row blocks: halos by messages, dot products by reductions. */
#include "check.h"

#define ROWS 32

static double dot(const double *a, const double *b)
{
    double part = 0, all;
    for (int i = 1; i <= ROWS; i++)
        part += a[i] * b[i];
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* q = A p; halo rows come from the neighbours. */
static void apply(double *p, double *q)
{
    int last = rank > 0 ? rank - 1 : MPI_PROC_NULL, next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    p[0] = p[ROWS + 1] = 0;
    MPI_Sendrecv(&p[1], 1, MPI_DOUBLE, last, 1, &p[ROWS + 1], 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&p[ROWS], 1, MPI_DOUBLE, next, 2, &p[0], 1, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= ROWS; i++)
        q[i] = 2 * p[i] - p[i - 1] - p[i + 1];
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    double x[ROWS + 2] = { 0 }, r[ROWS + 2], p[ROWS + 2], q[ROWS + 2];
    for (int i = 0; i < ROWS + 2; i++)
        r[i] = p[i] = 1;
    double rho = dot(r, r);
    int steps = 0;
    while (rho > 1e-18 && steps < 10 * ROWS * size) {
        apply(p, q);
        double alpha = rho / dot(p, q), old = rho;
        for (int i = 1; i <= ROWS; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = dot(r, r);
        for (int i = 1; i <= ROWS; i++)
            p[i] = r[i] + rho / old * p[i];
        steps++;
    }
    /* The solution is a parabola: x_k = k (n + 1 - k) / 2. */
    double n = (double)ROWS * size;
    for (int i = 1; i <= ROWS; i++) {
        double k = rank * ROWS + i, right = k * (n + 1 - k) / 2;
        CHECK(x[i] - right < 1e-6 * right && right - x[i] < 1e-6 * right);
    }
    if (rank == 0)
        printf("%d steps\n", steps);
    return end("cg");
}
