//! Persistent requests: calls with stored arguments, which can be started repeatedly.

use processes::mpi::call::SendMode;

use super::point_to_point::{post_checked_receive, post_checked_send};
use super::tolerance::elements;
use super::{collective, partitioned};
use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{
    Destination, Persistent, Progress, Request, RequestKind, Starts, Transfer, communicator, within,
};
use crate::types::*;

macro_rules! inits {
    ($($name:ident $starts:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`.")]
            pub fn $name(
                memory: Memory,
                count: Number,
                datatype: MPI_Datatype,
                peer: c_int,
                tag: c_int,
                on: MPI_Comm,
                request: Out<MPI_Request>,
            ) -> Outcome {
                communicator(on)?;
                let (count, datatype) = elements(count, datatype).map_err(|fault| fault.on(on))?;
                let starts = $starts;
                let kind = match starts {
                    Starts::Send(_) => RequestKind::Send,
                    Starts::Receive => RequestKind::Receive,
                };
                let transfer = Transfer { memory, count, datatype, peer, tag, on, starts };
                let inactive = Request::begun(Progress::Inactive, Destination::default(), kind, on);
                let made = Request { persistent: Some(Persistent::Transfer(transfer)), ..inactive };
                request.set(within(|objects| Ok(objects.add_request(made)))?)
            }
        )*
    };
}

inits! {
    send_init Starts::Send(SendMode::Standard);
    ssend_init Starts::Send(SendMode::Synchronous);
    bsend_init Starts::Send(SendMode::Buffered);
    rsend_init Starts::Send(SendMode::Ready);
    recv_init Starts::Receive;
}

/// `MPI_Start`.
pub fn start(request: Out<MPI_Request>) -> Outcome {
    let handle = request.get()?;
    let found = within(|objects| objects.requests.get(handle).cloned())?;
    let (Some(call), Progress::Inactive) = (found.persistent, found.progress) else {
        return Err(Fault::new(
            MPI_ERR_REQUEST,
            "the request is not a persistent one that waits to be started",
        ));
    };
    let (progress, destination) = match call {
        Persistent::Transfer(transfer) => start_transfer(&transfer)?,
        Persistent::Collective { on, within, plan } => collective::start(on, within, &plan)?,
        Persistent::Partitioned(transfer, partitions) => partitioned::start(handle, &transfer, &partitions)?,
    };
    within(|objects| {
        let request = objects.requests.get_mut(handle)?;
        (request.progress, request.destination) = (progress, destination);
        Ok(())
    })
}

fn start_transfer(transfer: &Transfer) -> Outcome<(Progress, Destination)> {
    let Transfer { memory, count, ref datatype, peer, tag, on, starts } = *transfer;
    match starts {
        Starts::Send(mode) => {
            let sent = post_checked_send(mode, true, memory, count, datatype, peer, tag, on)?;
            Ok((sent, Destination::default()))
        }
        Starts::Receive => post_checked_receive(true, memory, count, datatype, peer, tag, on),
    }
}

/// `MPI_Startall`.
pub fn startall(count: Number, requests: Out<MPI_Request>) -> Outcome {
    (0..count.count()?).try_for_each(|index| start(requests.at(index)))
}
