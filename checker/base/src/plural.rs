//! Formats numbers, durations and nouns in messages.

use std::time::Duration;

/// Formats a number with thousands separators.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Formats a number with a noun: `1 page`, `1,200 pages`, `2 addresses`.
pub fn count(n: usize, word: &str) -> String {
    match n {
        1 => format!("1 {word}"),
        n if word.ends_with('s') => format!("{} {word}es", thousands(n)),
        n => format!("{} {word}s", thousands(n)),
    }
}

/// Capitalizes the first letter of a text, unless its first word is a name: `sitegate.toml`, `s3://…`.
pub fn capitalized(text: &str) -> String {
    let first =
        text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ';', ':', '.', '?', '!']);
    if !first.chars().all(|c| c.is_alphabetic() || "-'’".contains(c)) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |initial| initial.to_uppercase().chain(chars).collect())
}

/// Formats a duration: `12 ms`, `1.4 s`.
pub fn seconds(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        ms @ 0..1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", elapsed.as_secs_f64()),
    }
}
