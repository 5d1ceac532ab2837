//! `sitegate-ignore` in pages and style sheets: the attributes and comments that excuse findings on the spot.
//!
//! Nearly no page has one, so a page is searched for the bare word first, and read again only where it is met.

use std::ops::Range;

use memchr::memmem;

use super::facts::InlineIgnore;
use super::format::Format;
use super::html::{Namespace, PassedTag, TagSink, Token, Tokenizer, WrittenAttribute, find_end_tag};
use super::implied_ends::{UnendedElement, implied_ends};
use super::names::{Tag, is_void, key};
use super::open_elements::OpenElements;
use super::statement_ends::statement_ends;
use super::text::decode_references;

const WORD: &str = "sitegate-ignore";
const WHOLE_FILE: &str = "sitegate-ignore-file";
const ATTRIBUTE: &str = "data-sitegate-ignore";
const REASON: &str = "data-sitegate-reason";

/// The exceptions written in a file's text, in the order of places.
pub fn ignores(format: Format, source: &[u8]) -> Vec<InlineIgnore> {
    let mut found = Vec::new();
    if memmem::find(source, WORD.as_bytes()).is_none() {
        return found;
    }
    match format {
        Format::Html | Format::Svg => html(source, &mut found),
        Format::Css => css(source, 0..source.len(), &mut found),
        _ => {}
    }
    found.sort_by_key(|note| (note.span.start, note.span.end));
    found
}

fn html(source: &[u8], found: &mut Vec<InlineIgnore>) {
    let mut pass = HtmlPass { text: source, ..HtmlPass::default() };
    let mut tokenizer = Tokenizer::new(source, false, true);
    let mut attributes = Vec::new();
    while let Some(token) = tokenizer.next(&mut attributes, &mut pass) {
        if token.is_end { pass.end_tag(&token) } else { pass.start_tag(&token, &attributes) }
    }
    pass.end();
    found.extend(pass.ignores);
    pass.style_sheets.into_iter().for_each(|range| css(source, range, found));
}

/// One pass over HTML.
#[derive(Default)]
struct HtmlPass<'t> {
    text: &'t [u8],
    ignores: Vec<InlineIgnore>,
    /// Comments that wait for the element they are about.
    waiting: Vec<usize>,
    /// The open elements: where the content of each begins, and the exceptions that are about it.
    open: OpenElements<(usize, Vec<usize>)>,
    /// The elements with exceptions and without an end tag of their own.
    unended: Vec<(UnendedElement, Vec<usize>)>,
    /// The contents of `style` elements.
    style_sheets: Vec<Range<usize>>,
}

impl TagSink for HtmlPass<'_> {
    fn tag(&mut self, _: &PassedTag<'_>) {}

    fn comment(&mut self, range: Range<usize>) {
        let Some(content) = self.text[range.clone()].strip_prefix(b"<!--") else { return };
        let closed = content.strip_suffix(b"-->").or(content.strip_suffix(b"--!>"));
        if let Some(ignore) = comment_note(closed.unwrap_or(content), range.start + 4, range.end) {
            if ignore.scope.is_some() {
                self.waiting.push(self.ignores.len());
            }
            self.ignores.push(ignore);
        }
    }
}

impl HtmlPass<'_> {
    fn start_tag(&mut self, token: &Token, attributes: &[WrittenAttribute]) {
        let content = token.range.end;
        // In SVG a style element holds markup, and so perhaps another one.
        if token.tag == Tag::Style
            && self.style_sheets.last().is_none_or(|last| last.end <= token.range.start)
        {
            let end = find_end_tag(&self.text[content..], b"style").map(|length| content + length);
            self.style_sheets.push(content..end.unwrap_or(self.text.len()));
        }
        let mut about = std::mem::take(&mut self.waiting);
        if let Some(ignore) = attribute_ignore(self.text, token, attributes) {
            about.push(self.ignores.len());
            self.ignores.push(ignore);
        }
        let name = self.text[token.name.clone()].to_ascii_lowercase();
        let is_void = match token.namespace {
            Namespace::Html => is_void(key(&name)),
            Namespace::Svg | Namespace::MathMl => token.is_empty,
        };
        if is_void { self.close(&about, content) } else { self.open.push(name, (content, about)) }
    }

    fn end_tag(&mut self, token: &Token) {
        let name = self.text[token.name.clone()].to_ascii_lowercase();
        let Some(place) = self.open.innermost(&name) else { return };
        self.leave_unended(place + 1);
        let own = self.open.close(place).next();
        if let Some((_, (_, about))) = own {
            self.close(&about, token.range.start);
        }
    }

    /// Leaves the elements from this place on, whose end tags are left out.
    fn leave_unended(&mut self, place: usize) {
        let with_exceptions = self.open.close(place).filter(|(_, (_, about))| !about.is_empty());
        self.unended.extend(
            with_exceptions.map(|(name, (content, about))| (UnendedElement { name, content }, about)),
        );
    }

    /// Ends the elements without an end tag where HTML does.
    fn end(&mut self) {
        self.leave_unended(0);
        self.unended.sort_by_key(|(element, _)| element.content);
        let (elements, about): (Vec<_>, Vec<_>) = std::mem::take(&mut self.unended).into_iter().unzip();
        for (about, end) in about.iter().zip(implied_ends(self.text, &elements)) {
            self.close(about, end);
        }
    }

    /// Sets the end of the bytes that these exceptions cover.
    fn close(&mut self, about: &[usize], end: usize) {
        for &index in about {
            if let Some(scope) = &mut self.ignores[index].scope {
                scope.end = end as u32;
            }
        }
    }
}

/// Returns the exception in the attributes of a start tag.
fn attribute_ignore(text: &[u8], token: &Token, attributes: &[WrittenAttribute]) -> Option<InlineIgnore> {
    let find = |name: &str| {
        attributes.iter().find(|found| text[found.name_range.clone()].eq_ignore_ascii_case(name.as_bytes()))
    };
    let written = |range: &Range<usize>| String::from_utf8_lossy(&text[range.clone()]);
    let attribute = find(ATTRIBUTE)?;
    let value = attribute.value.as_ref();
    let span = value.unwrap_or(&attribute.name_range);
    let reason = find(REASON).and_then(|reason| reason.value.as_ref());
    let reason = reason.map(|reason| decode_references(written(reason).trim()).into_owned());
    Some(InlineIgnore {
        text: value.map(|value| decode_references(&written(value)).into_owned()).unwrap_or_default(),
        span: span.start as u32..span.end as u32,
        reason: reason.filter(|reason| !reason.is_empty()),
        scope: Some(token.range.start as u32..token.range.end as u32),
    })
}

/// What a comment's content says, where it is an exception. `at` is where the content begins, `end` where the
/// comment ends.
fn comment_note(content: &[u8], at: usize, end: usize) -> Option<InlineIgnore> {
    let content = String::from_utf8_lossy(content);
    let said = content.trim();
    let (rest, is_whole_file) = match said.strip_prefix(WHOLE_FILE) {
        Some(rest) => (rest, true),
        None => (said.strip_prefix(WORD)?, false),
    };
    if rest.chars().next().is_some_and(|c| !c.is_whitespace() && c != ':') {
        return None;
    }
    let from = at + (content.len() - content.trim_start().len()) + (said.len() - rest.trim_start().len());
    let rest = rest.trim_start();
    let span = match rest {
        "" => from - said.len()..from,
        rest => from..from + rest.len(),
    };
    Some(InlineIgnore {
        text: rest.to_owned(),
        span: span.start as u32..span.end as u32,
        reason: None,
        scope: (!is_whole_file).then_some(end as u32..end as u32),
    })
}

/// The exceptions in a style sheet, or in a part of a page that is one.
fn css(source: &[u8], range: Range<usize>, found: &mut Vec<InlineIgnore>) {
    let sheet = &source[..range.end];
    let mut at = range.start;
    let mut notes = Vec::new();
    while let Some(open) = memmem::find(&sheet[at..], b"/*").map(|found| at + found) {
        let content = open + 2;
        let close = memmem::find(&sheet[content..], b"*/").map_or(sheet.len(), |found| content + found);
        at = (close + 2).min(sheet.len());
        if let Some(note) = comment_note(&sheet[content..close], content, at) {
            notes.push((note, at));
        }
    }
    let starts: Vec<usize> = notes.iter().map(|(_, at)| *at).collect();
    let ends = statement_ends(sheet, &starts);
    for ((mut note, start), end) in notes.into_iter().zip(ends) {
        if note.scope.is_some() {
            note.scope = Some(start as u32..end as u32);
        }
        found.push(note);
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, ignores};

    fn covered(format: Format, source: &str) -> Vec<(String, Option<&str>)> {
        let slice = |scope: std::ops::Range<u32>| &source[scope.start as usize..scope.end as usize];
        ignores(format, source.as_bytes()).into_iter().map(|n| (n.text, n.scope.map(slice))).collect()
    }

    #[test]
    fn an_attribute_covers_its_element() {
        let found = covered(Format::Html, "<p data-sitegate-ignore=\"a b: c\"><a>x</a></p><p>");
        assert_eq!(found, [("a b: c".to_owned(), Some("<p data-sitegate-ignore=\"a b: c\"><a>x</a>"))]);
        let found = covered(Format::Html, "<img data-sitegate-ignore='a: b' src=x><img src=y>");
        assert_eq!(found[0].1, Some("<img data-sitegate-ignore='a: b' src=x>"));
        let found = covered(Format::Html, "<ul><li data-sitegate-ignore='a: b'>x<li>y</ul>");
        assert_eq!(found[0].1, Some("<li data-sitegate-ignore='a: b'>x"));
    }

    #[test]
    fn a_comment_covers_the_next_element_or_the_file() {
        let found = covered(Format::Html, "<!-- sitegate-ignore a: b -->\n<p><i>x</i></p><b>");
        assert_eq!(found, [("a: b".to_owned(), Some("\n<p><i>x</i>"))]);
        assert_eq!(
            covered(Format::Html, "<p><!--sitegate-ignore-file a: b--><i>"),
            [("a: b".to_owned(), None)]
        );
        assert_eq!(covered(Format::Html, "<!-- sitegate-ignored a: b --><p>"), []);
        let found = covered(Format::Html, "<noscript><!-- sitegate-ignore a: b --><img src=x></noscript><p>");
        assert_eq!(found, [("a: b".to_owned(), Some("<img src=x>"))]);
    }

    #[test]
    fn a_drawing_has_comments_too() {
        let found = covered(Format::Svg, "<svg><!-- sitegate-ignore a: b --><image href='x'/><use/></svg>");
        assert_eq!(found, [("a: b".to_owned(), Some("<image href='x'/>"))]);
    }

    #[test]
    fn a_comment_in_css_covers_the_next_declaration_or_rule() {
        let found = covered(Format::Css, "a{/* sitegate-ignore a: b */b:url(';x');c:d}");
        assert_eq!(found, [("a: b".to_owned(), Some("b:url(';x')"))]);
        let found = covered(Format::Css, "/* sitegate-ignore a: b */ a{b:c;d:e} f{}");
        assert_eq!(found, [("a: b".to_owned(), Some(" a{b:c;d:e}"))]);
        let found = covered(Format::Html, "<style>a{/* sitegate-ignore a: b */b:c}</style>");
        assert_eq!(found, [("a: b".to_owned(), Some("b:c"))]);
    }

    #[test]
    fn the_place_is_what_it_says() {
        let source = "<!--  sitegate-ignore  broken-link: later  --><p>";
        let note = &ignores(Format::Html, source.as_bytes())[0];
        assert_eq!(&source[note.span.start as usize..note.span.end as usize], "broken-link: later");
        let source = "<p><!-- sitegate-ignore -->";
        let note = &ignores(Format::Html, source.as_bytes())[0];
        assert_eq!(&source[note.span.start as usize..note.span.end as usize], "sitegate-ignore");
    }

    const PIECES: [&str; 20] = [
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "sitegate-ignore",
        "sitegate-ignore-file",
        " a: b",
        "<p data-sitegate-ignore",
        "='a: b'",
        ">",
        "</p>",
        "<noscript>",
        "</noscript>",
        "<style>",
        "/*",
        "*/",
        "é",
        ";{",
        "}\\",
        "\"(",
    ];

    proptest::proptest! {
        #[test]
        fn every_place_lies_in_the_source(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
            let source: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
            for format in [Format::Html, Format::Css] {
                for note in ignores(format, source.as_bytes()) {
                    let scope = note.scope.unwrap_or(0..0);
                    proptest::prop_assert!(note.span.start <= note.span.end && scope.start <= scope.end);
                    proptest::prop_assert!(note.span.end.max(scope.end) as usize <= source.len());
                }
            }
        }
    }
}
