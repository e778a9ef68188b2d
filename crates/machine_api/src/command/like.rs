//! Suggestions for mistyped words.

/// Smallest similarity of a suggestion.
const ALIKE: f64 = 0.8;

/// Largest difference of similarity from the best suggestion.
const BEHIND: f64 = 0.05;

/// Longest word for which suggestions are computed.
const LONGEST: usize = 64;

/// Known words similar to the typed one, most similar first, at most three.
///
/// ```
/// assert_eq!(machine_api::command::like("botff", &["bench", "botf", "prim"]), ["botf"]);
/// ```
pub fn like<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    if word.len() > LONGEST {
        return vec![];
    }
    let alike = known.iter().map(|known| (strsim::jaro_winkler(word, known), *known));
    let mut alike: Vec<_> = alike.filter(|(alike, _)| *alike >= ALIKE).collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = alike.first().map_or(0.0, |(alike, _)| *alike);
    let near = alike.into_iter().filter(|(alike, _)| *alike >= best - BEHIND);
    let mut words: Vec<_> = near.map(|(_, known)| known).collect();
    words.dedup();
    words.truncate(3);
    words
}

/// End of an error message about an unknown word: the suggestions, and where all words are listed.
pub fn did_you_mean(like: &[impl AsRef<str>], all: &str) -> String {
    let like: Vec<_> = like.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    if like.is_empty() { format!("; {all}") } else { format!("; did you mean {}? {all}", like.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 6] = ["sreg_read", "sreg_write", "run", "restore", "run", "llcm_read"];

    #[test]
    fn suggestions_are_unique_with_the_most_similar_first() {
        assert_eq!(like("runn", &KNOWN), ["run"]);
        assert_eq!(like("sreg_raed", &KNOWN)[0], "sreg_read");
        assert_eq!(did_you_mean(&like("runn", &KNOWN), "h lists all"), "; did you mean `run`? h lists all");
    }

    #[test]
    fn dissimilar_words_have_no_suggestions() {
        for word in ["xyz", "", "?", &"run".repeat(1000)] {
            assert_eq!(did_you_mean(&like(word, &KNOWN), "h lists all"), "; h lists all", "{word}");
        }
    }
}
