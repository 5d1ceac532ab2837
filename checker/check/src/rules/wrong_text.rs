//! `wrong-text`: an element's text does not match the contract.

use std::ops::Range;

use regex::Regex;

use super::messages::{composition_difference, failed_assertion, shorten};
use super::rule::Registered;
use crate::contract::Assertion;
use crate::contract::assertion::{TextTest, shorten_value};
use crate::index::view::FileView;
use crate::parse::Match;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-text",
    category: Category::Contract,
    default: Severity::Error,
    summary: "an element's text does not match the contract",
    why: "A required text, such as a legal notice, a price or a heading, was changed or lost. White space is \
          collapsed before the comparison.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = "/404.html"
  select = "h1"
  text = "Page not found"
404.html:
  <h1>Not found</h1>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = "/404.html"
  select = "h1"
  text = "Page not found"
404.html:
  <h1>Page not found</h1>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (index, assertion) in view.assertions() {
        if let Some((number, wanted, element)) = replaced_text(view, index, assertion) {
            let text = shorten(element.text.as_deref().unwrap_or(""));
            let difference = composition_difference(wanted, element.text.as_deref().unwrap_or(""));
            let difference = difference.unwrap_or_default();
            let wanted = shorten_value(wanted);
            let position = &assertion.position;
            let message = format!(
                "{}: text {number} is \u{201c}{text}\u{201d}, but {position} requires \u{201c}{wanted}\u{201d}{difference}",
                assertion.name
            );
            let finding = RawFinding::new(&INFO, (view.file, &element.span), message)
                .cause(Cause::kind(assertion.name.as_str()));
            found.push(
                finding.help(assertion.help.as_deref().unwrap_or("if this is meant, change the contract")),
            );
        }
        for element in view.matches(index).filter(|_| !assertion.text.is_empty()) {
            let text = element.text.as_deref().unwrap_or("");
            for test in assertion.text.iter().filter(|test| !test.accepts(text)) {
                // A failed `ends-with` shows the end of a long text.
                let excerpt = match test {
                    TextTest::EndsWith(_) => shorten_start(text),
                    _ => shorten(text),
                };
                let but = match test {
                    TextTest::Matches(pattern) => missing_part(pattern.as_str(), text),
                    _ => None,
                };
                let but = but.map_or_else(|| "is".to_owned(), |part| format!("has no /{part}/:"));
                let difference = match test {
                    TextTest::Equals(wanted) => composition_difference(wanted, text),
                    _ => None,
                };
                let message = format!(
                    "the text {}, but {but} \u{201c}{excerpt}\u{201d}{}",
                    test.requirement(),
                    difference.unwrap_or_default()
                );
                found.push(failed_assertion(&INFO, view, assertion, element.span.clone(), &message));
            }
        }
    }
}

/// Returns the text that differs from the list of an assertion, if all others are as listed: its number, the listed text
/// and the element. More differences are those of wrong-order.
pub(super) fn replaced_text<'p>(
    view: &FileView<'p>,
    index: usize,
    assertion: &'p Assertion,
) -> Option<(usize, &'p str, &'p Match)> {
    let wanted = assertion.texts.as_ref()?;
    if view.matches(index).count() != wanted.len() {
        return None;
    }
    let pairs = (1..).zip(wanted).zip(view.matches(index));
    let mut others = pairs.filter(|((_, listed), element)| element.text.as_deref() != Some(listed));
    let ((number, text), element) = others.next()?;
    let is_moved = wanted.iter().any(|listed| element.text.as_deref() == Some(listed));
    (others.next().is_none() && !is_moved).then_some((number, text.as_str(), element))
}

/// Returns the first part of a regular expression that a text lacks after the parts before it, if the expression is a list
/// of parts with anything between them: `a.*b.*c`.
fn missing_part<'p>(pattern: &'p str, text: &str) -> Option<&'p str> {
    let mut start = 0;
    for gap in gaps(pattern)?.into_iter().chain(std::iter::once(pattern.len()..pattern.len())) {
        if !Regex::new(&pattern[..gap.start]).ok()?.is_match(text) {
            let part = &pattern[start..gap.start];
            return (start > 0 || gap.end < pattern.len()).then(|| without_flags(part));
        }
        start = gap.end;
    }
    None
}

/// Returns the ranges of `.*` and `.+` outside of groups and classes; none if `|` separates alternatives there.
fn gaps(pattern: &str) -> Option<Vec<Range<usize>>> {
    let (bytes, mut at) = (pattern.as_bytes(), 0);
    let (mut depth, mut is_class, mut gaps) = (0_usize, false, Vec::new());
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b']' => is_class = false,
            _ if is_class => {}
            b'[' => is_class = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => return None,
            b'.' if depth == 0 && matches!(bytes.get(at + 1), Some(b'*' | b'+')) => {
                let end = at + 2 + usize::from(bytes.get(at + 2) == Some(&b'?'));
                gaps.push(at..end);
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    Some(gaps)
}

/// Removes the flags at the start of a regular expression: `(?s)`.
fn without_flags(part: &str) -> &str {
    let flags = part.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
    flags.filter(|(flags, _)| !flags.contains([':', '<', 'P'])).map_or(part, |(_, rest)| rest)
}

fn shorten_start(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(80);
    let dots = if skip > 0 { "…" } else { "" };
    format!("{dots}{}", text.chars().skip(skip).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::missing_part;

    #[test]
    fn names_the_first_part_that_is_missing() {
        for (pattern, text, expected) in [
            (r"(?s)\$0\.0294.*\$0\.04", "How it works", Some(r"\$0\.0294")),
            (r"(?s)\$0\.0294.*\$0\.04.*each", "$0.0294 and $0.05 each", Some(r"\$0\.04")),
            (r"^a.+?b$", "a b c", Some("b$")),
            (r"a.*b", "b a", Some("b")),
            (r"[.*|]x.*(b|c.*d)", "*x e", Some("(b|c.*d)")),
            (r".*a", "b", Some("a")),
            // The pattern is its only part, or a choice.
            ("a", "b", None),
            ("a.*b|c", "d", None),
            (r"a\.*b", "c", None),
        ] {
            assert_eq!(missing_part(pattern, text), expected, "{pattern}");
        }
    }
}
