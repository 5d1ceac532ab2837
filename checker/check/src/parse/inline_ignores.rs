//! Parses `sitegate-ignore` in pages and style sheets: attributes and comments that ignore findings.
//!
//! Most pages have none, so a page is first searched for the word, and only parsed if it is found.

use std::ops::Range;

use memchr::memmem;

use super::character_references::decode_references;
use super::facts::InlineIgnore;
use super::format::Format;
use super::html::{Namespace, PassedTag, TagSink, Token, Tokenizer, WrittenAttribute, find_end_tag};
use super::implied_ends::{UnendedElement, implied_ends};
use super::names::{Tag, is_void, key};
use super::open_elements::OpenElements;
use super::statement_ends::statement_ends;
use crate::contract::reason::is_stated;

/// The start of an ignore in a comment.
pub const IGNORE: &str = "sitegate-ignore";
const WHOLE_FILE: &str = "sitegate-ignore-file";
const ATTRIBUTE: &str = "data-sitegate-ignore";
const REASON: &str = "data-sitegate-reason";

/// Returns the attributes and comments in a file's text, in the order of locations.
pub fn ignores(format: Format, source: &[u8]) -> Vec<InlineIgnore> {
    let mut found = Vec::new();
    if memmem::find(source, IGNORE.as_bytes()).is_none() {
        return found;
    }
    match format {
        Format::Html | Format::Svg => html(source, &mut found),
        Format::Css => css(source, 0..source.len(), &mut found),
        _ => {}
    }
    found.sort_by_key(|ignore| (ignore.span.start, ignore.span.end));
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

/// A pass over HTML.
#[derive(Default)]
struct HtmlPass<'t> {
    text: &'t [u8],
    ignores: Vec<InlineIgnore>,
    /// Comments that apply to the next element.
    waiting: Vec<usize>,
    /// Open elements: the start of their content, and the indexes of their ignores.
    open: OpenElements<(usize, Vec<usize>)>,
    /// Elements with ignores and without an end tag.
    unended: Vec<(UnendedElement, Vec<usize>)>,
    /// The contents of `style` elements.
    style_sheets: Vec<Range<usize>>,
}

impl TagSink for HtmlPass<'_> {
    fn tag(&mut self, _: &PassedTag<'_>) {}

    fn comment(&mut self, range: Range<usize>) {
        let Some(content) = self.text[range.clone()].strip_prefix(b"<!--") else { return };
        let closed = content.strip_suffix(b"-->").or(content.strip_suffix(b"--!>"));
        if let Some(ignore) = comment_ignore(closed.unwrap_or(content), range.start + 4, range.end) {
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
        // In SVG a style element contains markup, and so may contain another one.
        if token.tag == Tag::Style
            && self.style_sheets.last().is_none_or(|last| last.end <= token.range.start)
        {
            let end = find_end_tag(&self.text[content..], b"style").map(|length| content + length);
            self.style_sheets.push(content..end.unwrap_or(self.text.len()));
        }
        let mut ignores_of_element = std::mem::take(&mut self.waiting);
        if let Some(ignore) = attribute_ignore(self.text, token, attributes) {
            ignores_of_element.push(self.ignores.len());
            self.ignores.push(ignore);
        }
        let name = self.text[token.name.clone()].to_ascii_lowercase();
        let is_void = match token.namespace {
            Namespace::Html => is_void(key(&name)),
            Namespace::Svg | Namespace::MathMl => token.is_empty,
        };
        if is_void {
            self.close(&ignores_of_element, content);
        } else {
            self.open.push(name, (content, ignores_of_element));
        }
    }

    fn end_tag(&mut self, token: &Token) {
        let name = self.text[token.name.clone()].to_ascii_lowercase();
        let Some(index) = self.open.innermost(&name) else { return };
        self.leave_unended(index + 1);
        let closed = self.open.close(index).next();
        if let Some((_, (_, ignores_of_element))) = closed {
            self.close(&ignores_of_element, token.range.start);
        }
    }

    /// Leaves the elements from this index on, whose end tags are omitted.
    fn leave_unended(&mut self, index: usize) {
        let with_ignores =
            self.open.close(index).filter(|(_, (_, ignores_of_element))| !ignores_of_element.is_empty());
        self.unended.extend(with_ignores.map(|(name, (content, ignores_of_element))| {
            (UnendedElement { name, content }, ignores_of_element)
        }));
    }

    /// Ends the elements without an end tag as HTML does.
    fn end(&mut self) {
        self.leave_unended(0);
        self.unended.sort_by_key(|(element, _)| element.content);
        let (elements, ignores_by_element): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.unended).into_iter().unzip();
        for (ignores_of_element, end) in ignores_by_element.iter().zip(implied_ends(self.text, &elements)) {
            self.close(ignores_of_element, end);
        }
    }

    /// Sets the end of the scope of some ignores.
    fn close(&mut self, ignores_of_element: &[usize], end: usize) {
        for &index in ignores_of_element {
            if let Some(scope) = &mut self.ignores[index].scope {
                scope.end = end as u32;
            }
        }
    }
}

/// Returns the ignore in the attributes of a start tag.
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
        reason: reason.filter(|reason| is_stated(reason)),
        scope: Some(token.range.start as u32..token.range.end as u32),
    })
}

/// Parses a comment's content. `at` is the start of the content, `end` the end of the comment.
fn comment_ignore(content: &[u8], at: usize, end: usize) -> Option<InlineIgnore> {
    let content = String::from_utf8_lossy(content);
    let trimmed = content.trim();
    let (rest, is_whole_file) = match trimmed.strip_prefix(WHOLE_FILE) {
        Some(rest) => (rest, true),
        None => (trimmed.strip_prefix(IGNORE)?, false),
    };
    if rest.chars().next().is_some_and(|c| !c.is_whitespace() && c != ':') {
        return None;
    }
    let from = at + (content.len() - content.trim_start().len()) + (trimmed.len() - rest.trim_start().len());
    let rest = rest.trim_start();
    let span = match rest {
        "" => from - trimmed.len()..from,
        rest => from..from + rest.len(),
    };
    Some(InlineIgnore {
        text: rest.to_owned(),
        span: span.start as u32..span.end as u32,
        reason: None,
        scope: (!is_whole_file).then_some(end as u32..end as u32),
    })
}

/// Finds the comments in a style sheet, or in the part of a page that is one.
fn css(source: &[u8], range: Range<usize>, found: &mut Vec<InlineIgnore>) {
    let sheet = &source[..range.end];
    let mut at = range.start;
    let mut ignores = Vec::new();
    while let Some(open) = memmem::find(&sheet[at..], b"/*").map(|offset| at + offset) {
        let content = open + 2;
        let close = memmem::find(&sheet[content..], b"*/").map_or(sheet.len(), |offset| content + offset);
        at = (close + 2).min(sheet.len());
        if let Some(ignore) = comment_ignore(&sheet[content..close], content, at) {
            ignores.push((ignore, at));
        }
    }
    let starts: Vec<usize> = ignores.iter().map(|(_, start)| *start).collect();
    let ends = statement_ends(sheet, &starts);
    for ((mut ignore, start), end) in ignores.into_iter().zip(ends) {
        if ignore.scope.is_some() {
            ignore.scope = Some(start as u32..end as u32);
        }
        found.push(ignore);
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
        let void = covered(Format::Html, "<img data-sitegate-ignore='a: b' src=x><img src=y>");
        assert_eq!(void[0].1, Some("<img data-sitegate-ignore='a: b' src=x>"));
        let unended = covered(Format::Html, "<ul><li data-sitegate-ignore='a: b'>x<li>y</ul>");
        assert_eq!(unended[0].1, Some("<li data-sitegate-ignore='a: b'>x"));
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
        let inert = covered(Format::Html, "<noscript><!-- sitegate-ignore a: b --><img src=x></noscript><p>");
        assert_eq!(inert, [("a: b".to_owned(), Some("<img src=x>"))]);
    }

    #[test]
    fn comments_in_an_svg_count() {
        let found = covered(Format::Svg, "<svg><!-- sitegate-ignore a: b --><image href='x'/><use/></svg>");
        assert_eq!(found, [("a: b".to_owned(), Some("<image href='x'/>"))]);
    }

    #[test]
    fn a_comment_in_css_covers_the_next_declaration_or_rule() {
        let declaration = covered(Format::Css, "a{/* sitegate-ignore a: b */b:url(';x');c:d}");
        assert_eq!(declaration, [("a: b".to_owned(), Some("b:url(';x')"))]);
        let rule = covered(Format::Css, "/* sitegate-ignore a: b */ a{b:c;d:e} f{}");
        assert_eq!(rule, [("a: b".to_owned(), Some(" a{b:c;d:e}"))]);
        let style_element = covered(Format::Html, "<style>a{/* sitegate-ignore a: b */b:c}</style>");
        assert_eq!(style_element, [("a: b".to_owned(), Some("b:c"))]);
    }

    #[test]
    fn the_span_is_the_text() {
        for (source, text) in [
            ("<!--  sitegate-ignore  broken-link: later  --><p>", "broken-link: later"),
            ("<p><!-- sitegate-ignore -->", "sitegate-ignore"),
        ] {
            let ignore = &ignores(Format::Html, source.as_bytes())[0];
            assert_eq!(&source[ignore.span.start as usize..ignore.span.end as usize], text);
        }
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
        fn every_span_is_inside_the_source(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
            let source: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
            for format in [Format::Html, Format::Css] {
                for ignore in ignores(format, source.as_bytes()) {
                    let scope = ignore.scope.unwrap_or(0..0);
                    proptest::prop_assert!(ignore.span.start <= ignore.span.end && scope.start <= scope.end);
                    proptest::prop_assert!(ignore.span.end.max(scope.end) as usize <= source.len());
                }
            }
        }
    }
}
