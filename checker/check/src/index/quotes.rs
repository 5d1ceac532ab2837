//! Text fragments: words that a reference quotes from the page it leads to (WICG, URL Fragment Text Directives).

use std::ops::Range;

use percent_encoding::percent_decode_str;

use super::links::Links;
use super::site::Site;
use crate::parse::{Facts, Format, Role};
use crate::resolve::Target;
use crate::walk::FileId;

/// A fragment directive that a reference ends in: `:~:` and what to look for on the page it leads to.
#[derive(Clone, Debug)]
pub struct TextFragment {
    /// The page that refers.
    pub file: FileId,
    /// The page it leads to.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
    /// What follows `:~:`, as it is written.
    pub directive: Box<str>,
}

/// The text fragments that a file asks for.
pub(super) fn asked(
    file: FileId,
    facts: &Facts,
    links: &Links,
    site: &Site<'_>,
    found: &mut Vec<TextFragment>,
) {
    for (reference, target) in links.of(facts) {
        let Target::File { file: target, .. } = target else { continue };
        let Some(value) = reference.value.filter(|_| reference.kind.role == Role::Navigate) else { continue };
        if site.format(target) == Format::Html
            && let Some((_, directive)) = facts.text(value).split_once(":~:")
        {
            let (span, directive) = (reference.span.clone(), directive.trim_end().into());
            found.push(TextFragment { file, target, span, directive });
        }
    }
}

impl TextFragment {
    /// Whether a page has what is quoted; `text` is all its text, as [`folded`] makes it.
    pub(crate) fn is_answered(&self, text: &str) -> bool {
        quotes(&self.directive).iter().any(|quote| quote.is_in(text))
    }
}

/// One `text=[prefix-,]start[,end][,-suffix]`, each part as [`folded`] makes it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Quote {
    prefix: String,
    start: String,
    end: String,
    suffix: String,
}

/// The quotes of a fragment directive; anything else in it is passed over, as browsers do.
fn quotes(directive: &str) -> Vec<Quote> {
    directive.split('&').filter_map(|part| quote(part.strip_prefix("text=")?)).collect()
}

fn quote(text: &str) -> Option<Quote> {
    let mut parts: Vec<&str> = text.split(',').collect();
    let decoded = |part: &str| folded(&percent_decode_str(part).decode_utf8_lossy());
    let mut quote = Quote::default();
    if let Some(prefix) = parts.first().and_then(|part| part.strip_suffix('-')) {
        quote.prefix = decoded(prefix);
        parts.remove(0);
    }
    if let Some(suffix) = parts.last().and_then(|part| part.strip_prefix('-')) {
        quote.suffix = decoded(suffix);
        parts.pop();
    }
    match parts.as_slice() {
        [start] => quote.start = decoded(start),
        [start, end] => (quote.start, quote.end) = (decoded(start), decoded(end)),
        _ => return None,
    }
    (!quote.start.is_empty()).then_some(quote)
}

impl Quote {
    /// Whether a text has these words.
    fn is_in(&self, text: &str) -> bool {
        let follows = |end: usize| {
            let rest = text[end..].trim_start().strip_prefix(self.suffix.as_str());
            let ends_word = |rest: &str| !rest.starts_with(char::is_alphanumeric);
            self.suffix.is_empty() || rest.is_some_and(ends_word)
        };
        words(text, &self.start).any(|at| {
            let end = at + self.start.len();
            let before = text[..at].trim_end();
            let begins_word = |rest: &str| !rest.ends_with(char::is_alphanumeric);
            before
                .strip_suffix(self.prefix.as_str())
                .is_some_and(|rest| self.prefix.is_empty() || begins_word(rest))
                && match self.end.as_str() {
                    "" => follows(end),
                    last => words(&text[end..], last).any(|at| follows(end + at + last.len())),
                }
        })
    }
}

/// Where some words stand in a text, cut off from the words around them.
fn words<'t>(text: &'t str, wanted: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(wanted).map(|(at, _)| at).filter(move |at| {
        let joined = |a: Option<char>, b: Option<char>| {
            a.is_some_and(char::is_alphanumeric) && b.is_some_and(char::is_alphanumeric)
        };
        let (before, after) = (&text[..*at], &text[at + wanted.len()..]);
        !joined(before.chars().next_back(), wanted.chars().next())
            && !joined(wanted.chars().next_back(), after.chars().next())
    })
}

/// Text in lower case with single spaces.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{folded, quotes};

    #[test]
    fn words_are_found_whole_and_in_their_surroundings() {
        let text = folded("Start for  free. The plan is FREE for a month, then € 20 – for a year.");
        let is_in = |directive: &str| quotes(directive).iter().any(|quote| quote.is_in(&text));
        for there in [
            "text=free",
            "text=Start%20For%20free",
            "text=is-,free,month",
            "text=free,-for%20a",
            "text=plan-,is,20,-%E2%80%93",
            "text=nowhere&text=month",
            "text=%E2%82%AC%2020",
        ] {
            assert!(is_in(there), "{there}");
        }
        for missing in [
            "text=fre",
            "text=month,free",
            "text=then-,free",
            "text=free,-forever",
            "text=an-,is",
            "text=a,b,c",
            "text=",
            "other=free",
        ] {
            assert!(!is_in(missing), "{missing}");
        }
    }
}
