//! Variables and fields that statements use and change.

use syn::visit::{self, Visit};
use syn::{Expr, FnArg, Member, Pat, PatType, Signature, Stmt, Type};

/// A variable and the fields that lead to a part of it.
type Place = Vec<String>;

/// Whether both orders of two statements have the same effect: neither may fail or wait, and neither changes a
/// place that the other uses. `references` are names of mutable references. Shared places behind cells are not
/// seen.
pub(super) fn commute(first: &Stmt, second: &Stmt, references: &[String]) -> bool {
    let of = |statement| Effects::of(statement, references);
    let (Some(first), Some(second)) = (of(first), of(second)) else { return false };
    !first.change_those_of(&second) && !second.change_those_of(&first)
}

/// Names of the parameters that are mutable references.
pub(super) fn references(signature: &Signature) -> Vec<String> {
    let name = |input: &FnArg| match input {
        FnArg::Typed(PatType { pat, ty, .. }) => match (&**pat, &**ty) {
            (Pat::Ident(name), Type::Reference(reference)) if reference.mutability.is_some() => {
                Some(name.ident.to_string())
            }
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    signature.inputs.iter().filter_map(name).collect()
}

/// Places that a statement uses and changes.
struct Effects<'a> {
    used: Vec<Place>,
    changed: Vec<Place>,
    /// The statement may leave the function, wait, or call a function that does anything.
    is_unknown: bool,
    references: &'a [String],
}

impl<'a> Effects<'a> {
    /// The effects of an assignment or a method call; `None` if they are not known.
    fn of(statement: &Stmt, references: &'a [String]) -> Option<Self> {
        let Stmt::Expr(code, _) = statement else { return None };
        let mut effects = Effects { used: vec![], changed: vec![], is_unknown: false, references };
        effects.visit_expr(code);
        match code {
            Expr::Assign(assign) => effects.changed.extend(root(&assign.left)),
            Expr::Binary(binary) => effects.changed.extend(root(&binary.left)),
            Expr::MethodCall(call) => effects.changed.extend(root(&call.receiver)),
            _ => return None,
        }
        (!effects.is_unknown).then_some(effects)
    }

    fn change_those_of(&self, other: &Self) -> bool {
        self.changed.iter().any(|changed| other.used.iter().any(|used| overlap(changed, used)))
    }
}

impl<'ast> Visit<'ast> for Effects<'_> {
    fn visit_expr(&mut self, code: &'ast Expr) {
        match code {
            Expr::Try(_) | Expr::Await(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                self.is_unknown = true;
            }
            // Names within a macro are not seen.
            Expr::Macro(_) => self.is_unknown = true,
            Expr::Call(call) => call.args.iter().for_each(|argument| self.argument(argument)),
            Expr::MethodCall(call) => {
                self.visit_expr(&call.receiver);
                call.args.iter().for_each(|argument| self.argument(argument));
            }
            Expr::Index(index) => {
                self.used.extend(root(code));
                self.visit_expr(&index.index);
            }
            _ => match place(code) {
                Some(place) => self.used.push(place),
                None => visit::visit_expr(self, code),
            },
        }
    }
}

impl Effects<'_> {
    /// A callee can change an argument that is a mutable reference.
    fn argument(&mut self, argument: &Expr) {
        let is_mutable = match argument {
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| self.references.iter().any(|r| name == r))
            }
            _ => false,
        };
        if is_mutable {
            self.changed.extend(root(argument));
        }
        self.visit_expr(argument);
    }
}

/// The place that an expression names; `None` for other expressions.
fn place(code: &Expr) -> Option<Place> {
    match code {
        Expr::Path(path) => path.path.get_ident().map(|name| vec![name.to_string()]),
        Expr::Field(field) => {
            let mut place = place(&field.base)?;
            place.push(match &field.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            });
            Some(place)
        }
        Expr::Unary(unary) => place(&unary.expr),
        Expr::Reference(reference) => place(&reference.expr),
        Expr::Paren(inner) => place(&inner.expr),
        _ => None,
    }
}

/// The place that an expression is in: an element is in its vector, and a result in the receiver of the call.
fn root(code: &Expr) -> Option<Place> {
    match code {
        Expr::Index(index) => root(&index.expr),
        Expr::MethodCall(call) => root(&call.receiver),
        Expr::Field(field) if place(code).is_none() => root(&field.base),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Reference(reference) => root(&reference.expr),
        _ => place(code),
    }
}

/// One place is the other or a part of it.
fn overlap(a: &Place, b: &Place) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}
