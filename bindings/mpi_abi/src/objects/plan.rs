//! Collective calls with their buffers: the data is packed when the call starts.

use processes::LONGEST;
use processes::mpi::call::{Collective, Reduction};

use super::{Destination, Piece, Use, numbered};
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A collective call: the operation without its data, the buffers of the data, and the destination of its result.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The operation; its data is empty.
    pub what: Collective,
    /// Buffers of the data that this rank sends.
    pub source: Vec<Piece>,
    /// Destination of the received data.
    pub destination: Destination,
}

impl Plan {
    /// The operation with the data that the buffers hold now.
    pub fn packed(&self) -> Outcome<Collective> {
        let lengths = self.source.iter().map(|piece| piece.datatype.bytes(piece.count));
        let size = lengths.sum::<Outcome<usize>>()?;
        // The length is checked before memory is allocated for a message that cannot be sent.
        if size as u64 >= LONGEST {
            return Err(Fault::new(MPI_ERR_COUNT, format!("{size} bytes are more than a message can have")));
        }
        let mut data = Vec::new();
        for Piece { memory, count, datatype } in &self.source {
            datatype.pack_to(*memory, *count, &mut data)?;
        }
        let mut call = self.what.clone();
        if let Some(bytes) = call.bytes_mut() {
            *bytes = data.into();
        }
        Ok(call)
    }

    /// Operation and datatype of the program that the call uses until it is over.
    pub fn uses(&self) -> Vec<Use> {
        let (Collective::Reduce { reduction, .. }
        | Collective::ReduceScatter { reduction, .. }
        | Collective::Scan { reduction, .. }) = &self.what
        else {
            return Vec::new();
        };
        match *reduction {
            Reduction::Predefined { .. } => Vec::new(),
            // Predefined datatypes are not counted.
            Reduction::User { operation, datatype, .. } => {
                vec![Use::Operation(numbered(operation)), Use::Datatype(numbered(datatype))]
            }
        }
    }
}
