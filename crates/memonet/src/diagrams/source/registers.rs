//! Names under which a function refers to the registers before and after the edge.

use std::collections::BTreeMap;

use syn::{Expr, ExprField, Member};

/// Local names of a function and the expressions that they are bound to.
#[derive(Clone, Default)]
pub struct Scope {
    pub bound: BTreeMap<String, Expr>,
    /// `self` are the registers after the edge.
    pub self_is_next: bool,
}

/// Whether an expression is the state register before the edge.
pub fn is_state(expression: &Expr, scope: &Scope) -> bool {
    matches!(expression, Expr::Field(field) if is_field(field, "state") && is_now(&field.base, scope))
}

/// Whether an expression is the state register after the edge.
pub fn is_next_state(expression: &Expr, scope: &Scope) -> bool {
    matches!(expression, Expr::Field(field) if is_field(field, "state") && is_next(&field.base, scope))
}

fn is_field(field: &ExprField, name: &str) -> bool {
    matches!(&field.member, Member::Named(member) if member == name)
}

/// Whether an expression is the registers before the edge: `q`, `self` or `self.q`.
pub fn is_now(expression: &Expr, scope: &Scope) -> bool {
    match expression {
        Expr::Field(field) => is_field(field, "q") && is_now(&field.base, scope),
        _ => is_named(expression, "q") || is_named(expression, "self") && !scope.self_is_next,
    }
}

/// Whether an expression is the registers after the edge: `d`, or `self` in a method that was called on them.
pub fn is_next(expression: &Expr, scope: &Scope) -> bool {
    is_named(expression, "d") || is_named(expression, "self") && scope.self_is_next
}

fn is_named(expression: &Expr, name: &str) -> bool {
    matches!(expression, Expr::Path(path) if path.path.is_ident(name))
}
