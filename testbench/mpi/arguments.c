/* Arguments at the edge of what the standard allows, and what an error leaves as it was. */
#include "check.h"

static void truth_values(void)
{
    int yes, no, set;
    CHECK(class_of(MPI_Abi_get_fortran_booleans(4, NULL, &no, &set)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Abi_get_fortran_booleans(4, &yes, NULL, &set)) == MPI_ERR_ARG);
    CHECK(MPI_Abi_get_fortran_booleans(4, &yes, &no, &set) == MPI_SUCCESS && yes != no);
}

static void contents_of_named_datatypes(void)
{
    int integers[1];
    MPI_Aint addresses[1];
    MPI_Datatype kinds[1];
    CHECK(class_of(MPI_Type_get_contents(MPI_INT, 1, 1, 1, integers, addresses, kinds))
          == MPI_ERR_TYPE);
}

static int query(void *extra, MPI_Status *status)
{
    (void)extra, (void)status;
    return MPI_SUCCESS;
}

static int let_go(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void functions_of_requests(void)
{
    MPI_Request request;
    CHECK(class_of(MPI_Grequest_start(NULL, let_go, cancel, NULL, &request)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Grequest_start(query, NULL, cancel, NULL, &request)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Grequest_start(query, let_go, NULL, NULL, &request)) == MPI_ERR_ARG);
}

/* Ranks 0 and 2 are neighbours, and rank 1 has none. */
static void node_without_neighbours(void)
{
    int index[] = {1, 1, 2}, edges[] = {2, 0}, neighbours;
    MPI_Comm graph;
    if (size < 3)
        return;
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph) == MPI_SUCCESS);
    if (graph != MPI_COMM_NULL) {
        MPI_Graph_neighbors_count(graph, rank, &neighbours);
        CHECK(neighbours == (rank != 1));
        MPI_Comm_free(&graph);
    }
    index[1] = 0;
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph) != MPI_SUCCESS);
}

static int deleted;

static int delete_one(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

/* A window that cannot be freed keeps its attributes. */
static void window_in_an_epoch(void)
{
    int memory = 7, key, *value, flag;
    MPI_Win win;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_one, &key, NULL);
    MPI_Win_set_attr(win, key, &memory);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    CHECK(class_of(MPI_Win_free(&win)) == MPI_ERR_RMA_SYNC && win != MPI_WIN_NULL);
    MPI_Win_get_attr(win, key, &value, &flag);
    CHECK(flag && *value == 7 && deleted == 0);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    CHECK(deleted == 1 && win == MPI_WIN_NULL);
    MPI_Win_free_keyval(&key);
    CHECK(class_of(MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_OTHER)) == MPI_ERR_WIN);
}

/* Two elements lie between each other and do not overlap; a third one would. */
static void interleaved_elements(void)
{
    int lengths[] = {1, 1}, out[] = {1, 2, 3, 4}, in[6] = {0};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype pair, close;
    MPI_Status status;
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4, &close);
    MPI_Type_commit(&close);
    CHECK(MPI_Sendrecv(out, 4, MPI_INT, 0, 1, in, 2, close, 0, 1, MPI_COMM_SELF, &status)
          == MPI_SUCCESS);
    CHECK(in[0] == 1 && in[1] == 3 && in[2] == 2 && in[3] == 4 && in[4] == 0);
    MPI_Type_free(&close), MPI_Type_free(&pair);
}

static void add_before(void *one, void *other, int *count, MPI_Datatype *kind)
{
    (void)kind;
    for (int i = 0; i < *count; i++) {
        int term, sum;
        memcpy(&term, (char *)one + 16 * i - 256, sizeof term);
        memcpy(&sum, (char *)other + 16 * i - 256, sizeof sum);
        sum += term;
        memcpy((char *)other + 16 * i - 256, &sum, sizeof sum);
    }
}

/* The data of an element lie before its address. */
static void operands_before_their_place(void)
{
    int length = 1, out[128] = {0}, in[128] = {0};
    MPI_Aint place = -256;
    MPI_Datatype before, element;
    MPI_Op add;
    MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &before);
    MPI_Type_create_resized(before, -256, 16, &element);
    MPI_Type_commit(&element);
    MPI_Op_create(add_before, 1, &add);
    for (int i = 0; i < 10; i++)
        out[4 * i] = rank + i;
    MPI_Allreduce(out + 64, in + 64, 10, element, add, MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++)
        CHECK(in[4 * i] == size * (size - 1) / 2 + size * i);
    MPI_Op_free(&add), MPI_Type_free(&element), MPI_Type_free(&before);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    truth_values();
    contents_of_named_datatypes();
    functions_of_requests();
    node_without_neighbours();
    window_in_an_epoch();
    interleaved_elements();
    operands_before_their_place();
    end("arguments");
    if (argc > 1) {
        MPI_Session session;
        return MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_ERR_OTHER;
    }
    return 0;
}
