//! Messages and suggestions that several rules share.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::queries::strip_scheme;
use crate::contract::Assertion;
use crate::index::view::FileView;
use crate::raw_finding::{Cause, Certainty, ProposedFix, RawFinding, ReferenceChange, RuleInfo};
use crate::resolve::{Target, invalid_url};

/// Proposes another spelling of a reference that browsers read in the same way, if its target exists.
pub(super) fn corrected(target: Target, new: String, reason: &'static str) -> Option<ProposedFix> {
    let change = ReferenceChange::Whole { new: new.into(), paths: None };
    let is_missing = matches!(target, Target::Missing(_));
    (!is_missing).then_some(ProposedFix { certainty: Certainty::Certain, reason, change })
}

/// Returns text for a message: at most 80 characters, control characters escaped.
pub(super) fn shorten(text: &str) -> String {
    const LIMIT: usize = 80;
    let mut short = String::with_capacity(text.len().min(LIMIT));
    for c in text.chars().take(LIMIT) {
        if c.is_control() { short.extend(c.escape_default()) } else { short.push(c) }
    }
    if text.chars().nth(LIMIT).is_some() {
        short.push('…');
    }
    short
}

/// Reports references with this scheme whose rest is invalid. A message is the reference, then the fault.
pub(super) fn invalid_scheme_findings<'v>(
    rule: &'static RuleInfo,
    view: &'v FileView<'v>,
    scheme: &'static str,
    fault: impl Fn(&str) -> Option<Cow<'static, str>> + 'v,
) -> impl Iterator<Item = RawFinding> + 'v {
    let references = view.unusual().filter(|(.., target)| *target == Target::Scheme);
    references.filter_map(move |(_, reference, _)| {
        let text = view.text_of(reference);
        let fault = fault(strip_scheme(text, scheme)?)?;
        Some(RawFinding::reference(
            rule,
            (view.file, &reference.span),
            format!("`{}` {fault}", shorten(text.trim())),
        ))
    })
}

/// Returns the message for text that the URL standard cannot parse.
pub(super) fn invalid_url_message(text: &str, error: url::ParseError) -> String {
    let is_about_name = matches!(error, url::ParseError::IdnaError | url::ParseError::InvalidDomainCharacter);
    let why = match wrong_host(text) {
        Some((host, character)) if is_about_name => {
            format!("the host `{}` contains `{}`", shorten(host), character.escape_debug())
        }
        _ => invalid_url(error).to_owned(),
    };
    format!("`{}` is not a valid URL: {why}", shorten(text))
}

/// Returns the host of a text that is not a valid URL, and its first character that no domain name contains (URL, 3.1).
fn wrong_host(text: &str) -> Option<(&str, char)> {
    let (_, rest) = text.split_once("//")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let wrong = host.chars().find(|c| c.is_control() || " <>[]^|%".contains(*c))?;
    Some((host, wrong))
}

/// Joins names for a sentence: the first `limit` names, then how many more there are.
pub(super) fn join_names<N: fmt::Display>(names: impl ExactSizeIterator<Item = N>, limit: usize) -> String {
    let more = names.len().saturating_sub(limit);
    let mut parts: Vec<String> = names.take(limit).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// Returns an explanation if two texts look the same, but have other code points for one character, to follow what the
/// page has: `é` may be one, or `e` with an accent.
pub(super) fn composition_difference(wanted: &str, text: &str) -> Option<String> {
    if wanted == text || !wanted.nfc().eq(text.nfc()) {
        return None;
    }
    let same = wanted.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
    let character = |of: &str| {
        // The character with its marks.
        let rest: Vec<char> = of.chars().skip(same).collect();
        let length = (1..=rest.len()).rev().find(|length| rest[..*length].iter().copied().nfc().count() == 1);
        let points: Vec<String> =
            rest.iter().take(length.unwrap_or(1)).map(|c| format!("U+{:04X}", u32::from(*c))).collect();
        points.join(" ")
    };
    Some(format!("; they differ in Unicode: {} and {}", character(wanted), character(text)))
}

/// Builds a finding about a failed assertion. Its help names the assertion's line in the contract.
pub(super) fn failed_assertion(
    rule: &'static RuleInfo,
    view: &FileView<'_>,
    assertion: &Assertion,
    span: Range<u32>,
    message: &str,
) -> RawFinding {
    let message = format!("{}: {message}", assertion.name);
    let required_by = &assertion.position;
    let help = match &assertion.help {
        Some(help) => format!("{help} ({required_by})"),
        None => format!("required by {required_by}"),
    };
    let cause = Cause::kind(assertion.name.as_str());
    RawFinding::new(rule, (view.file, span), message).cause(cause).help(help)
}

#[cfg(test)]
mod tests {
    use super::invalid_url_message;

    #[test]
    fn names_the_character_that_no_host_contains() {
        let message = |text: &str| match url::Url::parse(text) {
            Ok(_) => String::new(),
            Err(error) => invalid_url_message(text, error),
        };
        for (text, expected) in [
            (
                "http://<servername>/",
                "`http://<servername>/` is not a valid URL: the host `<servername>` contains `<`",
            ),
            ("https://user@a b.org?x=<", "the host `a b.org` contains ` `"),
            ("https://a|b:80/", "the host `a|b:80` contains `|`"),
            ("https://example.com:x/<", "the port is not a number"),
            ("https://\u{ad}/", "there is no host after `//`"),
        ] {
            assert!(message(text).contains(expected), "{text}: {}", message(text));
        }
    }
}
