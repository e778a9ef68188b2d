//! Operations of reductions: predefined and user-defined.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::datatype::Kind;
use crate::error::Error;
use crate::predefined::Predefined;

/// A user-defined operation. The arguments are the elements of the lower ranks and those of the higher ranks;
/// the result has the same length and holds `lower[i] op higher[i]`.
pub type UserFunction = Rc<dyn Fn(Vec<u8>, Vec<u8>) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, Error>>>>>;

/// An operation of a reduction.
#[derive(Clone)]
pub enum Operation {
    /// A predefined operation on elements of a kind.
    Predefined(Predefined, Kind),
    /// A user-defined operation (`MPI_Op_create`).
    User {
        /// Whether the operation commutes. All operations are associative.
        commutative: bool,
        /// Bytes of an element; an operand is a whole number of elements.
        element: usize,
        /// Combines two operands element by element.
        function: UserFunction,
    },
}

impl Operation {
    /// Whether the operation commutes.
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

    /// Checks that the operation applies to operands of `bytes` bytes.
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

    /// Computes `lower op higher`, element by element.
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
    fn operands_of_wrong_kind_or_length_are_refused() {
        assert!(Predefined::Sum.combine(Kind::Packed, &[1], &mut [1]).is_err());
        assert!(Operation::Predefined(Predefined::Sum, Kind::Int32).check(6).is_err());
        assert!(Operation::Predefined(Predefined::Sum, Kind::Int32).check(8).is_ok());
        let function: UserFunction = Rc::new(|_, higher| Box::pin(async move { Ok(higher) }));
        let user = |element| Operation::User { commutative: true, element, function: function.clone() };
        assert!(user(0).check(1).is_err());
        assert!(user(0).check(0).is_ok());
    }
}
