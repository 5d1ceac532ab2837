//! Removes the changing parts of messages and names, so that a finding is recognized from check to check.
//!
//! A line is inserted above, a page shrinks, a bundle gets a new hash: the finding is still the same one. Baselines and
//! fingerprints compare what is left. A text without such a part stays as it is.

use sitegate_address::hashed_name::stable_name;

use crate::raw_finding::Category;
use crate::rules::{duplicate_id, duplicate_title, find_rule, wrong_count};

/// Replaces a number.
const NUMBER: char = '…';

/// Returns a message without its numbers, the hashes in its names, and all but the first name of its lists.
///
/// Removing it from a message that has been shortened already changes nothing.
pub(super) fn stable_message(rule: &str, message: &str) -> String {
    // The name of an assertion comes first, and may contain numbers.
    let is_assertion = find_rule(rule).is_some_and(|info| info.category == Category::Contract);
    let measured = measured_part(rule, message);
    let name = if is_assertion { message.find(": ").unwrap_or(0).min(measured) } else { 0 };
    let (name, text) = message[..measured].split_at(name);
    format!("{name}{}", without_measures(text))
}

/// Returns where the part of a message begins that says how bad it is, or which other files are involved.
fn measured_part(rule: &str, message: &str) -> usize {
    let marks: &[&str] = match rule {
        // The number of elements, and the line of the first.
        _ if rule == duplicate_id::INFO.id => &["` is also the id of ", "` is the id of "],
        // The names of the other pages.
        _ if rule == duplicate_title::INFO.id => &[": "],
        _ if rule == wrong_count::INFO.id => &[": found ", ": nothing matches "],
        _ => &[],
    };
    let measured = marks.iter().filter_map(|mark| message.find(mark)).min();
    // Another page may be the first that loads it.
    let loader = || message.rfind("; `").filter(|_| message.ends_with("` loads it"));
    measured.or_else(loader).unwrap_or(message.len())
}

/// Replaces the numbers of a text, but not those in quoted names. Of quoted names in a row, the first is left.
fn without_measures(text: &str) -> String {
    let mut stable = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '`' => rest[1..].find('`').map(|at| at + 2),
            '“' => rest.find('”').map(|at| at + '”'.len_utf8()),
            _ => None,
        };
        if let Some((quoted, after)) = end.map(|end| rest.split_at(end)) {
            let name = quoted.trim_matches('`');
            if name.len() == quoted.len() {
                stable.push_str(quoted);
            } else {
                stable.push('`');
                stable.push_str(&stable_name(name));
                stable.push('`');
            }
            (rest, before) = (without_more_names(after), '`');
            continue;
        }
        // `UTF-8`, `HTTP/2` and `h1` are names.
        let is_number = c.is_ascii_digit() && !before.is_alphanumeric() && !"-_/.".contains(before);
        if !is_number {
            stable.push(c);
            (rest, before) = (&rest[c.len_utf8()..], c);
            continue;
        }
        let is_inside = |part: char| part.is_alphanumeric() || matches!(part, ',' | '.' | ':');
        let token = &rest[..rest.find(|part| !is_inside(part)).unwrap_or(rest.len())];
        let token = token.trim_end_matches([',', '.', ':']);
        stable.push(NUMBER);
        (rest, before) = (&rest[token.len()..], NUMBER);
        // `1 byte`, `2 bytes`.
        if let Some(noun) = rest.strip_prefix(' ') {
            let noun = &noun[..noun.find(|part: char| !part.is_ascii_alphabetic()).unwrap_or(noun.len())];
            stable.push(' ');
            stable.push_str(noun.strip_suffix('s').unwrap_or(noun));
            rest = &rest[1 + noun.len()..];
        }
    }
    stable.replace(" have ", " has ")
}

/// Skips the other names of a list, and the number of those that are not named: `, `b` and 3 more files`.
fn without_more_names(mut text: &str) -> &str {
    while let Some(item) = [", ", " and "].iter().find_map(|joint| text.strip_prefix(joint)) {
        let end = match item.strip_prefix('`') {
            Some(name) => name.find('`').map(|at| at + 2),
            None => end_of_more(item),
        };
        let Some(end) = end else { break };
        text = &item[end..];
    }
    text
}

/// Returns where `3 more`, `3 more files` or `3 pages more` ends.
fn end_of_more(item: &str) -> Option<usize> {
    let number = item.find(|c: char| !c.is_ascii_digit() && c != ',').filter(|at| *at > 0)?;
    let words = [" more files", " more file", " pages more", " page more", " more"];
    let word = words.iter().find(|word| item[number..].starts_with(**word))?;
    Some(number + word.len())
}

#[cfg(test)]
mod tests {
    use super::stable_message;

    #[test]
    fn only_the_changing_parts_are_removed() {
        for (rule, a, b) in [
            (
                "size-budget",
                "too large: 1,268 bytes, over the budget of 120",
                "too large: 1 byte, over the budget of 0",
            ),
            (
                "malformed-file",
                "this is not valid: at line 3 column 1",
                "this is not valid: at line 4 column 12",
            ),
            (
                "duplicate-id",
                "duplicate id: `x2` is also the id of the element on line 2",
                "duplicate id: `x2` is the id of 3 elements, the first on line 9",
            ),
            (
                "duplicate-title",
                "duplicate title: `b.html` has it, too",
                "duplicate title: `c`, `d` and 3 more have it, too",
            ),
            (
                "wrong-count",
                "12: found 2, expected exactly 5",
                "12: nothing matches `h2`: expected at least 6",
            ),
            ("wrong-order", "12: h2 3 must be `a`, but is `b`", "12: h2 4 must be `a`, but is `b`"),
            (
                "blocked-asset",
                "robots.txt keeps search engines from `/a.js`, which pages load",
                "robots.txt keeps search engines from `/a.js` and 2 more files, which pages load",
            ),
            (
                "sitemap-mismatch",
                "a sitemap lists `/a` and 1 page more, but robots.txt",
                "a sitemap lists `/a`, but robots.txt",
            ),
            (
                "x",
                "in the head, and `a` after it has no effect",
                "in the head, and `a` and `b` after it have no effect",
            ),
            ("x", "cannot load `/app-DiwrgTda.js`", "cannot load `/app-IvxFSaOJ.js`"),
            ("x", "cannot load `a`; `b` loads it", "cannot load `a`; `c` loads it"),
            ("x", "the byte 0xE9 is not UTF-8", "the byte 0xFC is not UTF-8"),
        ] {
            assert_eq!(stable_message(rule, a), stable_message(rule, b));
        }
        for (rule, a, b) in [
            ("wrong-count", "12: found 2, expected 5", "13: found 2, expected 5"),
            ("wrong-order", "12: h2 3 must be `a`, but is `b`", "12: h2 3 must be `a`, but is `c`"),
            (
                "duplicate-id",
                "duplicate id: `x1` is also the id of the element on line 2",
                "duplicate id: `x2` is also the id of the element on line 2",
            ),
            ("size-budget", "too large: 5 bytes, over 4", "too large: 5 bytes with gzip, over 4"),
            ("x", "cannot load `/page-2/`", "cannot load `/page-3/`"),
            ("x", "the text is “2”", "the text is “3”"),
            ("x", "UTF-8", "UTF-16"),
            ("x", "unclosed <h1>", "unclosed <h2>"),
        ] {
            assert_ne!(stable_message(rule, a), stable_message(rule, b));
        }
        for odd in ["`", "a ` 3", "“ 3", "3 ", "` and `", "`a`, `", "é 3é", "`a` and 3", "…3s ss"] {
            let once = stable_message("x", odd);
            assert_eq!(stable_message("x", &once), once, "{odd}");
        }
    }
}
