//! Conversion of handles to and from integers (MPI 5.0, section 20.4).

use super::integers;
use crate::types::*;

integers! {
    MPI_Comm_toint, MPI_Comm_fromint: MPI_Comm;
    MPI_Errhandler_toint, MPI_Errhandler_fromint: MPI_Errhandler;
    MPI_File_toint, MPI_File_fromint: MPI_File;
    MPI_Group_toint, MPI_Group_fromint: MPI_Group;
    MPI_Info_toint, MPI_Info_fromint: MPI_Info;
    MPI_Message_toint, MPI_Message_fromint: MPI_Message;
    MPI_Op_toint, MPI_Op_fromint: MPI_Op;
    MPI_Request_toint, MPI_Request_fromint: MPI_Request;
    MPI_Session_toint, MPI_Session_fromint: MPI_Session;
    MPI_Type_toint, MPI_Type_fromint: MPI_Datatype;
    MPI_Win_toint, MPI_Win_fromint: MPI_Win;
}
