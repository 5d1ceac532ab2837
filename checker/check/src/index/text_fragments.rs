//! Finds text fragments whose page does not contain the text (WICG, URL Fragment Text Directives).

use std::ops::Range;

use memchr::memmem;
use sitegate_address::percent;

use super::site::Site;
use super::view::Links;
use crate::parse::{Facts, Format, Role};
use crate::resolve::Target;
use crate::walk::FileId;

/// The fragment directive of a reference: `:~:` and the text to find on the target page.
#[derive(Clone, Debug)]
pub struct TextFragment {
    /// The page that refers.
    pub file: FileId,
    /// The page that the reference resolves to.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
    /// The directive after `:~:`, as it is written.
    pub directive: Box<str>,
    /// Whether this and further ones were not searched, because too many different texts are quoted from the page.
    pub is_over_limit: bool,
}

/// Collects the text fragments of a file.
pub(super) fn collect(
    file: FileId,
    facts: &Facts,
    links: &Links,
    site: &Site<'_>,
    found: &mut Vec<TextFragment>,
) {
    for (reference, target) in links.with_targets(facts) {
        let Target::File { file: target, .. } = target else { continue };
        if reference.kind.role() != Role::Navigate {
            continue;
        }
        let Some(value) = reference.value else { continue };
        let text = facts.text(value);
        if memchr::memchr(b'~', text.as_bytes()).is_some()
            && site.format(target) == Format::Html
            && let Some((_, directive)) = text.split_once(":~:")
        {
            let (span, directive) = (reference.span.clone(), directive.trim_end().into());
            found.push(TextFragment { file, target, span, directive, is_over_limit: false });
        }
    }
}

impl TextFragment {
    /// Whether a page contains the text; `text` is its whole text as returned by [`folded`].
    pub(crate) fn matches(&self, text: &str) -> bool {
        quotes(&self.directive).iter().any(|quote| quote.is_in(text))
    }
}

/// One `text=[prefix-,]start[,end][,-suffix]`, each part as returned by [`folded`].
#[derive(Debug, Default, PartialEq, Eq)]
struct Quote {
    prefix: String,
    start: String,
    end: String,
    suffix: String,
}

/// Parses the quotes of a fragment directive; other parts are skipped, as browsers do.
fn quotes(directive: &str) -> Vec<Quote> {
    directive.split('&').filter_map(|part| quote(part.strip_prefix("text=")?)).collect()
}

fn quote(text: &str) -> Option<Quote> {
    let mut parts: Vec<&str> = text.split(',').collect();
    let decoded = |part: &str| folded(&percent::decode_lossy(part));
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
    /// Whether a text contains the quote. The first match of the start leaves most room for the end.
    fn is_in(&self, text: &str) -> bool {
        if self.end.is_empty() {
            return find(text, (&self.prefix, &self.start, &self.suffix)).is_some();
        }
        find(text, (&self.prefix, &self.start, ""))
            .is_some_and(|from| find(&text[from..], ("", &self.end, &self.suffix)).is_some())
    }
}

/// Returns the end of some words in a text, if they are between a prefix and a suffix at word boundaries.
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
    let gap_pairs =
        gaps(prefix).iter().flat_map(|before| gaps(suffix).iter().map(move |after| (before, after)));
    gap_pairs
        .filter_map(|(before, after)| {
            let whole = [prefix, before, words, after, suffix].concat();
            let at = prefix.len() + before.len();
            let mut matches = memmem::find_iter(text.as_bytes(), &whole);
            let found = matches.find(|start| {
                is_whole(start + at, words) && ends(*start, prefix) && begins(start + whole.len(), suffix)
            })?;
            Some(found + at + words.len())
        })
        .min()
}

/// Folds text to lower case with single spaces.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{folded, quotes};

    #[test]
    fn finds_whole_words_with_prefix_and_suffix() {
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
