//! Persistent requests: calls with stored arguments, which can be started repeatedly.

use processes::mpi::call::SendMode;

use super::point_to_point::{post_checked_receive, post_checked_send};
use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{
    Destination, Persistent, Progress, Request, RequestKind, Starts, communicator,
    datatype as checked_datatype, within,
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
                let checked = || Ok((count.count()?, checked_datatype(datatype)?));
                let (count, datatype) = checked().map_err(|fault: Fault| fault.on(on))?;
                let starts = $starts;
                let kind = match starts {
                    Starts::Send(_) => RequestKind::Send,
                    Starts::Receive => RequestKind::Receive,
                };
                let persistent = Persistent { memory, count, datatype, peer, tag, on, starts };
                let inactive = Request::begun(Progress::Inactive, Destination::default(), kind, on);
                let made = Request { persistent: Some(persistent), ..inactive };
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
    let Persistent { memory, count, datatype, peer, tag, on, starts } = call;
    let (progress, destination) = match starts {
        Starts::Send(mode) => {
            let sent = post_checked_send(mode, true, memory, count, &datatype, peer, tag, on)?;
            (sent, Destination::default())
        }
        Starts::Receive => post_checked_receive(true, memory, count, &datatype, peer, tag, on)?,
    };
    within(|objects| {
        let request = objects.requests.get_mut(handle)?;
        (request.progress, request.destination) = (progress, destination);
        Ok(())
    })
}

/// `MPI_Startall`.
pub fn startall(count: Number, requests: Out<MPI_Request>) -> Outcome {
    (0..count.count()?).try_for_each(|index| start(requests.at(index)))
}
