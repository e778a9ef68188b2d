use super::*;

fn file(text: &str) -> SourceFile {
    SourceFile { name: "module".into(), path: "src/module.rs".into(), text: text.into() }
}

/// The sites of an operator in a function with this body.
fn of_body(operator: CodeOperator, body: &str) -> (String, Vec<Site>) {
    let text = format!("fn f(out: &mut Vec<u32>) {{ {body} }}");
    let all = sites(&file(&text)).unwrap();
    (text, all.into_iter().filter(|site| site.fault.operator == operator).collect())
}

/// The body of a function with each fault of an operator, as if the fault were written in place of the code.
fn bodies(operator: CodeOperator, body: &str) -> Vec<String> {
    let (text, sites) = of_body(operator, body);
    let with = |site: &Site| {
        let mutated = match site.form {
            site::Form::Guard => " if false",
            _ => &site.mutated,
        };
        let range = site.range.clone();
        let whole = [&text[..range.start], mutated, &text[range.end..]].concat();
        let words: Vec<_> = whole.split_whitespace().collect();
        let whole = words.join(" ");
        let body = whole.strip_prefix("fn f(out: &mut Vec<u32>) {").and_then(|rest| rest.strip_suffix("}"));
        body.expect("the function is around it").trim().to_string()
    };
    sites.iter().map(with).collect()
}

#[test]
fn each_operator_changes_its_code() {
    use CodeOperator::*;
    let cases: &[(CodeOperator, &str, &[&str])] = &[
        (ComparisonEdge, "a < b", &["a <= b"]),
        (ComparisonEdge, "a <= b", &["a < b"]),
        (ComparisonEdge, "a > b", &["a >= b"]),
        (ComparisonEdge, "a >= b", &["a > b"]),
        (ComparisonEdge, "a == MOST", &["a >= MOST"]),
        (ComparisonEdge, "a == b", &[]),
        (InvertedComparison, "a == b", &["a != b"]),
        (InvertedComparison, "a != b", &["a == b"]),
        (OffByOne, "a < 8", &["a < 8 + 1"]),
        (OffByOne, "MOST - a", &["MOST + 1 - a"]),
        (OffByOne, "a * 2", &[]),
        (SkippedCheck, "if a { b() } else { c() }", &["if true { b() } else { c() }"]),
        (SkippedCheck, "if let Some(a) = b { c() }", &[]),
        (FailedCheck, "if a { b(); }", &["if false { b(); }"]),
        (SkippedReturn, "if a { return; }", &["if false { return; }"]),
        (NegatedReturn, "if a || b { break }", &["if !(a || b) { break }"]),
        (DroppedGuard, "match a { b if c => 1, _ => 2 }", &["match a { b if true => 1, _ => 2 }"]),
        (LostArm, "match a { 1 => b, _ => c }", &["match a { 1 if false => b, _ => c }"]),
        (LostArm, "match a { 1 => b, c => c }", &[]),
        (LeftOutCondition, "a && b", &["a", "b"]),
        (LeftOutCondition, "a || b", &["a", "b"]),
        (LeftOutTerm, "a + b", &["a"]),
        (LeftOutTerm, "a.saturating_sub(b)", &["a"]),
        (WrongBound, "a.min(b)", &["a.max(b)"]),
        (WrongBound, "a.iter().all(b)", &["a.iter().any(b)"]),
        (DroppedAssignment, "a.b = c;", &[""]),
        (DroppedAssignment, "a[0] += c;", &[""]),
        (DroppedAssignment, "a = c;", &[]),
        (DroppedCall, "a.b(c)?;", &[""]),
        (DroppedCall, "drop(a);", &[]),
        (DroppedCall, "let a = b();", &[]),
        (SwappedStatements, "a(); b();", &["b(); a();"]),
        (SwappedStatements, "a(); let c = 1; b();", &[]),
        (SwappedStatements, "a.b = c; c.push(d);", &["c.push(d); a.b = c;"]),
        (SwappedStatements, "self.a(); self.b.c = 1;", &["self.b.c = 1; self.a();"]),
        (SwappedStatements, "a.b(out); out.c();", &["out.c(); a.b(out);"]),
        (SwappedStatements, "a.b()?; c.d();", &["c.d(); a.b()?;"]),
        (SwappedStatements, "a[b] = 1; a[c] = 2;", &["a[c] = 2; a[b] = 1;"]),
        (SwappedStatements, "a.b(out); c.d(out);", &["c.d(out); a.b(out);"]),
        (SwappedStatements, "a.b(c); out.d(c);", &[]),
        (SwappedStatements, "self.a = c; self.b = c;", &[]),
        (SwappedStatements, "self.a.push(c); b.c += 1; b.c(d);", &["self.a.push(c); b.c(d); b.c += 1;"]),
    ];
    for (operator, body, mutated) in cases {
        // Faults of one place are in the order of their descriptions.
        assert_eq!(bodies(*operator, body), *mutated, "{operator:?} of `{body}`");
    }
}

#[test]
fn code_without_effect_on_results_has_no_faults() {
    for text in [
        "#[test] fn f() { a(); }",
        "#[cfg(test)] mod tests { fn f() { a(); } }",
        "impl fmt::Display for A { fn fmt(&self) { a(); } }",
        "impl Debug for A { fn fmt(&self) { a(); } }",
        "const fn f() -> u32 { 1 + 1 }",
        "const A: u32 = 1 + 1;",
        "static A: u32 = 1 + 1;",
        "enum A { B = 1 + 1 }",
        "fn f() { let a: [u8; 1 + 1] = [0; 1 + 1]; }",
        "fn f() { format!(\"{}\", a + b) }",
    ] {
        assert_eq!(sites(&file(text)).unwrap(), [], "{text}");
    }
}

#[test]
fn faults_name_type_function_and_occurrence() {
    let text = "impl<T> Queue<T> {\n    fn full(&self) -> bool {\n        a == b || a == b\n    }\n}";
    let all = sites(&file(text)).unwrap();
    let compared = all.iter().filter(|site| site.fault.operator == CodeOperator::InvertedComparison);
    let texts: Vec<_> = compared.map(|site| (site.fault.line, site.fault.to_string())).collect();
    let fault = "module: in `Queue::full`, `a == b` becomes `a != b`";
    assert_eq!(texts, [(3, fault.to_string()), (3, format!("{fault} (occurrence 2)"))]);
}

#[test]
fn planted_faults_are_chosen_by_their_numbers() {
    let text = "fn f(a: u32) -> u32 { if a < 2 { return 1; } match a { 3 => 4, _ => 5 } }";
    let all = sites(&file(text)).unwrap();
    let find = |change: &str| all.iter().find(|site| site.fault.change.contains(change)).unwrap();
    let edge = find("becomes `a <= 2`");
    let never = find("becomes `false`");
    let arm = find("the case `3` is left out");
    let planting = plant(text, &[(1, edge), (2, never), (3, arm)]);
    let expected = "fn f(a: u32) -> u32 { if (\
        if crate::mutated::active(1) { (a <= 2\n) } else \
        if crate::mutated::active(2) { (false\n) } else { (a < 2\n) }) { return 1; } \
        match a { 3 if !crate::mutated::active(3) => 4, _ => 5 } }";
    assert_eq!(planting.text, expected);
    syn::parse_file(&planting.text).unwrap();
    let at = |part: &str| {
        let start = planting.text.find(part).unwrap();
        start..start + part.len()
    };
    assert_eq!(planting.faults_at(at("a <= 2")), [1]);
    assert_eq!(planting.faults_at(at("false")), [2]);
    assert_eq!(planting.faults_at(at("!crate::mutated::active(3)")), [3]);
    assert_eq!(planting.faults_at(at("return 1")), [0; 0]);
}

#[test]
fn faults_within_faults_are_planted_inside_the_original() {
    let text = "fn f() -> bool { a < 1 && b }";
    let all = sites(&file(text)).unwrap();
    let numbered: Vec<_> = (1..).zip(&all).collect();
    let planting = plant(text, &numbered);
    syn::parse_file(&planting.text).unwrap();
    for (number, site) in numbered {
        let choice = format!("if crate::mutated::active({number}) {{ ({}\n) }} else ", site.mutated);
        assert_eq!(planting.text.matches(&choice).count(), 1, "{}: {}", site.fault, planting.text);
    }
    assert_eq!(planting.text.matches("a < 1\n").count(), 1, "{}", planting.text);
}
