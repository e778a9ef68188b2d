//! Operations of reductions: predefined ones, and those of programs.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::datatype::Kind;
use crate::error::Error;
use crate::predefined::Predefined;

/// An operation of a program. It is given the elements of the lower ranks and those of the higher ones, and returns as many bytes:
/// `lower[i] op higher[i]`.
pub type UserFunction = Rc<dyn Fn(Vec<u8>, Vec<u8>) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, Error>>>>>;

/// An operation on elements.
#[derive(Clone)]
pub enum Operation {
    /// A predefined one, on a kind.
    Predefined(Predefined, Kind),
    /// One of a program.
    User {
        /// Whether operands may change places. They are always associative.
        commutative: bool,
        /// Bytes of an element; an operand has a whole number of them.
        element: usize,
        /// What it does.
        function: UserFunction,
    },
}

impl Operation {
    /// Whether operands may change places.
    pub fn is_commutative(&self) -> bool {
        match self {
            Operation::Predefined(..) => true,
            Operation::User { commutative, .. } => *commutative,
        }
    }

    /// Bytes of an element.
    pub fn element(&self) -> usize {
        match self {
            Operation::Predefined(_, kind) => kind.size(),
            Operation::User { element, .. } => *element,
        }
    }

    /// Whether it can be used on operands of so many bytes.
    pub fn check(&self, bytes: usize) -> Result<(), Error> {
        if let Operation::Predefined(operation, kind) = self {
            operation.check(*kind)?;
        }
        match self.element() {
            0 if bytes == 0 => Ok(()),
            element if element > 0 && bytes.is_multiple_of(element) => Ok(()),
            _ => Err(Error::Operation("an operand has a whole number of elements")),
        }
    }

    /// `lower op higher`, element by element.
    pub async fn combine(&self, lower: &[u8], mut higher: Vec<u8>) -> Result<Vec<u8>, Error> {
        match self {
            Operation::Predefined(operation, kind) => {
                operation.combine(*kind, lower, &mut higher)?;
                Ok(higher)
            }
            Operation::User { function, .. } => {
                let bytes = higher.len();
                let result = function(lower.to_vec(), higher).await?;
                if result.len() != bytes {
                    return Err(Error::Operation("an operation returns as many bytes as it is given"));
                }
                Ok(result)
            }
        }
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Predefined(operation, kind) => write!(f, "{operation:?} of {kind:?}"),
            Operation::User { commutative, element, .. } => {
                let commutes = if *commutative { "commutes" } else { "does not commute" };
                write!(f, "an operation on {element} bytes that {commutes}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_without_that_operation_or_of_odd_lengths_are_refused() {
        assert!(Predefined::Sum.combine(Kind::Char, &[1], &mut [1]).is_err());
        assert!(Operation::Predefined(Predefined::Sum, Kind::Int32).check(6).is_err());
        assert!(Operation::Predefined(Predefined::Sum, Kind::Int32).check(8).is_ok());
        let function: UserFunction = Rc::new(|_, higher| Box::pin(async move { Ok(higher) }));
        let user = |element| Operation::User { commutative: true, element, function: function.clone() };
        assert!(user(0).check(1).is_err());
        assert!(user(0).check(0).is_ok());
    }
}
