//! Blocks to verilate, and deliberate faults in them.

/// A block to verilate on its own.
#[derive(Clone, Debug)]
pub struct Block {
    /// Name by which it is opened, and of its C++ class after a `V`.
    pub name: String,
    /// Its top module.
    pub module: String,
    /// A deliberate fault.
    pub fault: Option<Fault>,
    /// Only the pins of the top module are visible, not those of the blocks in it.
    pub lean: bool,
}

/// A change to the text of one module of a block, made in a copy: `rtl/` stays as it is.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Module with the fault: the block itself or one below it.
    pub module: String,
    /// Text that is replaced; it occurs exactly once.
    pub right: String,
    /// Its replacement.
    pub wrong: String,
}

impl Block {
    /// The block of a module, opened under the module's name.
    pub fn new(module: &str) -> Self {
        Self { name: module.into(), module: module.into(), fault: None, lean: false }
    }

    /// A device with the pins of its top module alone, opened as `<module>_lean`.
    pub fn lean(module: &str) -> Self {
        Self { name: format!("{module}_lean"), lean: true, ..Self::new(module) }
    }

    /// The block of `top` with a fault in one of its modules, opened as `name`.
    pub fn faulty(name: &str, top: &str, module: &str, right: &str, wrong: &str) -> Self {
        let fault = Fault { module: module.into(), right: right.into(), wrong: wrong.into() };
        Self { name: name.into(), module: top.into(), fault: Some(fault), lean: false }
    }
}

impl Fault {
    /// The text of the module at `path` with the fault. Messages about it name the line of the module
    /// without the fault.
    pub fn put_into(&self, text: &str, path: &str) -> Result<String, String> {
        let Some((before, after)) = text.split_once(&self.right) else {
            return Err(format!("{path}: `{}` does not occur", self.right));
        };
        if after.contains(&self.right) {
            return Err(format!("{path}: `{}` occurs more than once", self.right));
        }
        let line = before.matches('\n').count() + self.right.matches('\n').count() + 1;
        let wrong = &self.wrong;
        Ok(format!("`line 1 \"{path}\" 0\n{before}{wrong}\n`line {line} \"{path}\" 0\n{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(right: &str) -> Fault {
        Fault { module: "toy".into(), right: right.into(), wrong: "x\n  y".into() }
    }

    #[test]
    fn fault_keeps_the_line_numbers_of_the_module() {
        let text = fault("b\n").put_into("a\nb\nc\n", "rtl/toy.sv").unwrap();
        assert_eq!(text, "`line 1 \"rtl/toy.sv\" 0\na\nx\n  y\n`line 3 \"rtl/toy.sv\" 0\nc\n");
    }

    #[test]
    fn fault_needs_its_text_exactly_once() {
        let error = fault("b").put_into("a b c b", "rtl/toy.sv").unwrap_err();
        assert_eq!(error, "rtl/toy.sv: `b` occurs more than once");
        let error = fault("d").put_into("a b c b", "rtl/toy.sv").unwrap_err();
        assert_eq!(error, "rtl/toy.sv: `d` does not occur");
    }
}
