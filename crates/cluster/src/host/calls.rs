//! Calls of libraries by the programs of a host, for an observer.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::cpu::Shared;
use crate::Time;

/// Gets the time, with the function when a call begins and with none when the program runs on.
pub type CallObserver = Box<dyn Fn(Time, Option<&'static str>)>;

/// Calls of the programs of a host.
#[derive(Default)]
pub(crate) struct Calls {
    observer: OnceCell<CallObserver>,
    /// Calls that have begun and not ended.
    depth: Cell<u32>,
}

impl Calls {
    /// Sets the observer; the first one stays.
    pub fn observe(&self, observer: CallObserver) {
        let _ = self.observer.set(observer);
    }

    /// Begins a call, if there is an observer.
    pub fn begin(&self, shared: &Rc<Shared>, function: &'static str) -> Option<Call> {
        let observer = self.observer.get()?;
        if self.depth.replace(self.depth.get() + 1) == 0 {
            observer(shared.now.get(), Some(function));
        }
        Some(Call { shared: shared.clone() })
    }
}

/// A call of a library, which ends when this is dropped.
pub struct Call {
    shared: Rc<Shared>,
}

impl Drop for Call {
    fn drop(&mut self) {
        let Calls { observer, depth } = &self.shared.calls;
        depth.set(depth.get() - 1);
        if let Some(observer) = observer.get().filter(|_| depth.get() == 0) {
            observer(self.shared.now.get(), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn observer_is_told_of_outer_calls_alone() {
        let shared = Rc::new(Shared::new(0));
        assert!(shared.calls.begin(&shared, "send").is_none(), "nothing observes");
        let told = Rc::new(RefCell::new(Vec::new()));
        let log = told.clone();
        shared.calls.observe(Box::new(move |now, function| log.borrow_mut().push((now.ps(), function))));
        let outer = shared.calls.begin(&shared, "send");
        shared.now.set(Time::from_ps(5));
        drop(shared.calls.begin(&shared, "wait"));
        shared.now.set(Time::from_ps(9));
        drop(outer);
        drop(shared.calls.begin(&shared, "receive"));
        let expected = [(0, Some("send")), (9, None), (9, Some("receive")), (9, None)];
        assert_eq!(*told.borrow(), expected);
    }
}
