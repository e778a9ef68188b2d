//! Calls of libraries by the programs of a host, for an observer.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use crate::Time;

/// Gets the time, with the function when a call begins and with none when the program runs on.
pub type CallObserver = Box<dyn Fn(Time, Option<&'static str>)>;

/// Calls of the programs of a host.
#[derive(Clone, Default)]
pub(crate) struct Calls(Rc<Inner>);

#[derive(Default)]
struct Inner {
    observer: OnceCell<Box<dyn Fn(Option<&'static str>)>>,
    /// Calls that have begun and not ended.
    depth: Cell<u32>,
}

impl Calls {
    /// Sets the observer; the first one stays.
    pub fn observe(&self, observer: impl Fn(Option<&'static str>) + 'static) {
        let _ = self.0.observer.set(Box::new(observer));
    }

    /// Begins a call, if there is an observer.
    pub fn begin(&self, function: &'static str) -> Option<Call> {
        let observer = self.0.observer.get()?;
        if self.0.depth.replace(self.0.depth.get() + 1) == 0 {
            observer(Some(function));
        }
        Some(Call(self.clone()))
    }
}

/// A call of a library, which ends when this is dropped.
pub struct Call(Calls);

impl Drop for Call {
    fn drop(&mut self) {
        let Inner { observer, depth } = &*self.0.0;
        depth.set(depth.get() - 1);
        if let Some(observer) = observer.get().filter(|_| depth.get() == 0) {
            observer(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn observer_is_told_of_outer_calls_alone() {
        let calls = Calls::default();
        assert!(calls.begin("send").is_none(), "nothing observes");
        let told = Rc::new(RefCell::new(Vec::new()));
        let log = told.clone();
        calls.observe(move |function| log.borrow_mut().push(function));
        let outer = calls.begin("send");
        drop(calls.begin("wait"));
        drop(outer);
        drop(calls.begin("receive"));
        assert_eq!(*told.borrow(), [Some("send"), None, Some("receive"), None]);
    }
}
