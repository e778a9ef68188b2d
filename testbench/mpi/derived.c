/* Communicators made without blocking, of groups alone, and by shared resources. */
#include "check.h"

static int sum_over(MPI_Comm comm)
{
    int sum, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

static int copied;

static int copy(MPI_Comm old, int key, void *extra, void *value, void *new_value, int *flag)
{
    (void)old, (void)key, (void)extra;
    copied++;
    *(void **)new_value = value;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Several duplicates of two communicators at the same time; rank 1 begins those of the second one last. */
static void duplicates(void)
{
    enum { COUNT = 4 };
    MPI_Comm part, copies[2 * COUNT], blocking, used;
    MPI_Request requests[2 * COUNT], reduction;
    int key, flag, class, result, *value, mark = 5, mine = 1, sum;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &part);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(part, key, &mark);
    for (int i = 0; i < COUNT; i++)
        MPI_Comm_idup(rank == 1 ? MPI_COMM_WORLD : part, &copies[i], &requests[i]);
    for (int i = COUNT; i < 2 * COUNT; i++)
        MPI_Comm_idup_with_info(rank == 1 ? part : MPI_COMM_WORLD, MPI_INFO_NULL, &copies[i], &requests[i]);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &reduction);
    CHECK(copied == COUNT);
    MPI_Comm_dup(part, &blocking);
    MPI_Waitall(2 * COUNT, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
    CHECK(sum == size);
    int mates = rank / 2 * 2 + 1 < size ? 2 : 1;
    for (int i = 0; i < 2 * COUNT; i++) {
        int of_part = (i < COUNT) == (rank != 1);
        used = copies[i];
        MPI_Comm_compare(used, of_part ? part : MPI_COMM_WORLD, &result);
        CHECK(result == MPI_CONGRUENT);
        MPI_Comm_get_attr(used, key, &value, &flag);
        CHECK(flag == of_part && (!flag || value == &mark));
    }
    for (int i = 0; i < COUNT; i++) {
        /* All ranks use those of the part first. */
        int at = rank == 1 ? COUNT + i : i, other = rank == 1 ? i : COUNT + i;
        CHECK(sum_over(copies[at]) == mates);
        CHECK(sum_over(copies[other]) == size);
        MPI_Comm_free(&copies[at]);
        MPI_Comm_free(&copies[other]);
    }
    CHECK(sum_over(blocking) == mates);
    MPI_Comm_free(&blocking);
    /* A communicator that is not made yet is an error. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_idup(MPI_COMM_WORLD, &used, &requests[0]);
    MPI_Error_class(MPI_Comm_free(&used), &class);
    CHECK(class == MPI_ERR_COMM);
    for (flag = 0; !flag;)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&used);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&part);
}

static void of_groups(void)
{
    MPI_Group world, odd, even, empty = MPI_GROUP_EMPTY;
    MPI_Comm own, between;
    int evens[1][3] = { { 0, size - 1, 2 } }, count;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, evens, &even);
    MPI_Group_difference(world, even, &odd);
    MPI_Comm_create_from_group(rank % 2 ? odd : even, "memonet.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &own);
    CHECK(sum_over(own) == (size + 1 - rank % 2) / 2);
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(own, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    MPI_Comm_free(&own);
    MPI_Comm_create_from_group(empty, "memonet.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &own);
    CHECK(own == MPI_COMM_NULL);
    if (size > 1) {
        /* The second rank of the even ones leads them, if there are two. */
        int leads_even = size > 2, leader = rank % 2 ? 0 : leads_even, other = rank % 2 ? leads_even : 0;
        int is_leader = rank == (rank % 2 ? 1 : 2 * leads_even);
        MPI_Intercomm_create_from_groups(rank % 2 ? odd : even, leader,
                                         !is_leader ? MPI_GROUP_NULL : rank % 2 ? even : odd, is_leader ? other : -7,
                                         "memonet.both", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &between);
        MPI_Comm_remote_size(between, &count);
        CHECK(count == (size + rank % 2) / 2 && sum_over(between) == count);
        MPI_Comm_free(&between);
    }
    MPI_Group_free(&odd);
    MPI_Group_free(&even);
    MPI_Group_free(&world);
}

/* Each rank runs on a computer of its own. */
static void by_types(void)
{
    MPI_Comm part;
    MPI_Info info;
    char resource[64];
    int class, flag;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
    CHECK(sum_over(part) == 1);
    MPI_Comm_free(&part);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &part);
    CHECK(part == MPI_COMM_NULL);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &part);
    CHECK(part == MPI_COMM_NULL);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "a resource that nobody knows");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &part);
    CHECK(part == MPI_COMM_NULL);
    MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part);
    CHECK(sum_over(part) == 1);
    MPI_Comm_free(&part);
    MPI_Info_delete(info, "mpi_hw_resource_type");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &part);
    MPI_Info_get(info, "mpi_hw_resource_type", 63, resource, &flag);
    CHECK((part != MPI_COMM_NULL) == (size > 1) && flag == (size > 1));
    if (part != MPI_COMM_NULL) {
        CHECK(sum_over(part) == 1);
        MPI_Comm_free(&part);
    }
    MPI_Info_free(&info);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_split_type(MPI_COMM_WORLD, 9999, 0, MPI_INFO_NULL, &part), &class);
    CHECK(class == MPI_ERR_ARG);
    MPI_Error_class(MPI_Comm_split(MPI_COMM_WORLD, -1, 0, &part), &class);
    CHECK(class == MPI_ERR_ARG);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    duplicates();
    of_groups();
    by_types();
    return end("derived");
}
