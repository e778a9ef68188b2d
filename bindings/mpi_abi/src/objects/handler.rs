//! Error handlers of the program.

/// Kind of object that an error handler is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerOwner {
    /// `MPI_Comm_create_errhandler`.
    Communicator,
    /// `MPI_Session_create_errhandler`.
    Session,
    /// `MPI_Win_create_errhandler`.
    Window,
    /// `MPI_File_create_errhandler`.
    File,
}

/// An error handler of the program.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// Kind of object that the handler is for.
    pub owner: HandlerOwner,
    /// Address of the function.
    pub function: usize,
}
