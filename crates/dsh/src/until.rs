//! Runs that end when a condition becomes true.

use machine_api::{Driven, TargetError};

use crate::expression::Condition;
use crate::session::{Session, SessionError};
use crate::values::sample;

impl<M: Driven> Session<M> {
    /// Lets time pass by `run` until a condition is true; returns whether it is. Other break points end the run with
    /// their error.
    pub fn until(
        &mut self,
        condition: &Condition,
        run: impl FnOnce(&mut Self) -> Result<(), SessionError>,
    ) -> Result<bool, SessionError> {
        let register = &condition.register;
        if condition.holds(register.value(&sample(&self.nodes()[register.node]))) {
            return Ok(true);
        }
        // A temporary break point, removed when it is met.
        let (looking, nodes) = self.look();
        looking.add_break(condition.clone(), nodes);
        let ran = run(self);
        match (ran, self.looking().take_break()) {
            (Ok(()), _) => Ok(false),
            (Err(SessionError::Target(TargetError::Break(_))), true) => Ok(true),
            (Err(error), _) => Err(error),
        }
    }
}
