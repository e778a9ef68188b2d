//! The faults that a source file can have.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Lit, Pat, Signature, Stmt};

use super::SourceFile;
use super::fault::{CodeFault, CodeOperator};
use super::places::{commute, references};
use super::site::{Form, Site};

/// Every fault that a source file can have, in the order of its lines. Tests, constants, `const` functions,
/// texts of messages (`Display` and `Debug`) and arguments of macros have none.
pub fn sites(file: &SourceFile) -> syn::Result<Vec<Site>> {
    let syntax = syn::parse_file(&file.text)?;
    let mut finder = Finder { file, sites: vec![], path: vec![], references: vec![], same: BTreeMap::new() };
    finder.visit_file(&syntax);
    finder.sites.sort_by(|a, b| a.fault.cmp(&b.fault));
    Ok(finder.sites)
}

struct Finder<'a> {
    file: &'a SourceFile,
    sites: Vec<Site>,
    /// Names of the types and functions around the visited code.
    path: Vec<String>,
    /// Parameters of the visited function that are mutable references.
    references: Vec<String>,
    /// Count of the faults with the same text.
    same: BTreeMap<(String, String), usize>,
}

impl Finder<'_> {
    fn text(&self, code: &impl Spanned) -> &str {
        &self.file.text[code.span().byte_range()]
    }

    /// The code in one line, without comments.
    fn one_line(&self, range: Range<usize>) -> String {
        let lines = self.file.text[range].lines();
        let code = lines.map(|line| line.split_once("// ").map_or(line, |(code, _)| code));
        code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    fn add(
        &mut self,
        operator: CodeOperator,
        range: Range<usize>,
        form: Form,
        mutated: String,
        change: String,
    ) {
        let function = self.path.join("::");
        let occurrence = self.same.entry((function.clone(), change.clone())).or_default();
        *occurrence += 1;
        let line = self.file.text[..range.start].matches('\n').count() + 1;
        let block = self.file.name.clone();
        let fault = CodeFault { block, line, operator, function, change, occurrence: *occurrence };
        self.sites.push(Site { fault, range, form, mutated });
    }

    /// Adds a fault that replaces an expression by another one.
    fn replace(&mut self, operator: CodeOperator, code: &impl Spanned, mutated: String) {
        let range = code.span().byte_range();
        let after = mutated.split_whitespace().collect::<Vec<_>>().join(" ");
        let change = format!("`{}` becomes `{after}`", self.one_line(range.clone()));
        self.add(operator, range, Form::Expression, mutated, change);
    }

    /// Adds a fault that replaces statements by others.
    fn restate(&mut self, operator: CodeOperator, range: Range<usize>, mutated: String, change: String) {
        self.add(operator, range, Form::Statements, mutated, change);
    }

    fn visit_function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        if !is_test(attributes) && signature.constness.is_none() {
            self.path.push(signature.ident.to_string());
            let outer = std::mem::replace(&mut self.references, references(signature));
            self.visit_block(block);
            self.references = outer;
            self.path.pop();
        }
    }

    fn binary(&mut self, code: &syn::ExprBinary) {
        use CodeOperator::*;
        let (left, right) = (self.text(&code.left).to_string(), self.text(&code.right).to_string());
        let mut with = |operator, sign: &str| self.replace(operator, code, format!("{left} {sign} {right}"));
        match code.op {
            BinOp::Lt(_) => with(ComparisonEdge, "<="),
            BinOp::Le(_) => with(ComparisonEdge, "<"),
            BinOp::Gt(_) => with(ComparisonEdge, ">="),
            BinOp::Ge(_) => with(ComparisonEdge, ">"),
            BinOp::Eq(_) => {
                with(InvertedComparison, "!=");
                if is_constant(&code.left) || is_constant(&code.right) {
                    with(ComparisonEdge, ">=");
                }
            }
            BinOp::Ne(_) => with(InvertedComparison, "=="),
            BinOp::And(_) | BinOp::Or(_) => {
                self.replace(LeftOutCondition, code, left);
                self.replace(LeftOutCondition, code, right);
            }
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Rem(_) | BinOp::BitOr(_) => {
                self.replace(LeftOutTerm, code, left);
            }
            _ => {}
        }
        if counts(&code.op) {
            for operand in [&code.left, &code.right] {
                if is_constant(operand) {
                    self.one_more(operand, code);
                }
            }
        }
    }

    /// Adds the fault of a constant that is one too large within an expression.
    fn one_more(&mut self, constant: &Expr, within: &syn::ExprBinary) {
        let range = constant.span().byte_range();
        let mutated = format!("{} + 1", self.text(constant));
        let around = self.one_line(within.span().byte_range());
        let change = format!("`{}` becomes `{mutated}` in `{around}`", self.one_line(range.clone()));
        self.add(CodeOperator::OffByOne, range, Form::Expression, mutated, change);
    }

    fn condition(&mut self, code: &syn::ExprIf) {
        use CodeOperator::*;
        let condition = &*code.cond;
        if has_let(condition) {
            return;
        }
        if code.else_branch.is_none() && leaves(&code.then_branch) {
            self.replace(SkippedReturn, condition, "false".into());
            self.replace(NegatedReturn, condition, format!("!({})", self.text(condition)));
        } else {
            self.replace(SkippedCheck, condition, "true".into());
            self.replace(FailedCheck, condition, "false".into());
        }
    }

    fn statements(&mut self, block: &Block) {
        let mut before: Option<&Stmt> = None;
        for statement in &block.stmts {
            let Some(operator) = effect(statement) else {
                before = None;
                continue;
            };
            let range = statement.span().byte_range();
            let text = self.one_line(range.clone());
            self.restate(operator, range.clone(), String::new(), format!("`{text}` is left out"));
            // A statement changes places with one neighbour only, so that ranges do not overlap.
            let Some(first) =
                before.replace(statement).filter(|first| !commute(first, statement, &self.references))
            else {
                continue;
            };
            before = None;
            let both = first.span().byte_range().start..range.end;
            let swapped = format!("{}\n{}", self.text(statement), self.text(first));
            let change = format!("`{}` and `{text}` change places", self.one_line(first.span().byte_range()));
            self.restate(CodeOperator::SwappedStatements, both, swapped, change);
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name =
            |path: &syn::Path| path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let prints =
            item.trait_.as_ref().is_some_and(|(path, _)| ["Display", "Debug"].contains(&&*name(path)));
        if prints || is_test(&item.attrs) {
            return;
        }
        let own = match &*item.self_ty {
            syn::Type::Path(path) => name(&path.path),
            other => self.one_line(other.span().byte_range()),
        };
        self.path.push(own);
        visit::visit_item_impl(self, item);
        self.path.pop();
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.path.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.path.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.visit_function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.visit_function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.visit_function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.statements(block);
        visit::visit_block(self, block);
    }

    fn visit_expr_if(&mut self, code: &'ast syn::ExprIf) {
        self.condition(code);
        visit::visit_expr_if(self, code);
    }

    fn visit_expr_binary(&mut self, code: &'ast syn::ExprBinary) {
        if !has_let(&code.left) && !has_let(&code.right) {
            self.binary(code);
        }
        visit::visit_expr_binary(self, code);
    }

    fn visit_expr_method_call(&mut self, code: &'ast syn::ExprMethodCall) {
        let receiver = self.text(&code.receiver).to_string();
        let instead = match (code.method.to_string().as_str(), code.args.len()) {
            ("min", 1) => Some("max"),
            ("max", 1) => Some("min"),
            ("any", 1) => Some("all"),
            ("all", 1) => Some("any"),
            ("saturating_sub", 1) => {
                self.replace(CodeOperator::LeftOutTerm, code, receiver.clone());
                None
            }
            _ => None,
        };
        if let (Some(instead), Some(argument)) = (instead, code.args.first()) {
            let argument = self.text(argument);
            let mutated = format!("{receiver}.{instead}({argument})");
            self.replace(CodeOperator::WrongBound, code, mutated);
        }
        visit::visit_expr_method_call(self, code);
    }

    /// The length of an array is a constant.
    fn visit_expr_repeat(&mut self, code: &'ast syn::ExprRepeat) {
        self.visit_expr(&code.expr);
    }

    fn visit_expr_match(&mut self, code: &'ast syn::ExprMatch) {
        let has_rest = code.arms.last().is_some_and(|arm| matches!(arm.pat, Pat::Wild(_)));
        for arm in code.arms.iter().take(code.arms.len().saturating_sub(1)).filter(|_| has_rest) {
            if !matches!(arm.pat, Pat::Guard(_)) {
                let range = arm.pat.span().byte_range();
                let change = format!("the case `{}` is left out", self.one_line(range.clone()));
                self.add(CodeOperator::LostArm, range.end..range.end, Form::Guard, String::new(), change);
            }
        }
        visit::visit_expr_match(self, code);
    }

    /// Only the guard of a pattern is code.
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        let Pat::Guard(guarded) = pattern else { return };
        if !has_let(&guarded.guard) {
            self.replace(CodeOperator::DroppedGuard, &guarded.guard, "true".into());
        }
        self.visit_expr(&guarded.guard);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

/// The operator compares, adds or subtracts numbers.
fn counts(operator: &BinOp) -> bool {
    let compares = matches!(
        operator,
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)
    );
    compares || matches!(operator, BinOp::Add(_) | BinOp::Sub(_))
}

/// The expression is an integer literal or the name of a constant.
fn is_constant(code: &Expr) -> bool {
    match code {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        }),
        _ => false,
    }
}

/// The condition binds names, so it is no value.
fn has_let(code: &Expr) -> bool {
    match code {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The block ends by leaving the function or the loop.
fn leaves(block: &Block) -> bool {
    let Some(Stmt::Expr(last, _)) = block.stmts.last() else { return false };
    matches!(last, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

/// The fault that leaves out this statement; `None` if other code may depend on its presence to compile.
fn effect(statement: &Stmt) -> Option<CodeOperator> {
    let Stmt::Expr(code, Some(_)) = statement else { return None };
    match code {
        Expr::Assign(assign) => is_inside(&assign.left).then_some(CodeOperator::DroppedAssignment),
        Expr::Binary(binary) => is_inside(&binary.left).then_some(CodeOperator::DroppedAssignment),
        Expr::MethodCall(_) => Some(CodeOperator::DroppedCall),
        Expr::Call(call) => (!is_drop(call)).then_some(CodeOperator::DroppedCall),
        Expr::Try(question) => matches!(&*question.expr, Expr::Call(_) | Expr::MethodCall(_))
            .then_some(CodeOperator::DroppedCall),
        _ => None,
    }
}

/// The place is a field, an element or behind a reference. Variables may need a value to compile.
fn is_inside(place: &Expr) -> bool {
    matches!(place, Expr::Field(_) | Expr::Index(_) | Expr::Unary(_))
}

fn is_drop(call: &syn::ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident("drop"))
}
