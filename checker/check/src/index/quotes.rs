//! Text fragments: words that a reference quotes from the page it leads to (WICG, URL Fragment Text Directives).

use std::ops::Range;

use memchr::memmem;
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
    /// Whether this and further ones were not looked for, since the page is quoted in too many ways.
    pub is_one_too_many: bool,
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
        let Some(value) = reference.value.filter(|_| reference.kind.role() == Role::Navigate) else {
            continue;
        };
        let text = facts.text(value);
        if memchr::memchr(b'~', text.as_bytes()).is_some()
            && site.format(target) == Format::Html
            && let Some((_, directive)) = text.split_once(":~:")
        {
            let (span, directive) = (reference.span.clone(), directive.trim_end().into());
            found.push(TextFragment { file, target, span, directive, is_one_too_many: false });
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
    /// Whether a text has these words. The first place that they can begin in leaves most room for their end.
    fn is_in(&self, text: &str) -> bool {
        if self.end.is_empty() {
            return find(text, (&self.prefix, &self.start, &self.suffix)).is_some();
        }
        find(text, (&self.prefix, &self.start, ""))
            .is_some_and(|from| find(&text[from..], ("", &self.end, &self.suffix)).is_some())
    }
}

/// Where some words end in a text that stand between others, all cut off from the words around them.
fn find(text: &str, (prefix, words, suffix): (&str, &str, &str)) -> Option<usize> {
    let is_alphanumeric = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_whole = |start: usize, part: &str| {
        let (before, after) = (&text[..start], &text[start + part.len()..]);
        let (first, last) = (part.chars().next(), part.chars().next_back());
        (!is_alphanumeric(before.chars().next_back()) || !is_alphanumeric(first))
            && (!is_alphanumeric(last) || !is_alphanumeric(after.chars().next()))
    };
    let ends =
        |start: usize, part: &str| part.is_empty() || !is_alphanumeric(text[..start].chars().next_back());
    let begins = |end: usize, part: &str| part.is_empty() || !is_alphanumeric(text[end..].chars().next());
    let gaps = |part: &str| if part.is_empty() { &[""][..] } else { &["", " "] };
    let found = gaps(prefix).iter().flat_map(|before| gaps(suffix).iter().map(move |after| (before, after)));
    found
        .filter_map(|(before, after)| {
            let whole = [prefix, before, words, after, suffix].concat();
            let at = prefix.len() + before.len();
            let mut places = memmem::find_iter(text.as_bytes(), &whole);
            let place = places.find(|start| {
                is_whole(start + at, words) && ends(*start, prefix) && begins(start + whole.len(), suffix)
            })?;
            Some(place + at + words.len())
        })
        .min()
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
