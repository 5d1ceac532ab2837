//! `sitegate-ignore` in pages and style sheets: the attributes and comments that excuse findings on the spot.
//!
//! Nearly no page has one, so a page is searched for the bare word first, and read again only where it is met.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::{Comment, Element};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};
use memchr::memmem;

use super::facts::WrittenException;
use super::format::Format;
use super::html::find_end_tag;
use super::implied_ends::{UnendedElement, implied_ends};
use super::statement_ends::statement_ends;
use super::text::decode_references;

const WORD: &str = "sitegate-ignore";
const WHOLE_FILE: &str = "sitegate-ignore-file";
const ATTRIBUTE: &str = "data-sitegate-ignore";
const REASON: &str = "data-sitegate-reason";

/// The exceptions written in a file's text, in the order of places.
pub fn exceptions(format: Format, source: &[u8]) -> Vec<WrittenException> {
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

/// An element that exceptions are about, and whose end was not met yet.
struct OpenElement {
    about: Vec<usize>,
    name: String,
    /// Where its content begins.
    content: usize,
}

/// What one pass over HTML has met so far.
#[derive(Default)]
struct Pass {
    notes: Vec<WrittenException>,
    open: Vec<Option<OpenElement>>,
    /// Comments that wait for the element they are about.
    waiting: Vec<usize>,
    /// Content that lol_html takes for plain text: `noscript`, as HTML, and `style`.
    inner: Vec<(Range<usize>, bool)>,
}

fn html(source: &[u8], found: &mut Vec<WrittenException>) {
    let Ok(any) = "*".parse::<Selector>() else { return };
    for (range, is_html) in take(read(source, 0, &any), found) {
        if !is_html {
            css(source, range, found);
            continue;
        }
        // Where no script runs, `noscript` is an element like any other: what stands in it is read once.
        let part = without_noscript(&source[range.clone()]);
        for (range, is_html) in take(read(&part, range.start, &any), found) {
            if !is_html {
                css(source, range, found);
            }
        }
    }
}

/// Takes what a pass has met, and gives what is to be read apart.
fn take(pass: Pass, found: &mut Vec<WrittenException>) -> Vec<(Range<usize>, bool)> {
    found.extend(pass.notes);
    pass.inner
}

/// A text with another name, as long, in the place of `noscript`, which lol_html always takes for text.
fn without_noscript(text: &[u8]) -> Cow<'_, [u8]> {
    const NAME: &[u8] = b"noscript";
    let mut text = Cow::Borrowed(text);
    let starts: Vec<usize> = memchr::memchr_iter(b'<', &text).map(|at| at + 1).collect();
    for at in starts {
        if text.get(at..at + NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)) {
            text.to_mut()[at] = b'x';
        }
    }
    text
}

/// Reads a part of a page that begins at `start`. One that lol_html gives up on has been reported already.
fn read(text: &[u8], start: usize, any: &Selector) -> Pass {
    let pass = Rc::new(RefCell::new(Pass::default()));
    let comments = DocumentContentHandlers::default().comments(|comment: &mut Comment<'_>| {
        let bytes = comment.source_location().bytes();
        let inner = bytes.start + 4..bytes.end.saturating_sub(3).max(bytes.start + 4).min(text.len());
        let written = text.get(inner.clone()).unwrap_or_default();
        if let Some(note) = comment_note(written, start + inner.start, start + bytes.end) {
            let pass = &mut *pass.borrow_mut();
            if note.scope.is_some() {
                pass.waiting.push(pass.notes.len());
            }
            pass.notes.push(note);
        }
        Ok(())
    });
    let elements = ElementContentHandlers::default().element(|element: &mut Element<'_, '_>| {
        see(&pass, text, start, element);
        Ok(())
    });
    let settings = Settings::new()
        .with_strict(false)
        .append_document_content_handler(comments)
        .append_element_content_handler((Cow::Borrowed(any), elements));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    match rewriter.write(text) {
        Ok(()) => drop(rewriter.end()),
        Err(_) => drop(rewriter),
    }
    let mut pass = pass.take();
    pass.close_implied(text, start);
    pass
}

/// Looks at one element: whether an exception is about it, and whether its content must be read apart.
fn see(pass: &Rc<RefCell<Pass>>, text: &[u8], start: usize, element: &mut Element<'_, '_>) {
    let tag = element.source_location().bytes();
    let name = element.tag_name();
    let inner = match name.as_str() {
        "noscript" => Some(true),
        "style" => Some(false),
        _ => None,
    };
    let is_apart = |pass: &Pass| pass.inner.last().is_none_or(|(last, _)| last.end <= start + tag.start);
    // In SVG they hold markup, and so perhaps each other.
    if let Some(is_html) = inner.filter(|_| is_apart(&pass.borrow())) {
        let rest = &text[tag.end..];
        let length = find_end_tag(rest, name.as_bytes()).unwrap_or(rest.len());
        let range = start + tag.end..start + tag.end + length;
        pass.borrow_mut().inner.push((range, is_html));
    }
    let mut about = std::mem::take(&mut pass.borrow_mut().waiting);
    if let Some(note) = attribute_note(text, start, element) {
        let pass = &mut *pass.borrow_mut();
        about.push(pass.notes.len());
        pass.notes.push(note);
    }
    if about.is_empty() {
        return;
    }
    let Some(handlers) = element.end_tag_handlers() else {
        return pass.borrow_mut().close(&about, start + tag.end);
    };
    let index = pass.borrow().open.len();
    pass.borrow_mut().open.push(Some(OpenElement { about, name, content: tag.end }));
    let pass = Rc::clone(pass);
    handlers.push(Box::new(move |end_tag| {
        let pass = &mut *pass.borrow_mut();
        // Another element's end tag closes this one where its own is left out.
        if let Some(open) = pass.open[index].take_if(|open| end_tag.name() == open.name) {
            pass.close(&open.about, start + end_tag.source_location().bytes().start);
        }
        Ok(())
    }));
}

impl Pass {
    /// Ends what these exceptions cover.
    fn close(&mut self, about: &[usize], end: usize) {
        for &index in about {
            let from = self.notes[index].scope.as_ref().map_or(0, |scope| scope.start);
            self.notes[index].scope = Some(from..end as u32);
        }
    }

    /// Ends the elements without an end tag where HTML does.
    fn close_implied(&mut self, text: &[u8], start: usize) {
        let open: Vec<OpenElement> = std::mem::take(&mut self.open).into_iter().flatten().collect();
        let unended =
            |open: &OpenElement| UnendedElement { name: open.name.clone().into(), content: open.content };
        let unended: Vec<UnendedElement> = open.iter().map(unended).collect();
        for (open, end) in open.iter().zip(implied_ends(text, &unended)) {
            self.close(&open.about, start + end);
        }
    }
}

fn attribute_note(text: &[u8], start: usize, element: &Element<'_, '_>) -> Option<WrittenException> {
    let attributes = element.attributes();
    let attribute = attributes.iter().find(|attribute| attribute.name() == ATTRIBUTE)?;
    let written = attribute.value_source_location().or(attribute.name_source_location())?.bytes();
    let reason = element.get_attribute(REASON).is_some_and(|reason| !reason.trim().is_empty());
    let tag = element.source_location().bytes();
    let is_empty = attribute.value().is_empty();
    let value = if is_empty { Cow::Borrowed("") } else { String::from_utf8_lossy(&text[written.clone()]) };
    Some(WrittenException {
        text: decode_references(&value).into_owned(),
        span: (start + written.start) as u32..(start + written.end) as u32,
        reason_apart: reason,
        scope: Some((start + tag.start) as u32..(start + tag.end) as u32),
    })
}

/// What a comment's content says, where it is an exception. `at` is where the content begins, `end` where the
/// comment ends.
fn comment_note(content: &[u8], at: usize, end: usize) -> Option<WrittenException> {
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
    Some(WrittenException {
        text: rest.to_owned(),
        span: span.start as u32..span.end as u32,
        reason_apart: false,
        scope: (!is_whole_file).then_some(end as u32..end as u32),
    })
}

/// The exceptions in a style sheet, or in a part of a page that is one.
fn css(source: &[u8], range: Range<usize>, found: &mut Vec<WrittenException>) {
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
    use super::{Format, exceptions};

    fn covered(format: Format, source: &str) -> Vec<(String, Option<&str>)> {
        let slice = |scope: std::ops::Range<u32>| &source[scope.start as usize..scope.end as usize];
        exceptions(format, source.as_bytes()).into_iter().map(|n| (n.text, n.scope.map(slice))).collect()
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
        let note = &exceptions(Format::Html, source.as_bytes())[0];
        assert_eq!(&source[note.span.start as usize..note.span.end as usize], "broken-link: later");
        let source = "<p><!-- sitegate-ignore -->";
        let note = &exceptions(Format::Html, source.as_bytes())[0];
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
                for note in exceptions(format, source.as_bytes()) {
                    let scope = note.scope.unwrap_or(0..0);
                    proptest::prop_assert!(note.span.start <= note.span.end && scope.start <= scope.end);
                    proptest::prop_assert!(note.span.end.max(scope.end) as usize <= source.len());
                }
            }
        }
    }
}
