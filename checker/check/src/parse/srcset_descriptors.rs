//! Checks the descriptors of a `srcset`, by the HTML standard's algorithm (4.8.4.3.10).

use std::collections::HashSet;

use sitegate_html::srcset;

/// Returns the first problem that makes browsers drop a candidate, or makes the choice of candidates ambiguous.
pub fn find_problem(text: &str) -> Option<String> {
    let urls = srcset::urls(text);
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
    use super::find_problem;

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
