//! Declaration of variables in the header of a file, as one tree of scopes.

use crate::Variable;

/// Receiver of the declarations in a file's header.
pub(crate) trait Declare {
    /// Error of the format.
    type Error;

    /// Opens a scope, which is a block or a bundle.
    fn scope(&mut self, name: &str, bundle: bool) -> Result<(), Self::Error>;

    /// Closes the scope opened last.
    fn up(&mut self) -> Result<(), Self::Error>;

    /// Declares variable number `index` under the last part of its name.
    fn variable(&mut self, index: usize, name: &str, variable: &Variable) -> Result<(), Self::Error>;
}

/// Declares all variables as one tree; every scope is opened once.
pub(crate) fn walk<D: Declare>(variables: &[Variable], declare: &mut D) -> Result<(), D::Error> {
    let mut tree = Tree::default();
    for (index, variable) in variables.iter().enumerate() {
        let blocks = variable.scope_name.split('.').chain(variable.block.split('.'));
        let mut names: Vec<_> = blocks.filter(|part| !part.is_empty()).map(|part| (part, false)).collect();
        let mut fields = variable.name.split('.').map(|part| (part, true));
        let (last, _) = fields.next_back().expect("a name has a part");
        names.extend(fields);
        tree.insert(&names, last, index);
    }
    tree.declare(variables, declare)
}

#[derive(Default)]
struct Tree<'a> {
    scopes: Vec<(&'a str, bool, Tree<'a>)>,
    variables: Vec<(&'a str, usize)>,
}

impl<'a> Tree<'a> {
    fn insert(&mut self, scopes: &[(&'a str, bool)], name: &'a str, index: usize) {
        let [(first, bundle), rest @ ..] = scopes else {
            self.variables.push((name, index));
            return;
        };
        let at = self.scopes.iter().position(|(scope, ..)| scope == first).unwrap_or_else(|| {
            self.scopes.push((first, *bundle, Tree::default()));
            self.scopes.len() - 1
        });
        self.scopes[at].2.insert(rest, name, index);
    }

    fn declare<D: Declare>(&self, variables: &[Variable], declare: &mut D) -> Result<(), D::Error> {
        for (name, index) in &self.variables {
            declare.variable(*index, name, &variables[*index])?;
        }
        for (name, bundle, scope) in &self.scopes {
            declare.scope(name, *bundle)?;
            scope.declare(variables, declare)?;
            declare.up()?;
        }
        Ok(())
    }
}
