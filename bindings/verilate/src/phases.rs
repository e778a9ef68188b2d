//! Calls the parts of a block's `eval()` separately.

/// C++ code of the parts of a block's `eval()`: logic after inputs, detection of rising clocks, logic after
/// them.
pub fn emit(name: &str, generated: &str) -> Option<String> {
    let root = format!("V{name}___024root");
    let has = |function: &str| generated.contains(&format!("\nvoid {root}___{function}({root}* vlSelf) {{"));
    if !["eval_triggers__act", "eval_act", "eval_nba"].into_iter().all(has) {
        return None;
    }
    let inputs = if has("eval_ico") && has("eval_triggers__ico") {
        format!(
            "root->__VicoIterCount = 0;\n    {root}___eval_triggers__ico(root);\n    {root}___eval_ico(root);"
        )
    } else {
        String::from("(void)root;")
    };
    let cold = format!("\nVL_ATTR_COLD void {root}___eval_settle({root}* vlSelf) {{");
    let settle = if generated.contains(&cold) {
        format!("{root}___eval_settle(root);")
    } else {
        String::from("(void)root;")
    };
    Some(format!(
        "namespace {{
struct Phases {{
  static void inputs({root}* root) {{
    {inputs}
  }}
  static void settle({root}* root) {{
    {settle}
  }}
  static bool triggered({root}* root) {{
    {root}___eval_triggers__act(root);
    return root->__VactTriggered.any();
  }}
  static void edges({root}* root) {{
    root->__VnbaTriggered = root->__VactTriggered;
    {root}___eval_act(root);
    {root}___eval_nba(root);
  }}
}};
}}  // namespace
"
    ))
}
