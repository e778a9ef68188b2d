//! Fortran wrappers of functions that make communicators by strings: tags, ports, services, programs.

use super::{rows, take};
use crate::arguments::{Out, OutText, Text};
use crate::calls::{dynamic, from_groups};
use crate::fault::Outcome;
use crate::types::*;

fn text(pointer: *mut c_void, length: usize) -> Text {
    Text::of_length(pointer.cast(), length)
}

fn room(pointer: *mut c_void, length: usize) -> OutText {
    OutText::of_length(pointer.cast(), length)
}

/// The program and its arguments: strings of one length, `stride` strings apart, up to a blank one. The address of
/// `MPI_ARGV_NULL` is that of a blank string.
fn words(command: Text, arguments: *mut c_void, length: usize, stride: usize) -> Outcome<Vec<String>> {
    let mut words = vec![command.get()?];
    for index in 0.. {
        let argument = text(arguments.wrapping_byte_add(index * stride * length), length).get()?;
        if argument.is_empty() {
            break;
        }
        words.push(argument);
    }
    Ok(words)
}

rows! {
    MPI_Close_port(port_name; length) = dynamic::close_port(text(port_name, length));
    MPI_Open_port(info, port_name; length) = dynamic::open_port(take::<MPI_Info>(info), room(port_name, length));
    MPI_Lookup_name(service_name, info, port_name; service_length, length) =
        dynamic::lookup_name(text(service_name, service_length), take::<MPI_Info>(info), room(port_name, length));
    MPI_Publish_name(service_name, info, port_name; service_length, length) =
        dynamic::publish_name(text(service_name, service_length), take::<MPI_Info>(info), text(port_name, length));
    MPI_Unpublish_name(service_name, info, port_name; service_length, length) =
        dynamic::unpublish_name(text(service_name, service_length), take::<MPI_Info>(info), text(port_name, length));
    MPI_Comm_accept(port_name, info, root, comm, newcomm; length) = dynamic::comm_accept(
        text(port_name, length), take::<MPI_Info>(info), take::<c_int>(root), take::<MPI_Comm>(comm), take::<*mut MPI_Comm>(newcomm)
    );
    MPI_Comm_connect(port_name, info, root, comm, newcomm; length) = dynamic::comm_connect(
        text(port_name, length), take::<MPI_Info>(info), take::<c_int>(root), take::<MPI_Comm>(comm), take::<*mut MPI_Comm>(newcomm)
    );
    MPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes; length, argv_length) = dynamic::start(
        take::<c_int>(root),
        take::<MPI_Comm>(comm),
        || Ok(vec![dynamic::program(words(text(command, length), argv, argv_length, 1)?, take::<c_int>(maxprocs), take::<MPI_Info>(info))?]),
        take::<*mut MPI_Comm>(intercomm),
        take::<*mut c_int>(array_of_errcodes).into(),
    );
    MPI_Comm_spawn_multiple(
        count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes;
        length, argv_length
    ) = dynamic::start(
        take::<c_int>(root),
        take::<MPI_Comm>(comm),
        || {
            let count = usize::try_from(take::<c_int>(count)).unwrap_or_default();
            let processes = Out::from(take::<*mut c_int>(array_of_maxprocs)).list(count)?;
            let hints = take::<*mut MPI_Info>(array_of_info).list(count)?;
            let one = |(at, processes): (usize, c_int)| {
                let command = text(array_of_commands.wrapping_byte_add(at * length), length);
                let arguments = array_of_argv.wrapping_byte_add(at * argv_length);
                dynamic::program(words(command, arguments, argv_length, count)?, processes, hints[at])
            };
            processes.into_iter().enumerate().map(one).collect()
        },
        take::<*mut MPI_Comm>(intercomm),
        take::<*mut c_int>(array_of_errcodes).into(),
    );
    MPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm; length) = from_groups::comm_create_from_group(
        take::<MPI_Group>(group), text(stringtag, length), take::<MPI_Info>(info), take::<MPI_Errhandler>(errhandler),
        take::<*mut MPI_Comm>(newcomm)
    );
    MPI_Intercomm_create_from_groups(
        local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm; length
    ) = from_groups::intercomm_create_from_groups(
        take::<MPI_Group>(local_group), take::<c_int>(local_leader), take::<MPI_Group>(remote_group), take::<c_int>(remote_leader),
        text(stringtag, length), take::<MPI_Info>(info), take::<MPI_Errhandler>(errhandler), take::<*mut MPI_Comm>(newintercomm)
    );
}
