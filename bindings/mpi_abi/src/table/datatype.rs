//! Datatypes, packing (MPI 5.0, chapter 5).

use super::functions;
use crate::calls::{contents, datatype, external, f90, pack, status};
use crate::types::*;

functions! {
    MPI_Get_address(location: *const c_void, address: *mut MPI_Aint) = pack::get_address;
    MPI_Get_count[_c](status: *const MPI_Status, datatype: MPI_Datatype, count: *mut Count) = status::get_count;
    MPI_Get_elements[_c](status: *const MPI_Status, datatype: MPI_Datatype, count: *mut Count) = status::get_elements;
    MPI_Get_elements_x(status: *const MPI_Status, datatype: MPI_Datatype, count: *mut MPI_Count) = status::get_elements;
    MPI_Pack[_c](
        inbuf: *const c_void, incount: Count, datatype: MPI_Datatype, outbuf: *mut c_void, outsize: Count, position: *mut Count,
        comm: MPI_Comm
    ) = pack::pack;
    MPI_Pack_external[_c](
        datarep: *const c_char, inbuf: *const c_void, incount: Count, datatype: MPI_Datatype, outbuf: *mut c_void, outsize: Extent,
        position: *mut Extent
    ) = external::pack_external;
    MPI_Pack_external_size[_c](
        datarep: *const c_char, incount: Count, datatype: MPI_Datatype, size: *mut Extent
    ) = external::pack_external_size;
    MPI_Pack_size[_c](incount: Count, datatype: MPI_Datatype, comm: MPI_Comm, size: *mut Count) = pack::pack_size;
    MPI_Status_set_elements[_c](status: *mut MPI_Status, datatype: MPI_Datatype, count: Count) = status::status_set_elements;
    MPI_Status_set_elements_x(status: *mut MPI_Status, datatype: MPI_Datatype, count: MPI_Count) = status::status_set_elements;
    MPI_Type_commit(datatype: *mut MPI_Datatype) = datatype::type_commit;
    MPI_Type_contiguous[_c](count: Count, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype) = datatype::type_contiguous;
    MPI_Type_create_darray[_c](
        size: c_int, rank: c_int, ndims: c_int, array_of_gsizes: *const Count, array_of_distribs: *const c_int,
        array_of_dargs: *const c_int, array_of_psizes: *const c_int, order: c_int, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_create_darray;
    MPI_Type_create_f90_complex(p: c_int, r: c_int, newtype: *mut MPI_Datatype) = f90::type_create_f90_complex;
    MPI_Type_create_f90_integer(r: c_int, newtype: *mut MPI_Datatype) = f90::type_create_f90_integer;
    MPI_Type_create_f90_real(p: c_int, r: c_int, newtype: *mut MPI_Datatype) = f90::type_create_f90_real;
    MPI_Type_create_hindexed[_c](
        count: Count, array_of_blocklengths: *const Count, array_of_displacements: *const Extent, oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype
    ) = datatype::type_create_hindexed;
    MPI_Type_create_hindexed_block[_c](
        count: Count, blocklength: Count, array_of_displacements: *const Extent, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_create_hindexed_block;
    MPI_Type_create_hvector[_c](
        count: Count, blocklength: Count, stride: Extent, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_create_hvector;
    MPI_Type_create_indexed_block[_c](
        count: Count, blocklength: Count, array_of_displacements: *const Count, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_create_indexed_block;
    MPI_Type_create_resized[_c](
        oldtype: MPI_Datatype, lb: Extent, extent: Extent, newtype: *mut MPI_Datatype
    ) = datatype::type_create_resized;
    MPI_Type_create_struct[_c](
        count: Count, array_of_blocklengths: *const Count, array_of_displacements: *const Extent, array_of_types: *const MPI_Datatype,
        newtype: *mut MPI_Datatype
    ) = datatype::type_create_struct;
    MPI_Type_create_subarray[_c](
        ndims: c_int, array_of_sizes: *const Count, array_of_subsizes: *const Count, array_of_starts: *const Count, order: c_int,
        oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_create_subarray;
    MPI_Type_dup(oldtype: MPI_Datatype, newtype: *mut MPI_Datatype) = datatype::type_dup;
    MPI_Type_free(datatype: *mut MPI_Datatype) = datatype::type_free;
    MPI_Type_get_contents(
        datatype: MPI_Datatype, max_integers: c_int, max_addresses: c_int, max_datatypes: c_int, array_of_integers: *mut c_int,
        array_of_addresses: *mut MPI_Aint, array_of_datatypes: *mut MPI_Datatype
    ) = contents::type_get_contents;
    MPI_Type_get_contents_c(
        datatype: MPI_Datatype, max_integers: MPI_Count, max_addresses: MPI_Count, max_large_counts: MPI_Count, max_datatypes: MPI_Count,
        array_of_integers: *mut c_int, array_of_addresses: *mut MPI_Aint, array_of_large_counts: *mut MPI_Count,
        array_of_datatypes: *mut MPI_Datatype
    ) = contents::type_get_contents_c;
    MPI_Type_get_envelope(
        datatype: MPI_Datatype, num_integers: *mut c_int, num_addresses: *mut c_int, num_datatypes: *mut c_int, combiner: *mut c_int
    ) = contents::type_get_envelope;
    MPI_Type_get_envelope_c(
        datatype: MPI_Datatype, num_integers: *mut MPI_Count, num_addresses: *mut MPI_Count, num_large_counts: *mut MPI_Count,
        num_datatypes: *mut MPI_Count, combiner: *mut c_int
    ) = contents::type_get_envelope_c;
    MPI_Type_get_extent[_c](datatype: MPI_Datatype, lb: *mut Extent, extent: *mut Extent) = datatype::type_get_extent;
    MPI_Type_get_extent_x(datatype: MPI_Datatype, lb: *mut MPI_Count, extent: *mut MPI_Count) = datatype::type_get_extent;
    MPI_Type_get_name(datatype: MPI_Datatype, type_name: *mut c_char, resultlen: *mut c_int) = datatype::type_get_name;
    MPI_Type_get_true_extent[_c](datatype: MPI_Datatype, true_lb: *mut Extent, true_extent: *mut Extent) = datatype::type_get_true_extent;
    MPI_Type_get_true_extent_x(
        datatype: MPI_Datatype, true_lb: *mut MPI_Count, true_extent: *mut MPI_Count
    ) = datatype::type_get_true_extent;
    MPI_Type_get_value_index(value_type: MPI_Datatype, index_type: MPI_Datatype, pair_type: *mut MPI_Datatype) = f90::type_get_value_index;
    MPI_Type_indexed[_c](
        count: Count, array_of_blocklengths: *const Count, array_of_displacements: *const Count, oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype
    ) = datatype::type_indexed;
    MPI_Type_match_size(typeclass: c_int, size: c_int, datatype: *mut MPI_Datatype) = f90::type_match_size;
    MPI_Type_set_name(datatype: MPI_Datatype, type_name: *const c_char) = datatype::type_set_name;
    MPI_Type_size[_c](datatype: MPI_Datatype, size: *mut Count) = datatype::type_size;
    MPI_Type_size_x(datatype: MPI_Datatype, size: *mut MPI_Count) = datatype::type_size;
    MPI_Type_vector[_c](
        count: Count, blocklength: Count, stride: Count, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_vector;
    MPI_Unpack[_c](
        inbuf: *const c_void, insize: Count, position: *mut Count, outbuf: *mut c_void, outcount: Count, datatype: MPI_Datatype,
        comm: MPI_Comm
    ) = pack::unpack;
    MPI_Unpack_external[_c](
        datarep: *const c_char, inbuf: *const c_void, insize: Extent, position: *mut Extent, outbuf: *mut c_void, outcount: Count,
        datatype: MPI_Datatype
    ) = external::unpack_external;
}
