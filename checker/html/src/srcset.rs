//! Finds the URLs in attributes that have several: `srcset` and `imagesrcset`, by the HTML standard's algorithm
//! (4.8.4.3.10), and lists such as `ping`.

use std::collections::HashSet;
use std::ops::Range;

/// Returns the URLs of a `srcset` as ranges. Commas inside a URL belong to it; a comma at its end ends the candidate.
pub fn urls(srcset: &str) -> Vec<Range<usize>> {
    let bytes = srcset.as_bytes();
    let mut urls = Vec::new();
    let mut at = 0;
    loop {
        while at < bytes.len() && (bytes[at].is_ascii_whitespace() || bytes[at] == b',') {
            at += 1;
        }
        if at == bytes.len() {
            return urls;
        }
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let url = &bytes[start..at];
        let commas = url.iter().rev().take_while(|&&b| b == b',').count();
        urls.push(start..at - commas);
        if commas == 0 {
            at = skip_descriptors(bytes, at);
        }
    }
}

/// Returns the words of a list that is separated by white space, such as `ping`.
pub fn words(list: &str) -> Vec<Range<usize>> {
    let offset = |word: &str| word.as_ptr() as usize - list.as_ptr() as usize;
    list.split_ascii_whitespace().map(|word| offset(word)..offset(word) + word.len()).collect()
}

/// Returns the end of a candidate's descriptors: the next comma outside parentheses.
fn skip_descriptors(bytes: &[u8], mut at: usize) -> usize {
    let mut in_parens = false;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => in_parens = true,
            b')' => in_parens = false,
            b',' if !in_parens => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Returns the first problem in the descriptors of a `srcset` that makes browsers drop a candidate, or makes the choice of
/// candidates ambiguous.
pub fn find_problem(text: &str) -> Option<String> {
    let urls = urls(text);
    let mut known: HashSet<String> = HashSet::new();
    let mut by_width = 0;
    for (index, url) in urls.iter().enumerate() {
        let end = urls.get(index + 1).map_or(text.len(), |next| next.start);
        let descriptors = text[url.end..end].trim_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        let key = match descriptor(descriptors) {
            Ok(key) => key,
            Err(why) => return Some(format!("`{descriptors}` {why}")),
        };
        by_width += usize::from(key.ends_with('w'));
        if let Some(repeated) = known.replace(key) {
            return Some(format!("two candidates are for {repeated}"));
        }
    }
    let mixed = by_width > 0 && by_width < urls.len();
    mixed.then(|| "some candidates have a width and others a density".to_owned())
}

/// Returns the width or density of a candidate.
fn descriptor(descriptors: &str) -> Result<String, &'static str> {
    let (mut width, mut density, mut height) = (None, None, false);
    for token in descriptors.split_ascii_whitespace() {
        let (number, unit) =
            token.split_at(token.len() - token.chars().next_back().map_or(0, char::len_utf8));
        match unit {
            "w" | "h" => {
                let positive =
                    number.bytes().all(|b| b.is_ascii_digit()) && number.bytes().any(|b| b != b'0');
                if !positive {
                    return Err("is not a whole number of pixels above 0");
                }
                let repeated = match unit {
                    "w" => width.replace(number).is_some(),
                    _ => std::mem::replace(&mut height, true),
                };
                if repeated {
                    return Err("has the same descriptor twice");
                }
            }
            "x" => {
                let value: f64 = number.parse().unwrap_or(-1.0);
                let plain =
                    number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-'));
                if !plain || value < 0.0 {
                    return Err("is not a density");
                }
                if density.replace(value).is_some() {
                    return Err("has the same descriptor twice");
                }
            }
            _ => return Err("is neither a width such as `640w` nor a density such as `2x`"),
        }
    }
    match (width, density) {
        (Some(_), Some(_)) => Err("has both a width and a density"),
        (Some(width), None) => Ok(format!("{}w", width.trim_start_matches('0'))),
        (None, _) if height => Err("has a height without a width"),
        (None, density) => Ok(format!("{}x", density.unwrap_or(1.0))),
    }
}

#[cfg(test)]
mod tests {
    use super::{find_problem, urls, words};

    fn found(srcset: &str) -> Vec<&str> {
        urls(srcset).into_iter().map(|range| &srcset[range]).collect()
    }

    #[test]
    fn commas_inside_a_url_belong_to_it() {
        assert_eq!(found("a,b.png 1x, c.png 2x"), ["a,b.png", "c.png"]);
        assert_eq!(found("data:image/png;base64,AAAA 1x,b.png 2x"), ["data:image/png;base64,AAAA", "b.png"]);
    }

    #[test]
    fn finds_the_words_of_a_list() {
        assert_eq!(words(" /a  /b "), [1..3, 5..7]);
    }

    #[test]
    fn a_trailing_comma_ends_the_candidate() {
        assert_eq!(found("a.png, b.png"), ["a.png", "b.png"]);
        assert_eq!(found("a.png,,, b.png 2x"), ["a.png", "b.png"]);
        assert_eq!(found(" , "), [""; 0]);
    }

    #[test]
    fn descriptors_may_contain_commas_in_parentheses() {
        assert_eq!(found("a.png x(1,2) 3w, b.png"), ["a.png", "b.png"]);
    }

    #[test]
    fn accepts_valid_descriptors() {
        for good in
            ["a.png", "a.png, b.png 2x", "a.png 1.5x,b.png 2x", "a.png 320w, b.png 640w", "a 3w 4h", ""]
        {
            assert_eq!(find_problem(good), None, "{good}");
        }
    }

    #[test]
    fn reports_invalid_descriptors() {
        for (bad, why) in [
            ("a.png 1x, b.png 640w", "some candidates"),
            ("a.png, b.png 640w", "some candidates"),
            ("a.png 2x, b.png 2.0x", "two candidates"),
            ("a.png, b.png 1x", "two candidates"),
            ("a.png 640", "neither"),
            ("a.png 640px", "not a density"),
            ("a.png 0w", "not a whole number"),
            ("a.png 1.5w", "not a whole number"),
            ("a.png -1x", "not a density"),
            ("a.png 2x 640w", "both"),
            ("a.png 2x 3x", "twice"),
            ("a.png é", "neither"),
        ] {
            assert!(
                find_problem(bad).is_some_and(|found| found.contains(why)),
                "{bad}: {:?}",
                find_problem(bad)
            );
        }
    }
}
