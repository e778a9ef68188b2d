//! Interpretation of the function of the next state, for one state.

use hdl::StateMachineTable;
use syn::parse::ParseStream;
use syn::{Block, Expr, Lit, Local, Pat, Stmt, Token};

use super::registers::{Scope, is_next, is_next_state, is_now, is_state};
use super::{Source, States};

/// Interpretation for one state.
pub(super) struct Run<'a> {
    pub source: &'a Source,
    pub table: &'static StateMachineTable,
    pub state: &'a str,
    /// Possible values of the state register after the edge.
    pub next: States,
}

impl Run<'_> {
    /// Follows the statements of a block. Returns the states that its last expression can denote.
    pub fn block(&mut self, block: &Block, scope: &mut Scope) -> States {
        let mut value = States::new();
        for statement in &block.stmts {
            value = match statement {
                Stmt::Local(local) => {
                    self.bind(local, scope);
                    States::new()
                }
                Stmt::Expr(expression, _) => self.value(expression, scope),
                _ => States::new(),
            };
        }
        value
    }

    /// Follows an initial value, and keeps it where the name has no other value later.
    fn bind(&mut self, local: &Local, scope: &mut Scope) {
        let (Some(init), Pat::Ident(name)) = (&local.init, &local.pat) else { return };
        self.value(&init.expr, scope);
        match name.mutability {
            None => scope.bound.insert(name.ident.to_string(), (*init.expr).clone()),
            Some(_) => scope.bound.remove(&name.ident.to_string()),
        };
    }

    /// Follows an expression. Returns the states that it can denote, none if it is no state.
    fn value(&mut self, expression: &Expr, scope: &mut Scope) -> States {
        match expression {
            Expr::Assign(assign) => {
                let value = self.value(&assign.right, scope);
                if is_next_state(&assign.left, scope) {
                    self.next = value;
                } else if is_next(&assign.left, scope) {
                    // `d = Self::default()`: the registers take their reset values.
                    self.next = [self.table.states[0].name.to_string()].into();
                }
                States::new()
            }
            Expr::Path(path) => self.named(path),
            Expr::Block(block) => self.block(&block.block, &mut scope.clone()),
            Expr::Paren(inner) => self.value(&inner.expr, scope),
            Expr::If(branch) => self.branch(branch, scope),
            Expr::Match(choice) => self.choice(choice, scope),
            Expr::Call(call) => self.call(call, scope),
            Expr::MethodCall(call) => self.method(call, scope),
            Expr::ForLoop(each) => self.repeated(&each.body, scope),
            Expr::While(each) => self.repeated(&each.body, scope),
            _ => States::new(),
        }
    }

    fn named(&self, path: &syn::ExprPath) -> States {
        let last = path.path.segments.last().map(|segment| segment.ident.to_string());
        last.filter(|name| self.table.code(name).is_some()).into_iter().collect()
    }

    fn branch(&mut self, branch: &syn::ExprIf, scope: &mut Scope) -> States {
        let holds = self.holds(&branch.cond, scope);
        let before = self.next.clone();
        let (mut value, mut next) = (States::new(), States::new());
        if holds != Some(false) {
            value.extend(self.block(&branch.then_branch, &mut scope.clone()));
            next.append(&mut self.next);
        }
        self.next = before;
        if holds != Some(true) {
            if let Some((_, other)) = &branch.else_branch {
                value.extend(self.value(other, scope));
            }
            next.append(&mut self.next);
        }
        self.next = next;
        value
    }

    fn choice(&mut self, choice: &syn::ExprMatch, scope: &mut Scope) -> States {
        let by_state = is_state(&choice.expr, scope);
        let before = self.next.clone();
        let (mut value, mut next) = (States::new(), States::new());
        for arm in &choice.arms {
            if by_state && !self.matches(&arm.pat) {
                continue;
            }
            self.next = before.clone();
            value.extend(self.value(&arm.body, &mut scope.clone()));
            next.append(&mut self.next);
            if by_state && !has_guard(arm) {
                break;
            }
        }
        self.next = next;
        value
    }

    fn repeated(&mut self, body: &Block, scope: &mut Scope) -> States {
        let before = self.next.clone();
        self.block(body, &mut scope.clone());
        self.next.extend(before);
        States::new()
    }

    /// A call of a closure, or of a function without receiver.
    fn call(&mut self, call: &syn::ExprCall, scope: &mut Scope) -> States {
        let Expr::Path(path) = &*call.func else { return States::new() };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return States::new() };
        match scope.bound.get(&name).cloned() {
            Some(Expr::Closure(closure)) => self.value(&closure.body, scope),
            _ => States::new(),
        }
    }

    /// A call of a method on the registers before or after the edge.
    fn method(&mut self, call: &syn::ExprMethodCall, scope: &mut Scope) -> States {
        let on_next = is_next(&call.receiver, scope);
        if !on_next && !is_now(&call.receiver, scope) {
            return States::new();
        }
        let functions = self.source.functions.get(&call.method.to_string()).into_iter().flatten();
        let before = self.next.clone();
        let (mut value, mut next) = (States::new(), States::new());
        for function in functions.filter(|function| function.has_receiver) {
            self.next = before.clone();
            value
                .extend(self.block(&function.body, &mut Scope { self_is_next: on_next, ..Scope::default() }));
            next.append(&mut self.next);
        }
        self.next = if next.is_empty() { before } else { next };
        value
    }

    /// Whether a condition holds; `None` if that depends on more than the state before the edge.
    fn holds(&mut self, condition: &Expr, scope: &Scope) -> Option<bool> {
        match condition {
            Expr::Paren(inner) => self.holds(&inner.expr, scope),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Bool(literal) => Some(literal.value),
                _ => None,
            },
            Expr::Unary(not) if matches!(not.op, syn::UnOp::Not(_)) => {
                self.holds(&not.expr, scope).map(|b| !b)
            }
            Expr::Binary(binary) => self.both(binary, scope),
            Expr::Path(path) => {
                let bound = scope.bound.get(&path.path.get_ident()?.to_string())?.clone();
                self.holds(&bound, scope)
            }
            Expr::Macro(call) if call.mac.path.is_ident("matches") => {
                let (scrutinee, pattern) = call.mac.parse_body_with(arguments_of_matches).ok()?;
                is_state(&scrutinee, scope).then(|| self.matches(&pattern))
            }
            Expr::Match(choice) if is_state(&choice.expr, scope) => {
                let arm = choice.arms.iter().find(|arm| self.matches(&arm.pat))?;
                if has_guard(arm) { None } else { self.holds(&arm.body, scope) }
            }
            Expr::MethodCall(call) if is_now(&call.receiver, scope) => {
                let function = self.source.functions.get(&call.method.to_string())?.first()?;
                let [.., Stmt::Expr(last, None)] = &function.body.stmts[..] else { return None };
                self.holds(last, &Scope::default())
            }
            _ => None,
        }
    }

    fn both(&mut self, binary: &syn::ExprBinary, scope: &Scope) -> Option<bool> {
        let sides = |run: &mut Self| (run.holds(&binary.left, scope), run.holds(&binary.right, scope));
        match binary.op {
            syn::BinOp::And(_) => match sides(self) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            syn::BinOp::Or(_) => match sides(self) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            syn::BinOp::Eq(_) | syn::BinOp::Ne(_) if is_state(&binary.left, scope) => {
                let named = match &*binary.right {
                    Expr::Path(path) => self.named(path),
                    _ => return None,
                };
                let equal = named.contains(self.state);
                Some(equal == matches!(binary.op, syn::BinOp::Eq(_)))
            }
            _ => None,
        }
    }

    /// Whether a pattern matches the state before the edge.
    fn matches(&self, pattern: &Pat) -> bool {
        match pattern {
            Pat::Wild(_) => true,
            Pat::Guard(guarded) => self.matches(&guarded.pat),
            Pat::Ident(name) => name.ident == self.state,
            Pat::Path(path) => path.path.segments.last().is_some_and(|segment| segment.ident == self.state),
            Pat::Or(any) => any.cases.iter().any(|case| self.matches(case)),
            _ => false,
        }
    }
}

/// Whether an arm depends on a condition besides its pattern.
fn has_guard(arm: &syn::Arm) -> bool {
    matches!(arm.pat, Pat::Guard(_))
}

/// Arguments of `matches!`: an expression and a pattern.
fn arguments_of_matches(input: ParseStream<'_>) -> syn::Result<(Expr, Pat)> {
    let scrutinee = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    input.parse::<Option<Token![,]>>()?;
    Ok((scrutinee, pattern))
}
