//! Compares two texts by words, and recognizes words that differ between builds of one commit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::align;

/// Maximum number of words of a text to compare.
const MAX_WORDS: usize = 20_000;

/// Number of equal words around a change.
const CONTEXT: usize = 6;

/// Maximum number of changed words in a row, and of parts of a text. The rest is left out.
const MAX_CHANGED: usize = 60;
const MAX_PARTS: usize = 24;

/// Maximum number of characters of a word.
const MAX_WORD: usize = 200;

/// What happened to a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// It is in both.
    Same,
    /// It is in the base only.
    Removed,
    /// It is in the new build only.
    Added,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffPart {
    /// What happened to it.
    pub kind: PartKind,
    /// Its words; `…` for words that are left out.
    pub text: String,
}

/// Returns the parts of two texts. Equal parts are cut to the words next to a change.
pub(crate) fn word_diff(old: Option<&str>, new: Option<&str>) -> Vec<DiffPart> {
    let (old, new) = (words(old.unwrap_or("")), words(new.unwrap_or("")));
    let mut parts = Vec::new();
    let mut from = 0;
    for (a, b) in align::gaps(&old, &new) {
        same(&old[from..a.start], parts.is_empty(), false, &mut parts);
        let first = parts.len();
        changed(PartKind::Removed, &old[a.clone()], &mut parts);
        changed(PartKind::Added, &new[b], &mut parts);
        distinguish(&mut parts[first..]);
        from = a.end;
    }
    same(&old[from..], parts.is_empty(), true, &mut parts);
    if parts.len() > MAX_PARTS {
        parts.truncate(MAX_PARTS);
        parts.push(DiffPart { kind: PartKind::Same, text: "…".to_owned() });
    }
    parts
}

fn words(text: &str) -> Vec<&str> {
    text.split_ascii_whitespace().take(MAX_WORDS).collect()
}

fn same(words: &[&str], is_first: bool, is_last: bool, parts: &mut Vec<DiffPart>) {
    let shown = if is_first || is_last { CONTEXT } else { 2 * CONTEXT };
    if words.is_empty() {
        return;
    }
    let text = if words.len() <= shown {
        joined(words)
    } else {
        let before = if is_first { String::new() } else { format!("{} ", joined(&words[..CONTEXT])) };
        let after = if is_last && !is_first {
            String::new()
        } else {
            format!(" {}", joined(&words[words.len() - CONTEXT..]))
        };
        format!("{before}…{after}")
    };
    parts.push(DiffPart { kind: PartKind::Same, text });
}

fn changed(kind: PartKind, words: &[&str], parts: &mut Vec<DiffPart>) {
    if words.is_empty() {
        return;
    }
    let mut text = joined(&words[..words.len().min(MAX_CHANGED)]);
    if words.len() > MAX_CHANGED {
        text.push_str(" …");
    }
    parts.push(DiffPart { kind, text });
}

/// Names characters that make texts differ, and that look the same: other spaces, and marks that join a letter.
fn distinguish(parts: &mut [DiffPart]) {
    let [removed, added] = parts else { return };
    let is_space = |c: char| c.is_whitespace() && !c.is_ascii();
    let is_mark = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    let plain = |text: &str| text.replace(is_space, " ");
    let has_one_look = plain(&removed.text) == plain(&added.text);
    for part in [removed, added] {
        let is_named = |c: char| is_mark(c) || has_one_look && is_space(c);
        if part.text.contains(is_named) {
            let name = |c: char| if is_named(c) { c.escape_unicode().to_string() } else { c.to_string() };
            part.text = part.text.chars().map(name).collect();
        }
    }
}

fn joined(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        match word.char_indices().nth(MAX_WORD) {
            Some((end, _)) => text.extend([&word[..end], "…"]),
            None => text.push_str(word),
        }
    }
    text
}

/// Returns a text in which words with digits, and names of months and days, are `#`: equal for texts that differ by
/// numbers, dates and ids only.
pub(crate) fn shape(text: &str) -> String {
    let mut shape = String::new();
    for word in text.split_ascii_whitespace() {
        let word = if is_variable(word) { "#" } else { word };
        if word == "#" && shape.ends_with('#') {
            continue;
        }
        if !shape.is_empty() {
            shape.push(' ');
        }
        shape.push_str(word);
    }
    shape
}

/// Whether a text differs from that of the base by more than what also differs between two builds of one commit.
pub(crate) fn has_own_change(old: &str, new: &str, again: &str) -> bool {
    let (old, new, again) = (tokens(old), tokens(new), tokens(again));
    let mut is_volatile = vec![false; new.len() + 1];
    for (a, b) in align::gaps(&again, &new) {
        // Another build may have any words between these.
        let end = if b.is_empty() && !a.is_empty() { b.start + 1 } else { b.end };
        is_volatile[b.start..end].fill(true);
    }
    // Parts of a date differ together.
    let is_time = |word: &str| is_numeric_date(word) || is_numeric_time(word) || is_calendar_word(word);
    let trimmed = |at: usize| new[at].trim_matches(|c: char| !c.is_alphanumeric());
    if (0..new.len()).any(|at| is_volatile[at] && is_time(trimmed(at))) {
        let mut run = 0..0;
        for at in 0..=new.len() {
            if at < new.len() && is_variable(new[at]) {
                run.end = at + 1;
                continue;
            }
            if run.clone().any(|part| is_time(trimmed(part))) {
                is_volatile[run].fill(true);
            }
            run = at + 1..at + 1;
        }
    }
    let volatile = is_volatile[..new.len()].iter().filter(|own| **own).count();
    let is_random = volatile * 2 > new.len();
    let is_own = |(a, b): &align::Gap| {
        let range = if b.is_empty() && !a.is_empty() { b.start..b.start + 1 } else { b.clone() };
        is_volatile[range].iter().any(|own| !own)
    };
    !is_random && align::gaps(&old, &new).iter().any(is_own)
}

/// Returns the words of a text, and those of code.
fn tokens(text: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_ascii_whitespace() || ";{}()=&\"'".contains(c);
    text.split_inclusive(is_end).take(MAX_WORDS).filter(|token| !token.trim_ascii().is_empty()).collect()
}

fn is_variable(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) || is_calendar_word(word)
}

/// Words of relative times. `5 minutes` alone is a duration.
const RELATIVE: [&str; 18] = [
    "a", "about", "an", "at", "day", "days", "hour", "hours", "minute", "minutes", "month", "months", "on",
    "the", "week", "weeks", "year", "years",
];

/// Whether the text of a `time` element is a date, with or without a time: no price, and no duration. A time of day or a
/// weekday alone is none: opening hours are content.
///
/// With a year, it may have a few words of any language: `24 de diciembre de 2026`.
pub fn is_date(text: &str) -> bool {
    /// Maximum number of bytes, and of unknown words next to a year: `jeudi 24 décembre 2026 à 10 h 22`.
    const MAX: usize = 80;
    const MAX_WORDS: usize = 4;
    const CURRENCIES: [&str; 8] = ["eur", "usd", "gbp", "chf", "jpy", "cny", "inr", "btc"];
    let (mut has_year, mut has_day, mut has_month, mut unknown) = (false, false, false, 0);
    let mut is_relative = text.trim().is_empty();
    let mut read = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = bare.to_lowercase();
        let is_number = bare.bytes().all(|byte| byte.is_ascii_digit());
        if is_numeric_date(bare) {
            has_year = true;
        } else if is_numeric_time(bare) {
        } else if is_number || bare.starts_with(|c: char| c.is_ascii_digit()) {
            has_year |= matches!(bare.parse(), Ok(1900..=2100));
            has_day = true;
            return bare.len() <= 4;
        } else if matches!(&*lower, "ago" | "yesterday" | "today" | "tomorrow" | "now") {
            is_relative = true;
        } else if is_calendar_word(bare) {
            has_month |= is_month(bare);
        } else if !RELATIVE.contains(&&*lower) {
            unknown += 1;
            return bare.chars().all(char::is_alphabetic) && !CURRENCIES.contains(&&*lower);
        }
        true
    };
    let is_readable = text.len() <= MAX && !text.contains(['$', '€', '£', '¥']);
    is_readable
        && text.split_ascii_whitespace().all(&mut read)
        && (has_year && unknown <= MAX_WORDS || (is_relative || has_month && has_day) && unknown == 0)
}

/// The names of months, and then of weekdays: their first characters, and the rest.
const CALENDAR: [(&str, &str); 19] = [
    ("jan", "uary"),
    ("feb", "ruary"),
    ("mar", "ch"),
    ("apr", "il"),
    ("may", ""),
    ("jun", "e"),
    ("jul", "y"),
    ("aug", "ust"),
    ("sep", "tember"),
    ("oct", "ober"),
    ("nov", "ember"),
    ("dec", "ember"),
    ("mon", "day"),
    ("tue", "sday"),
    ("wed", "nesday"),
    ("thu", "rsday"),
    ("fri", "day"),
    ("sat", "urday"),
    ("sun", "day"),
];

const MONTHS: usize = 12;

fn is_calendar_word(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    // "may" is a word, too; the date around it has numbers.
    matches!(&*word, "am" | "pm" | "utc" | "gmt" | "cet" | "cest")
        || CALENDAR.iter().any(|(short, rest)| {
            word.strip_prefix(short).is_some_and(|own| own.is_empty() && *short != "may" || own == *rest)
        })
}

/// Whether a word of the calendar begins like a month.
fn is_month(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    CALENDAR[..MONTHS].iter().any(|(short, _)| word.starts_with(short))
}

/// Whether a word is a date in digits, perhaps with a time: `2026-11-24`, `2026-11-24T10:24:03+00:00`, `24/11/2026`,
/// `24.11.2026`.
fn is_numeric_date(word: &str) -> bool {
    let date = word.split(['T', 't']).next().unwrap_or_default();
    let is_of = |separator: char| {
        let mut parts = date.split(separator);
        let is_numbers = parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        is_numbers && date.split(separator).count() == 3
    };
    let digits = date.bytes().filter(u8::is_ascii_digit).count();
    is_in_digits(word) && digits >= 6 && ['-', '/', '.'].into_iter().any(is_of)
}

/// Whether a word is a time of day in digits: `10:24`, `10:24:03Z`.
fn is_numeric_time(word: &str) -> bool {
    is_in_digits(word) && word.contains(':') && word.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// Whether a word consists of the characters of dates and times in digits.
fn is_in_digits(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit() || "-:/.+TZtz".contains(c))
}

/// Returns a text in which long runs of characters with digits are `#`: content hashes, ids, nonces and times.
pub fn masked(text: &str) -> String {
    const MIN: usize = 6;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let has_digit = run.bytes().any(|byte| byte.is_ascii_digit());
        let is_hash = is_part(first) && run.len() >= MIN && has_digit;
        masked.push_str(if is_hash { "#" } else { run });
        rest = after;
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{PartKind, has_own_change, is_date, masked, shape, word_diff};

    #[test]
    fn compares_by_words() {
        let old = "one two three four five six seven eight Inc. nine";
        let parts = word_diff(Some(old), Some(&old.replace("Inc.", "Ltd.")));
        let kinds: Vec<_> = parts.iter().map(|part| (part.kind, part.text.as_str())).collect();
        assert_eq!(
            kinds,
            [
                (PartKind::Same, "… three four five six seven eight"),
                (PartKind::Removed, "Inc."),
                (PartKind::Added, "Ltd."),
                (PartKind::Same, "nine"),
            ]
        );
        assert_eq!(word_diff(None, Some("a b"))[0].kind, PartKind::Added);
    }

    #[test]
    fn shows_the_words_next_to_an_addition_at_the_start() {
        let parts = word_diff(Some("a b c d e f g h"), Some("new a b c d e f g h"));
        assert_eq!(parts[1].text, "a b c d e f …");
    }

    #[test]
    fn changes_next_to_noise_are_found() {
        for (old, new, again, is_own) in [
            ("Build k1 at 19 EUR", "Build k2 at 29 EUR", "Build k3 at 29 EUR", true),
            ("Build k1 at 19 EUR", "Build k2 at 19 EUR", "Build k3 at 19 EUR", false),
            (
                "Updated on Nov 27, 2026 10:00:01 by Jo",
                "Updated on Nov 28, 2026 11:20:05 by Jo",
                "Updated on Nov 28, 2026 11:20:35 by Jo",
                false,
            ),
            ("on 2026-11-27 at 10:00:01", "on 2026-11-28 at 11:20:05", "on 2026-11-28 at 11:20:35", false),
            (
                "on 27 Nov at 10:00:01 for 19 EUR",
                "on 28 Nov at 11:20:05 for 29 EUR",
                "on 28 Nov at 11:20:35 for 29 EUR",
                true,
            ),
            ("var b=\"k1\";var price=19", "var b=\"k2\";var price=29", "var b=\"k3\";var price=29", true),
            ("--t:1;color:blue", "--t:2;color:red", "--t:3;color:red", true),
            ("Be good.", "Stay hungry, stay foolish.", "All is well, stay calm.", false),
            ("Build k1 refunds", "Build k2", "Build k3", false),
            ("Refunds Build k1", "Build k2", "Build k3", true),
        ] {
            assert_eq!(has_own_change(old, new, again), is_own, "{new}");
        }
    }

    #[test]
    fn characters_that_look_the_same_are_named() {
        let shown = |old, new| -> Vec<String> {
            word_diff(Some(old), Some(new)).into_iter().map(|part| part.text).collect()
        };
        assert_eq!(shown("Alpha text", "Alpha\u{a0}text"), ["Alpha text", "Alpha\\u{a0}text"]);
        assert_eq!(shown("\u{fc}", "u\u{308}"), ["\u{fc}", "u\\u{308}"]);
        assert_eq!(shown("10\u{a0}%", "20\u{a0}%"), ["10\u{a0}%", "20\u{a0}%"]);
    }

    #[test]
    fn recognizes_dates_and_ids() {
        for time in [
            "2026-11-24T10:22:00Z",
            "Nov 4, 2026",
            "24. Dezember 2026",
            "24 de diciembre de 2026",
            "Mon, 4 May at 5 pm",
            "about an hour ago",
            "3 days ago",
            "24/11/2026, 10:22:00",
            "24.11.2026",
            "24 Dec",
            "",
        ] {
            assert!(is_date(time), "{time}");
        }
        for other in [
            "10:22",
            "10:24:03Z",
            "9 am",
            "Monday",
            "Mon 09:00",
            "1st",
            "May",
            "12 EUR",
            "12 EUR 2026",
            "$12",
            "DE89370400440532013000",
            "4f2a9c01b",
            "1.2.3",
            "123456",
            "price 5",
            "Closed",
            "Open until 5 pm",
            "Open until 17:00",
            "Sold out",
            "50 minutes",
            "Version 2",
        ] {
            assert!(!is_date(other), "{other}");
        }
        assert_eq!(shape("Updated on Monday, 4 May 2026 at 10:22 by Jo"), "Updated on # at # by Jo");
        assert_eq!(masked("app.4f2a9c01.js?v=2"), "app.#.js?v=2");
    }
}
