//! Differences between Rust and SystemVerilog in the text of a block.

/// Rules by which one language is read.
#[derive(Debug)]
pub(crate) struct Language {
    /// Labels of an arm that begins in this line.
    pub labels: fn(&str) -> Vec<&str>,
    /// Whether a line selects by the register of a state machine.
    pub selects: fn(&str, register: &str) -> bool,
    /// Whether a line assigns the next value of a register or pin, but does not hold it.
    pub assigns: fn(&str, signal: &str) -> bool,
    /// Whether a line defines a name.
    pub defines: fn(&str, name: &str) -> bool,
}

/// SystemVerilog.
pub(crate) const RTL: Language = Language {
    labels: |line| {
        let bytes = line.as_bytes();
        let colon = (0..bytes.len()).find(|&at| {
            bytes[at] == b':' && bytes.get(at + 1) != Some(&b':') && (at == 0 || bytes[at - 1] != b':')
        });
        let Some(colon) = colon else { return Vec::new() };
        let is_label = |c: char| c.is_alphanumeric() || "_:, ".contains(c);
        if !line[..colon].chars().all(is_label) {
            return Vec::new();
        }
        line[..colon].split(',').map(last_part).collect()
    },
    selects: |line, register| has_word(line, "case") && has_word(line, &format!("{register}_q")),
    assigns: |line, signal| {
        let (name, held) = match signal.strip_prefix("pins_o.") {
            Some(_) => (signal.to_string(), String::new()),
            None => {
                let register = first_part(signal);
                (format!("{register}_d"), format!("{register}_d = {register}_q;"))
            }
        };
        line.trim() != held && is_assigned(line, &name)
    },
    defines: |line, name| {
        let code = line.trim_start();
        let before = |end: char| code.split(end).next().and_then(|text| names(text).last()) == Some(name);
        match code.split(' ').next() {
            Some("function") => before('('),
            Some("localparam") => before('='),
            _ => is_assigned(code.strip_prefix("assign ").unwrap_or(code), name),
        }
    },
};

/// Rust.
pub(crate) const RUST: Language = Language {
    labels: |line| {
        let Some((pattern, _)) = line.split_once("=>") else { return Vec::new() };
        let pattern = pattern.split(" if ").next().unwrap_or(pattern);
        pattern.split('|').map(last_part).collect()
    },
    selects: |line, register| {
        line.split_once("match ").is_some_and(|(_, value)| has_word(value, &format!(".{register}")))
    },
    assigns: |line, signal| match signal.strip_prefix("pins_o.") {
        // A field of the structure that `outputs()` returns.
        Some(pin) => line.trim_start().strip_prefix(first_part(pin)).is_some_and(|rest| {
            rest.starts_with(": ") && !rest.contains("bool,") && !rest.starts_with(": u") || rest == ","
        }),
        None => is_assigned(line, &format!(".{}", first_part(signal))),
    },
    defines: |line, name| {
        let mut words = names(line).skip_while(|word| !["let", "const", "fn"].contains(word));
        match words.next() {
            // A pattern may have several names.
            Some("let") => {
                let pattern = line.split(['=', ':']).next().unwrap_or(line);
                name != "mut" && has_word(pattern, name)
            }
            Some("const") => words.find(|word| *word != "fn") == Some(name),
            Some("fn") => words.next() == Some(name),
            _ => false,
        }
    },
};

fn last_part(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name).trim()
}

fn first_part(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The words of a line that can be names.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !in_word(c));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic()))
}

/// The words of a line that are not fields of a structure; a method is none.
pub(crate) fn free_names(line: &str) -> impl Iterator<Item = &str> {
    names(line).filter(move |word| {
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        !line[..at].ends_with('.') || line[at + word.len()..].starts_with('(')
    })
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Ends of the occurrences of a name as a whole word.
fn words<'a>(line: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    line.match_indices(name).filter_map(move |(at, _)| {
        let end = at + name.len();
        // A field has the name of its structure before it.
        let begins = name.starts_with('.') || !line[..at].ends_with(|c| in_word(c) || c == '.');
        (begins && !line[end..].starts_with(in_word)).then_some(end)
    })
}

/// Whether a name occurs in a line as a whole word.
pub(crate) fn has_word(line: &str, name: &str) -> bool {
    !name.is_empty() && words(line, name).next().is_some()
}

/// Whether a line assigns a name, a part of it, or a list of names that includes it.
fn is_assigned(line: &str, name: &str) -> bool {
    words(line, name).any(|end| {
        let mut rest = after_parts(&line[end..]);
        if rest.starts_with([',', '}', ')']) && in_list(&line[..end]) {
            rest = rest.split_once(['}', ')']).map_or("", |(_, rest)| rest).trim_start();
        }
        let operator = rest.trim_start_matches(['+', '-', '*', '|', '&', '^']);
        operator.starts_with('=') && !operator.starts_with("==") && !operator.starts_with("=>")
    })
}

/// Whether the text up to a name ends within a list that a statement begins with.
fn in_list(text: &str) -> bool {
    let before = text.rfind(['(', '{']).map(|open| text[..open].trim_end());
    before.is_some_and(|before| {
        before.is_empty() || ["=>", ":", "assign", "begin"].iter().any(|word| before.ends_with(word))
    })
}

/// The text after the indices and fields that follow a name.
fn after_parts(mut rest: &str) -> &str {
    loop {
        let next = match rest.chars().next() {
            Some('[') => rest.split_once(']').map_or("", |(_, rest)| rest),
            Some('.') => rest[1..].trim_start_matches(in_word),
            _ => return rest.trim_start(),
        };
        rest = next;
    }
}
