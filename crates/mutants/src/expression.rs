//! Parts of an expression that both twins write alike: comparisons, operands of `&&` and `||`, and terms of a
//! sum.

use std::ops::Range;

/// A comparison in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison<'a> {
    /// `<`, `<=`, `>`, `>=`, `==` or `!=`.
    pub operator: &'a str,
    /// Byte range of the operator.
    pub range: Range<usize>,
    /// Value and byte range of the number behind the operator; `None` for other operands.
    pub limit: Option<(u128, Range<usize>)>,
}

/// Operators that compare, and those with the edge on the other side.
const EDGES: [(&str, &str); 6] =
    [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", ">="), ("!=", ">")];

/// The operator with the other edge: `<=` for `<`.
pub fn edge(operator: &str) -> &'static str {
    EDGES.iter().find(|(from, _)| *from == operator).map_or("", |(_, to)| to)
}

/// The comparisons of an expression, in order. Formatters put a space on both sides of an operator.
pub fn comparisons(text: &str) -> Vec<Comparison<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split(' ') {
        let range = at..at + word.len();
        at = range.end + 1;
        if EDGES.iter().any(|(operator, _)| *operator == word) {
            let limit = text.get(at..).and_then(number).map(|(value, length)| (value, at..at + length));
            found.push(Comparison { operator: word, range, limit });
        }
    }
    found
}

/// The value and the length of the number at the begin of a text: `12`, `0x1f`, `4'd12`, `8'hff`.
fn number(text: &str) -> Option<(u128, usize)> {
    let end =
        text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '\'')).unwrap_or(text.len());
    let word = &text[..end];
    // A number that goes on is an operand of another operator.
    if !word.starts_with(|c: char| c.is_ascii_digit()) || text[end..].starts_with(['.', '[']) {
        return None;
    }
    let plain = word.replace('_', "");
    let (radix, digits) = match plain.split_once('\'') {
        Some((_, based)) => (
            match based.chars().next()? {
                'd' => 10,
                'h' => 16,
                'b' => 2,
                _ => return None,
            },
            based[1..].to_string(),
        ),
        None => match plain.strip_prefix("0x") {
            Some(digits) => (16, digits.to_string()),
            None => (10, plain),
        },
    };
    Some((u128::from_str_radix(&digits, radix).ok()?, end))
}

/// The operands of ` && ` or ` || ` at the outermost level and the operator; `None` if there is none or both.
pub fn operands(text: &str) -> Option<(&'static str, Vec<Range<usize>>)> {
    match (split(text, &[" && "]), split(text, &[" || "])) {
        (both, single) if both.len() > 1 && single.len() == 1 => Some((" && ", both)),
        (single, either) if either.len() > 1 && single.len() == 1 => Some((" || ", either)),
        _ => None,
    }
}

/// The operands of ` + ` and ` - ` at the outermost level; `None` for other expressions.
pub fn terms(text: &str) -> Option<Vec<Range<usize>>> {
    let others =
        [" && ", " || ", " ? ", " | ", " & ", " ^ ", " << ", " >> ", " < ", " > ", " == ", " != ", "if "];
    let terms = split(text, &[" + ", " - "]);
    (terms.len() > 1 && others.iter().all(|other| split(text, &[other]).len() == 1)).then_some(terms)
}

/// The parts of a text between separators outside all brackets.
fn split(text: &str, separators: &[&str]) -> Vec<Range<usize>> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if let Some(separator) = separators.iter().find(|separator| text[at..].starts_with(**separator))
            && depth == 0
        {
            parts.push(begin..at);
            begin = at + separator.len();
        }
    }
    parts.push(begin..text.len());
    parts
}

/// The expression without the operand at this place.
pub fn without(text: &str, operands: &[Range<usize>], index: usize) -> String {
    let (before, behind) = match operands.get(index + 1) {
        Some(next) => (&text[..operands[index].start], &text[next.start..]),
        None => (&text[..operands[index - 1].end], ""),
    };
    format!("{before}{behind}")
}

/// The text with a part replaced.
pub fn replaced(text: &str, range: &Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_those_between_spaces() {
        let read = |text| {
            let found = comparisons(text).into_iter();
            found
                .map(|found| (found.operator.to_string(), found.limit.map(|(value, _)| value)))
                .collect::<Vec<_>>()
        };
        assert_eq!(read("q.count <= 12 && x << 3 == y"), [("<=".into(), Some(12)), ("==".into(), None)]);
        assert_eq!(
            read("(count_q <= 4'd12) && a >= 8'hf_f"),
            [("<=".into(), Some(12)), (">=".into(), Some(255))]
        );
        assert_eq!(read("a.map::<u8>(b)"), []);
        assert_eq!(edge("<"), "<=");
    }

    #[test]
    fn operand_is_left_out_at_any_place() {
        let text = "a && (b || c) && !d";
        let (operator, all) = operands(text).unwrap();
        assert_eq!(operator, " && ");
        let left: Vec<_> = (0..all.len()).map(|index| without(text, &all, index)).collect();
        assert_eq!(left, ["(b || c) && !d", "a && !d", "a && (b || c)"]);
        assert_eq!(operands("a && b || c"), None);
        assert_eq!(operands("f(a && b)"), None);
    }

    #[test]
    fn terms_of_a_sum_are_outside_brackets() {
        let text = "q.length + (a - b) - 4";
        let all = terms(text).unwrap();
        assert_eq!(without(text, &all, 2), "q.length + (a - b)");
        assert_eq!(terms("x ? a + b : c"), None);
        assert_eq!(terms("f(a + b)"), None);
    }
}
