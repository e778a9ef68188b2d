//! The tool information interface. It has no control variables, enumerations, categories and events; its performance
//! variables are counters of this rank. Errors are returned, and no error handler is called (MPI 5.0, section 15.3.10).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::arguments::{Memory, Out, OutText, Text};
use crate::fault::{Fault, Outcome, Target};
use crate::link;
use crate::types::*;

/// Name and description of each performance variable, in the order of [`link::counters`].
const VARIABLES: [(&str, &str); 3] = [
    ("calls", "Calls of this rank that the simulator has answered"),
    ("messages_sent", "Point-to-point messages that this rank has sent"),
    ("bytes_sent", "Bytes of the point-to-point messages that this rank has sent"),
];

/// A handle of a performance variable.
#[derive(Clone, Copy)]
struct Variable {
    session: usize,
    index: usize,
    /// Value of the counter that counts as 0.
    base: u64,
}

/// State of the interface.
#[derive(Default)]
struct State {
    /// Calls of `MPI_T_init_thread` without `MPI_T_finalize`.
    users: usize,
    /// Last number of a session or handle.
    last: usize,
    sessions: Vec<usize>,
    variables: BTreeMap<usize, Variable>,
}

static STATE: Mutex<State> =
    Mutex::new(State { users: 0, last: 0xf, sessions: Vec::new(), variables: BTreeMap::new() });

fn wrong<T>(class: c_int, why: &str) -> Outcome<T> {
    Err(Fault::new(class, why))
}

/// Runs a function of the initialized interface.
fn tool<T>(does: impl FnOnce(&mut State) -> Outcome<T>) -> Outcome<T> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let done = match state.users {
        0 => wrong(MPI_T_ERR_NOT_INITIALIZED, "MPI_T_init_thread was not called before"),
        _ => does(&mut state),
    };
    done.map_err(|fault| fault.on(Target::Tool))
}

/// `MPI_T_init_thread`.
pub fn init_thread(required: c_int, provided: Out<c_int>) -> Outcome {
    STATE.lock().unwrap_or_else(PoisonError::into_inner).users += 1;
    provided.offer(required.clamp(MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE));
    Ok(())
}

/// `MPI_T_finalize`.
pub fn finalize() -> Outcome {
    tool(|state| {
        state.users -= 1;
        if state.users == 0 {
            state.sessions.clear();
            state.variables.clear();
        }
        Ok(())
    })
}

/// Functions that return how many objects of a kind there are: none.
macro_rules! counts {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("`MPI_T_", stringify!($name), "`: there are none.")]
            pub fn $name(count: Out<c_int>) -> Outcome {
                tool(|_| {
                    count.offer(0);
                    Ok(())
                })
            }
        )*
    };
}

counts!(category_get_num category_changed cvar_get_num event_get_num source_get_num);

/// Functions of an object that a program cannot have, with the error class of each.
macro_rules! nothing {
    ($($name:ident($($argument:ident: $kind:ty),*) $class:ident;)*) => {
        $(
            #[doc = concat!("`MPI_T_", stringify!($name), "`: an error, as there are none.")]
            #[allow(clippy::too_many_arguments)]
            pub fn $name($($argument: $kind),*) -> Outcome {
                tool(|_| wrong($class, "there is no such object of the tool interface"))
            }
        )*
    };
}

nothing! {
    category_get_categories(_index: c_int, _length: c_int, _to: Out<c_int>) MPI_T_ERR_INVALID_INDEX;
    category_get_cvars(_index: c_int, _length: c_int, _to: Out<c_int>) MPI_T_ERR_INVALID_INDEX;
    category_get_events(_index: c_int, _length: c_int, _to: Out<c_int>) MPI_T_ERR_INVALID_INDEX;
    category_get_pvars(_index: c_int, _length: c_int, _to: Out<c_int>) MPI_T_ERR_INVALID_INDEX;
    category_get_index(_name: Text, _index: Out<c_int>) MPI_T_ERR_INVALID_NAME;
    category_get_info(
        _index: c_int, _name: OutText, _length: Out<c_int>, _text: OutText, _text_length: Out<c_int>, _cvars: Out<c_int>,
        _pvars: Out<c_int>, _categories: Out<c_int>
    ) MPI_T_ERR_INVALID_INDEX;
    category_get_num_events(_index: c_int, _count: Out<c_int>) MPI_T_ERR_INVALID_INDEX;
    cvar_get_index(_name: Text, _index: Out<c_int>) MPI_T_ERR_INVALID_NAME;
    cvar_get_info(
        _index: c_int, _name: OutText, _length: Out<c_int>, _verbosity: Out<c_int>, _kind: Out<MPI_Datatype>, _enum: Out<MPI_T_enum>,
        _text: OutText, _text_length: Out<c_int>, _bind: Out<c_int>, _scope: Out<c_int>
    ) MPI_T_ERR_INVALID_INDEX;
    cvar_handle_alloc(
        _index: c_int, _object: Memory, _handle: Out<MPI_T_cvar_handle>, _count: Out<c_int>
    ) MPI_T_ERR_INVALID_INDEX;
    cvar_handle_free(_handle: Out<MPI_T_cvar_handle>) MPI_T_ERR_INVALID_HANDLE;
    cvar_read(_handle: MPI_T_cvar_handle, _to: Memory) MPI_T_ERR_INVALID_HANDLE;
    cvar_write(_handle: MPI_T_cvar_handle, _from: Memory) MPI_T_ERR_INVALID_HANDLE;
    enum_get_info(_enum: MPI_T_enum, _count: Out<c_int>, _name: OutText, _length: Out<c_int>) MPI_T_ERR_INVALID_HANDLE;
    enum_get_item(
        _enum: MPI_T_enum, _index: c_int, _value: Out<c_int>, _name: OutText, _length: Out<c_int>
    ) MPI_T_ERR_INVALID_HANDLE;
    event_callback_get_info(
        _on: MPI_T_event_registration, _safety: c_int, _info: Out<MPI_Info>
    ) MPI_T_ERR_INVALID_HANDLE;
    event_callback_set_info(_on: MPI_T_event_registration, _safety: c_int, _info: MPI_Info) MPI_T_ERR_INVALID_HANDLE;
    event_copy(_event: MPI_T_event_instance, _to: Memory) MPI_T_ERR_INVALID_HANDLE;
    event_get_index(_name: Text, _index: Out<c_int>) MPI_T_ERR_INVALID_NAME;
    event_get_info(
        _index: c_int, _name: OutText, _length: Out<c_int>, _verbosity: Out<c_int>, _kinds: Out<MPI_Datatype>, _places: Out<MPI_Aint>,
        _count: Out<c_int>, _enum: Out<MPI_T_enum>, _info: Out<MPI_Info>, _text: OutText, _text_length: Out<c_int>, _bind: Out<c_int>
    ) MPI_T_ERR_INVALID_INDEX;
    event_get_source(_event: MPI_T_event_instance, _source: Out<c_int>) MPI_T_ERR_INVALID_HANDLE;
    event_get_timestamp(_event: MPI_T_event_instance, _time: Out<MPI_Count>) MPI_T_ERR_INVALID_HANDLE;
    event_handle_alloc(
        _index: c_int, _object: Memory, _info: MPI_Info, _on: Out<MPI_T_event_registration>
    ) MPI_T_ERR_INVALID_INDEX;
    event_handle_free(_on: MPI_T_event_registration, _data: Memory, _free: Memory) MPI_T_ERR_INVALID_HANDLE;
    event_handle_get_info(_on: MPI_T_event_registration, _info: Out<MPI_Info>) MPI_T_ERR_INVALID_HANDLE;
    event_handle_set_info(_on: MPI_T_event_registration, _info: MPI_Info) MPI_T_ERR_INVALID_HANDLE;
    event_read(_event: MPI_T_event_instance, _index: c_int, _to: Memory) MPI_T_ERR_INVALID_HANDLE;
    event_register_callback(
        _on: MPI_T_event_registration, _safety: c_int, _info: MPI_Info, _data: Memory, _callback: Memory
    ) MPI_T_ERR_INVALID_HANDLE;
    event_set_dropped_handler(_on: MPI_T_event_registration, _callback: Memory) MPI_T_ERR_INVALID_HANDLE;
    source_get_info(
        _index: c_int, _name: OutText, _length: Out<c_int>, _text: OutText, _text_length: Out<c_int>, _order: Out<c_int>,
        _ticks: Out<MPI_Count>, _most: Out<MPI_Count>, _info: Out<MPI_Info>
    ) MPI_T_ERR_INVALID_INDEX;
    source_get_timestamp(_index: c_int, _time: Out<MPI_Count>) MPI_T_ERR_INVALID_INDEX;
}

/// `MPI_T_pvar_get_num`.
pub fn pvar_get_num(count: Out<c_int>) -> Outcome {
    tool(|_| {
        count.offer(VARIABLES.len() as c_int);
        Ok(())
    })
}

/// `MPI_T_pvar_get_index`.
pub fn pvar_get_index(name: Text, class: c_int, index: Out<c_int>) -> Outcome {
    tool(|_| {
        let name = name.get()?;
        let found = VARIABLES.iter().position(|(own, _)| *own == name && class == MPI_T_PVAR_CLASS_COUNTER);
        match found {
            Some(found) => index.set(found as c_int),
            None => wrong(MPI_T_ERR_INVALID_NAME, "there is no performance variable of this name and class"),
        }
    })
}

/// Checks the index of a performance variable.
fn variable(index: c_int) -> Outcome<usize> {
    match usize::try_from(index) {
        Ok(index) if index < VARIABLES.len() => Ok(index),
        _ => wrong(MPI_T_ERR_INVALID_INDEX, "there is no performance variable of this number"),
    }
}

/// Writes a text; the length is that of the buffer, and then that of the text, both with the terminating zero.
fn give(text: &str, to: OutText, length: Out<c_int>) -> Outcome {
    let room = length.get().unwrap_or(0);
    if room > 0 && !to.is_null() {
        to.set(text, room as usize)?;
    }
    length.offer(text.len() as c_int + 1);
    Ok(())
}

/// `MPI_T_pvar_get_info`.
#[allow(clippy::too_many_arguments)]
pub fn pvar_get_info(
    index: c_int,
    name: OutText,
    length: Out<c_int>,
    verbosity: Out<c_int>,
    class: Out<c_int>,
    kind: Out<MPI_Datatype>,
    enumeration: Out<MPI_T_enum>,
    description: OutText,
    description_length: Out<c_int>,
    bind: Out<c_int>,
    read_only: Out<c_int>,
    continuous: Out<c_int>,
    atomic: Out<c_int>,
) -> Outcome {
    tool(|_| {
        let (own, text) = VARIABLES[variable(index)?];
        give(own, name, length)?;
        give(text, description, description_length)?;
        verbosity.offer(MPI_T_VERBOSITY_USER_BASIC);
        class.offer(MPI_T_PVAR_CLASS_COUNTER);
        kind.offer(MPI_UNSIGNED_LONG_LONG);
        enumeration.offer(MPI_T_enum::of(MPI_T_ENUM_NULL));
        bind.offer(MPI_T_BIND_NO_OBJECT);
        read_only.offer(0);
        continuous.offer(1);
        atomic.offer(1);
        Ok(())
    })
}

impl State {
    fn number(&mut self) -> usize {
        self.last += 1;
        self.last
    }

    fn session(&self, session: MPI_T_pvar_session) -> Outcome<usize> {
        match self.sessions.contains(&session.value()) {
            true => Ok(session.value()),
            false => wrong(MPI_T_ERR_INVALID_SESSION, "there is no such session of performance variables"),
        }
    }

    /// The variables of a handle, which may be all of the session.
    fn variables(
        &mut self,
        session: MPI_T_pvar_session,
        handle: MPI_T_pvar_handle,
    ) -> Outcome<Vec<&mut Variable>> {
        let session = self.session(session)?;
        let all = handle.value() == all_handles();
        let of = |(number, own): &(&usize, &mut Variable)| {
            own.session == session && (all || **number == handle.value())
        };
        let found: Vec<_> = self.variables.iter_mut().filter(of).map(|(_, own)| own).collect();
        if found.is_empty() && !all {
            return wrong(MPI_T_ERR_INVALID_HANDLE, "there is no such handle of a performance variable");
        }
        Ok(found)
    }

    /// The variable of a handle, which stands for one alone.
    fn one(&mut self, session: MPI_T_pvar_session, handle: MPI_T_pvar_handle) -> Outcome<&mut Variable> {
        if handle.value() == all_handles() {
            return wrong(MPI_T_ERR_INVALID_HANDLE, "one performance variable is read or written at a time");
        }
        Ok(self.variables(session, handle)?.remove(0))
    }
}

/// Value of `MPI_T_PVAR_ALL_HANDLES`.
fn all_handles() -> usize {
    #[cfg(not(feature = "mpich"))]
    return MPI_T_PVAR_ALL_HANDLES;
    #[cfg(feature = "mpich")]
    return crate::table::mpich::all_handles();
}

/// `MPI_T_pvar_session_create`.
pub fn pvar_session_create(session: Out<MPI_T_pvar_session>) -> Outcome {
    tool(|state| {
        let number = state.number();
        state.sessions.push(number);
        session.set(MPI_T_pvar_session::of(number))
    })
}

/// `MPI_T_pvar_session_free`. Its handles are freed as well.
pub fn pvar_session_free(session: Out<MPI_T_pvar_session>) -> Outcome {
    tool(|state| {
        let freed = state.session(session.get()?)?;
        state.sessions.retain(|other| *other != freed);
        state.variables.retain(|_, own| own.session != freed);
        session.set(MPI_T_pvar_session::of(MPI_T_PVAR_SESSION_NULL))
    })
}

/// `MPI_T_pvar_handle_alloc`.
pub fn pvar_handle_alloc(
    session: MPI_T_pvar_session,
    index: c_int,
    _object: Memory,
    handle: Out<MPI_T_pvar_handle>,
    count: Out<c_int>,
) -> Outcome {
    tool(|state| {
        let own = Variable { session: state.session(session)?, index: variable(index)?, base: 0 };
        let number = state.number();
        state.variables.insert(number, own);
        count.offer(1);
        handle.set(MPI_T_pvar_handle::of(number))
    })
}

/// `MPI_T_pvar_handle_free`.
pub fn pvar_handle_free(session: MPI_T_pvar_session, handle: Out<MPI_T_pvar_handle>) -> Outcome {
    tool(|state| {
        let freed = handle.get()?;
        state.one(session, freed)?;
        state.variables.remove(&freed.value());
        handle.set(MPI_T_pvar_handle::of(MPI_T_PVAR_HANDLE_NULL))
    })
}

/// Starts and stops: the counters are continuous, which `MPI_T_PVAR_ALL_HANDLES` skips.
fn control(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle) -> Outcome {
    tool(|state| {
        state.variables(session, handle)?;
        match handle.value() == all_handles() {
            true => Ok(()),
            false => wrong(MPI_T_ERR_PVAR_NO_STARTSTOP, "the performance variable is continuous"),
        }
    })
}

/// `MPI_T_pvar_start`.
pub fn pvar_start(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle) -> Outcome {
    control(session, handle)
}

/// `MPI_T_pvar_stop`.
pub fn pvar_stop(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle) -> Outcome {
    control(session, handle)
}

/// `MPI_T_pvar_read`.
pub fn pvar_read(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle, to: Memory) -> Outcome {
    tool(|state| {
        let own = state.one(session, handle)?;
        to.set_word(link::counters()[own.index].wrapping_sub(own.base) as usize)
    })
}

/// `MPI_T_pvar_readreset`.
pub fn pvar_readreset(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle, to: Memory) -> Outcome {
    pvar_read(session, handle, to)?;
    pvar_reset(session, handle)
}

/// `MPI_T_pvar_reset`.
pub fn pvar_reset(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle) -> Outcome {
    tool(|state| {
        let variables = state.variables(session, handle)?;
        variables.into_iter().for_each(|own| own.base = link::counters()[own.index]);
        Ok(())
    })
}

/// `MPI_T_pvar_write`.
pub fn pvar_write(session: MPI_T_pvar_session, handle: MPI_T_pvar_handle, from: Memory) -> Outcome {
    tool(|state| {
        let own = state.one(session, handle)?;
        own.base = link::counters()[own.index].wrapping_sub(from.word()? as u64);
        Ok(())
    })
}
