//! Parses `sitegate-ignore` in pages and style sheets: attributes and comments that ignore findings. Also the
//! attributes of other checkers that the contract names.
//!
//! Most pages have none, so a page is first searched for the words, and only parsed if one is found.

use std::ops::Range;

use memchr::memmem;

use sitegate_html::attributes::{decoded_value, find_attribute};
use sitegate_html::element::Name;
use sitegate_html::nesting::{NestedElement, NestingEvents, read_nesting};
use sitegate_html::raw_text::find_end_tag;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tokenizer::name_end;

use super::facts::InlineIgnore;
use super::format::Format;
use super::syntax_ranges::statement_ends;
use crate::contract::rule_entries::is_stated;

/// The start of an ignore in a comment.
pub const IGNORE: &str = "sitegate-ignore";
const WHOLE_FILE: &str = "sitegate-ignore-file";
const ATTRIBUTE: &str = "data-sitegate-ignore";
const REASON: &str = "data-sitegate-reason";

/// Returns the attributes and comments in a file's text, in the order of locations. `foreign` are attributes of other
/// checkers, in lowercase.
pub fn ignores(format: Format, syntax: PageSyntax, source: &[u8], foreign: &[String]) -> Vec<InlineIgnore> {
    let mut found = Vec::new();
    let has_foreign = || foreign.iter().any(|name| find_ignoring_case(source, name.as_bytes()));
    if memmem::find(source, IGNORE.as_bytes()).is_none() && !has_foreign() {
        return found;
    }
    match format {
        Format::Html | Format::Svg => html(source, syntax, foreign, &mut found),
        Format::Css => css(source, 0..source.len(), &mut found),
        _ => {}
    }
    found.sort_by_key(|ignore| (ignore.span.start, ignore.span.end));
    found
}

/// Whether a text contains a name in any case: attributes in HTML have none.
fn find_ignoring_case(text: &[u8], name: &[u8]) -> bool {
    let Some(&first) = name.first() else { return false };
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), text)
        .any(|at| text.get(at..at + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)))
}

/// Finds the ignores in a page, or in an SVG file. On a page whose markup is nested too deeply, nothing is ignored.
fn html(source: &[u8], syntax: PageSyntax, foreign: &[String], found: &mut Vec<InlineIgnore>) {
    // Browsers without scripts read the content of `noscript`, and so do most rules.
    let Ok(page) = read_nesting(source, syntax, false, WrittenPage::default()) else { return };
    let WrittenPage { elements, comments } = page;
    let mut style_sheet_end = 0;
    for element in &elements {
        // In SVG a style element contains markup, and so may contain another one.
        if element.is_style && element.tag.start >= style_sheet_end {
            let content = element.tag.end;
            let length = find_end_tag(&source[content..], b"style");
            style_sheet_end = length.map_or(source.len(), |length| content + length);
            css(source, content..style_sheet_end, found);
        }
        found.extend(attribute_ignore(source, element));
        found.extend(foreign.iter().filter_map(|name| foreign_ignore(source, element, name)));
    }
    for comment in comments {
        let Some(content) = source[comment.clone()].strip_prefix(b"<!--") else { continue };
        let closed = content.strip_suffix(b"-->").or(content.strip_suffix(b"--!>"));
        let Some(mut ignore) = comment_ignore(closed.unwrap_or(content), comment.start + 4, comment.end)
        else {
            continue;
        };
        let next = elements.partition_point(|element| element.tag.start < comment.end);
        if let (Some(scope), Some(element)) = (&mut ignore.scope, elements.get(next)) {
            scope.end = element.end as u32;
        }
        found.push(ignore);
    }
}

/// An element with a start tag.
struct WrittenElement {
    is_style: bool,
    tag: Range<usize>,
    /// The end of its content.
    end: usize,
}

/// Collects the elements with a start tag and the comments, in the order of locations. The parser repeats misnested
/// formatting: such elements end where the last of them does.
#[derive(Default)]
struct WrittenPage {
    elements: Vec<WrittenElement>,
    comments: Vec<Range<usize>>,
}

impl NestingEvents for WrittenPage {
    fn open(&mut self, element: &NestedElement) {
        let tag = element.tag.clone();
        let is_repeated = self.elements.last().is_some_and(|last| tag.start <= last.tag.start);
        if !tag.is_empty() && !is_repeated {
            let end = tag.end;
            self.elements.push(WrittenElement { is_style: element.name == Name::Style, tag, end });
        }
    }

    fn close(&mut self, element: &NestedElement, end: &Range<usize>) {
        let found = self.elements.binary_search_by_key(&element.tag.start, |own| own.tag.start);
        if let Some(own) = found.ok().and_then(|index| self.elements.get_mut(index))
            && own.tag == element.tag
        {
            own.end = own.end.max(end.start);
        }
    }

    fn comment(&mut self, comment: &Range<usize>) {
        self.comments.push(comment.clone());
    }
}

/// Returns the ignore in the attributes of a start tag.
fn attribute_ignore(text: &[u8], element: &WrittenElement) -> Option<InlineIgnore> {
    let (tag, name_end) = (&element.tag, name_end(text, &element.tag));
    let find = |name: &str| find_attribute(text, name_end, name.as_bytes());
    let decoded = |range: Range<usize>| decoded_value(&text[range]).into_owned();
    let attribute = find(ATTRIBUTE)?;
    let span = attribute.value.clone().unwrap_or(attribute.name);
    let reason = find(REASON).and_then(|reason| reason.value).map(decoded);
    let reason = reason.map(|reason| reason.trim().to_owned());
    Some(InlineIgnore {
        text: attribute.value.map(decoded).unwrap_or_default(),
        is_foreign: false,
        span: span.start as u32..span.end as u32,
        reason: reason.filter(|reason| is_stated(reason)),
        scope: Some(tag.start as u32..element.end.max(tag.end) as u32),
    })
}

/// Returns the ignore of another checker in a start tag: html-proofer and htmltest read its name as an attribute, and
/// htmltest also as a class.
fn foreign_ignore(text: &[u8], element: &WrittenElement, name: &str) -> Option<InlineIgnore> {
    let (tag, name_end) = (&element.tag, name_end(text, &element.tag));
    let class = || {
        let found = find_attribute(text, name_end, b"class")?;
        let mut names = text[found.value.clone()?].split(u8::is_ascii_whitespace);
        names.any(|word| word.eq_ignore_ascii_case(name.as_bytes())).then_some(found)
    };
    let attribute = find_attribute(text, name_end, name.as_bytes()).or_else(class)?;
    Some(InlineIgnore {
        text: name.to_owned(),
        is_foreign: true,
        span: attribute.name.start as u32..attribute.name.end as u32,
        reason: None,
        scope: Some(tag.start as u32..element.end.max(tag.end) as u32),
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
        is_foreign: false,
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
    use super::{Format, PageSyntax, ignores};

    fn covered(format: Format, source: &str) -> Vec<(String, Option<&str>)> {
        let slice = |scope: std::ops::Range<u32>| &source[scope.start as usize..scope.end as usize];
        ignores(format, PageSyntax::Html, source.as_bytes(), &[])
            .into_iter()
            .map(|n| (n.text, n.scope.map(slice)))
            .collect()
    }

    #[test]
    fn an_attribute_covers_its_element() {
        let found = covered(Format::Html, "<p data-sitegate-ignore=\"a b: c\"><a>x</a></p><p>");
        assert_eq!(found, [("a b: c".to_owned(), Some("<p data-sitegate-ignore=\"a b: c\"><a>x</a>"))]);
        let void = covered(Format::Html, "<img data-sitegate-ignore='a: b' src=x><img src=y>");
        assert_eq!(void[0].1, Some("<img data-sitegate-ignore='a: b' src=x>"));
        let unended = covered(Format::Html, "<ul><li data-sitegate-ignore='a: b'>x<li>y</ul>");
        assert_eq!(unended[0].1, Some("<li data-sitegate-ignore='a: b'>x"));
        let paragraph = covered(Format::Html, "<p data-sitegate-ignore='a: b'>x<div>y</div></p>");
        assert_eq!(paragraph[0].1, Some("<p data-sitegate-ignore='a: b'>x"));
        let cell = covered(Format::Html, "<table><td data-sitegate-ignore='a: b'>x<td>y<tr><td>z</table>");
        assert_eq!(cell[0].1, Some("<td data-sitegate-ignore='a: b'>x"));
        let option = "<select><selectedcontent></selectedcontent><option><i data-sitegate-ignore='a: b'>x</i></select>y";
        assert_eq!(covered(Format::Html, option)[0].1, Some("<i data-sitegate-ignore='a: b'>x"));
        let formatting = covered(Format::Html, "<b data-sitegate-ignore='a: b'>x<p>y</b>z");
        assert_eq!(formatting[0].1, Some("<b data-sitegate-ignore='a: b'>x<p>y"));
    }

    #[test]
    fn an_attribute_or_class_of_another_checker_covers_its_element() {
        let foreign = ["data-proofer-ignore".to_owned()];
        let covered = |source: &str| {
            let found = ignores(Format::Html, PageSyntax::Html, source.as_bytes(), &foreign);
            let slice =
                |scope: std::ops::Range<u32>| source[scope.start as usize..scope.end as usize].to_owned();
            assert!(found.iter().all(|ignore| ignore.is_foreign), "{source}");
            found.into_iter().filter_map(|ignore| ignore.scope.map(slice)).collect::<Vec<String>>()
        };
        assert_eq!(covered("<p Data-Proofer-Ignore><a>x</a></p><p>"), ["<p Data-Proofer-Ignore><a>x</a>"]);
        assert_eq!(covered("<a class='b DATA-proofer-ignore'>x</a>"), ["<a class='b DATA-proofer-ignore'>x"]);
        for other in [
            "<!-- data-proofer-ignore --><p>",
            "<a title=data-proofer-ignore>",
            "<a data-proofer-ignored>",
            "<a class=data-proofer-ignore-all>",
            "<script>'<a data-proofer-ignore>'</script>",
        ] {
            assert_eq!(covered(other), [""; 0], "{other}");
        }
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
            let ignore = &ignores(Format::Html, PageSyntax::Html, source.as_bytes(), &[])[0];
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
                for ignore in ignores(format, PageSyntax::Html, source.as_bytes(), &["p".to_owned()]) {
                    let scope = ignore.scope.unwrap_or(0..0);
                    proptest::prop_assert!(ignore.span.start <= ignore.span.end && scope.start <= scope.end);
                    proptest::prop_assert!(ignore.span.end.max(scope.end) as usize <= source.len());
                }
            }
        }
    }
}
