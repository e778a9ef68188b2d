//! Runs that end when a condition becomes true.

use machine_api::{Driven, TargetError};

use crate::break_point::Subject;
use crate::session::{Session, SessionError};

impl<M: Driven> Session<M> {
    /// Lets time pass by `run` until a condition is true or a frame has passed; returns whether that is so. Other break
    /// points end the run with their error.
    pub fn until(
        &mut self,
        subject: &Subject,
        run: impl FnOnce(&mut Self) -> Result<(), SessionError>,
    ) -> Result<bool, SessionError> {
        if subject.holds(self.nodes()) {
            return Ok(true);
        }
        // A temporary break point, removed when it is met.
        self.add_break(subject.clone());
        let ran = run(self);
        let nodes = self.nodes().len();
        match (ran, self.looking().take_break(nodes)) {
            (Ok(()), _) => Ok(false),
            (Err(SessionError::Target(TargetError::Break(_))), true) => Ok(true),
            (Err(error), _) => Err(error),
        }
    }
}
