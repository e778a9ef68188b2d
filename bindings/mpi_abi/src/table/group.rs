//! Groups (MPI 5.0, section 7.3).

use super::functions;
use crate::calls::group;
use crate::types::*;

functions! {
    MPI_Group_compare(group1: MPI_Group, group2: MPI_Group, result: *mut c_int) = group::group_compare;
    MPI_Group_difference(group1: MPI_Group, group2: MPI_Group, newgroup: *mut MPI_Group) = group::group_difference;
    MPI_Group_excl(group: MPI_Group, n: c_int, ranks: *const c_int, newgroup: *mut MPI_Group) = group::group_excl;
    MPI_Group_free(group: *mut MPI_Group) = group::group_free;
    MPI_Group_incl(group: MPI_Group, n: c_int, ranks: *const c_int, newgroup: *mut MPI_Group) = group::group_incl;
    MPI_Group_intersection(group1: MPI_Group, group2: MPI_Group, newgroup: *mut MPI_Group) = group::group_intersection;
    MPI_Group_range_excl(group: MPI_Group, n: c_int, ranges: *mut [c_int; 3], newgroup: *mut MPI_Group) = group::group_range_excl;
    MPI_Group_range_incl(group: MPI_Group, n: c_int, ranges: *mut [c_int; 3], newgroup: *mut MPI_Group) = group::group_range_incl;
    MPI_Group_rank(group: MPI_Group, rank: *mut c_int) = group::group_rank;
    MPI_Group_size(group: MPI_Group, size: *mut c_int) = group::group_size;
    MPI_Group_translate_ranks(
        group1: MPI_Group, n: c_int, ranks1: *const c_int, group2: MPI_Group, ranks2: *mut c_int
    ) = group::group_translate_ranks;
    MPI_Group_union(group1: MPI_Group, group2: MPI_Group, newgroup: *mut MPI_Group) = group::group_union;
}
