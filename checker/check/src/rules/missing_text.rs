//! `missing-text`: a text fragment that quotes words which the page it leads to does not have.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use rayon::prelude::*;
use serde::Deserialize;

use super::rule::{Keeps, Registered, Rule, build_from};
use super::wording::shown;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::{Index, TextJump};
use crate::parse::{Page, element_text};
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-text",
    category: Category::Links,
    default: Severity::Off,
    summary: "a text fragment quotes words that the page it leads to does not have",
    why: "The browser opens the page at its top and marks nothing. Words are compared whole, in upper or lower \
          case, against the text of the HTML as it is in the export, so leave the rule off where scripts write \
          the text. (WICG, URL Fragment Text Directives.)",
    bad: r##"<a href="/prices#:~:text=free%20for%20ever">"##,
    good: r##"<a href="/prices#:~:text=free%20for%20a%20month">"##,
};

pub(super) static RULE: Registered = Registered { info: &INFO, build: build_from::<MissingText> };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MissingText {}

impl Rule for MissingText {
    fn keeps(&self) -> Keeps {
        Keeps { texts: true, ..Keeps::default() }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        let mut by_target: BTreeMap<FileId, Vec<&TextJump>> = BTreeMap::new();
        for jump in &index.texts {
            by_target.entry(jump.target).or_default().push(jump);
        }
        let missing = by_target.into_par_iter().map_init(Page::default, |page, (target, jumps)| {
            // A page that cannot be read was reported as such.
            if index.site.load(target, page).is_err() {
                return Vec::new();
            }
            let text = folded(&element_text(&page.source));
            let unanswered =
                |jump: &&TextJump| !quotes(&jump.directive).iter().any(|quote| quote.is_in(&text));
            jumps.into_iter().filter(unanswered).collect()
        });
        found.extend(missing.flatten().collect::<Vec<_>>().into_iter().map(|jump: &TextJump| {
            let location = Location::in_file(jump.file, jump.span.clone());
            let quote = percent_decode_str(&jump.directive).decode_utf8_lossy();
            let page = index.site.tree.display(jump.target);
            let message = format!("{page} does not say what `{}` quotes", shown(&quote));
            Diagnostic::reference(&INFO, location, message)
        }));
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

/// The quotes of a fragment directive; what is no quote is passed over, as browsers do.
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
            let rest = text[end..].trim_start();
            let ends_word = !rest[self.suffix.len().min(rest.len())..].starts_with(char::is_alphanumeric);
            self.suffix.is_empty() || (rest.starts_with(&self.suffix) && ends_word)
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
fn folded(text: &str) -> String {
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
