//! Extracts text from HTML: the text of an element, without markup, comments, scripts and styles, and the text of a
//! value, with its character references decoded.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::element::{Name, Namespace};
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::{TagReader, TagSink};
use sitegate_html::tokenizer::{Tag, section_content};

/// Returns an element's text from its content, with character references decoded and white space folded.
pub fn element_text(content: &[u8], syntax: PageSyntax) -> String {
    let text = match memchr::memchr(b'<', content) {
        Some(_) => &text_without_markup(content, syntax),
        None => content,
    };
    fold_white_space(&htmlize::unescape(String::from_utf8_lossy(text)))
}

/// Joins the words of a text with single spaces.
pub(super) fn fold_white_space(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of a content, with a space at each start and end of a block.
fn text_without_markup(content: &[u8], syntax: PageSyntax) -> Vec<u8> {
    let mut pass = TextPass { content, syntax, text: Vec::new(), from: 0, namespace: Namespace::Html };
    let mut tokenizer = TagReader::<false>::new(content, true).with_syntax(syntax);
    let mut attributes = Vec::new();
    while let Some(token) = tokenizer.next(&mut attributes, &mut pass) {
        if let Some(raw) = token.raw {
            let is_shown = matches!(token.name, Name::Title | Name::Plaintext | Name::Textarea);
            let from = if is_shown { raw.start } else { raw.end };
            pass.skip(pass.from..from);
        }
    }
    let end = tokenizer.text_end();
    pass.skip(end.max(pass.from)..content.len());
    pass.text
}

/// Collects the text between tags.
struct TextPass<'t> {
    content: &'t [u8],
    syntax: PageSyntax,
    text: Vec<u8>,
    /// Offset up to which the content was read.
    from: usize,
    /// The namespace at that offset.
    namespace: Namespace,
}

impl TextPass<'_> {
    /// Adds the text before a range, and skips the range.
    fn skip(&mut self, range: Range<usize>) {
        self.text.extend(&self.content[self.from..range.start]);
        self.from = range.end;
    }
}

impl TagSink for TextPass<'_> {
    fn tag(&mut self, tag: &Tag, content: Namespace) {
        self.skip(tag.range.clone());
        self.namespace = content;
        if tag.name.separates_words() {
            self.text.push(b' ');
        }
    }

    fn comment(&mut self, range: Range<usize>) {
        let has_sections = self.namespace != Namespace::Html || self.syntax == PageSyntax::Xml;
        let is_section = has_sections && self.content[range.clone()].starts_with(b"<![CDATA[");
        self.skip(range.clone());
        if is_section {
            self.text.extend(&self.content[section_content(self.content, &range)]);
        }
    }
}

/// Decodes the character references in an attribute's value once (HTML standard, 13.2.5.72).
pub fn decode_references(value: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PageSyntax, element_text, text_without_markup};

    proptest! {
        #[test]
        fn text_without_markup_is_unchanged(
            pieces in prop::collection::vec("[a \n>&;/!-]|&amp;|\\PC|\r\n|\0", 0..20),
            bytes in prop::collection::vec(any::<u8>(), 0..12),
        ) {
            let mut content = pieces.concat().into_bytes();
            content.extend(bytes);
            content.retain(|byte| *byte != b'<');
            prop_assert_eq!(&text_without_markup(&content, PageSyntax::Html), &content);
        }
    }

    #[test]
    fn collects_the_text_between_tags() {
        let text = |content: &str| element_text(content.as_bytes(), PageSyntax::Html);
        assert_eq!(text("a<b>b</b> c &lt;&amp;<!-- d -->e<p>f<br>g</p>h< i <3"), "ab c <&e f g h< i <3");
        assert_eq!(text("<script>a</script><style>b</style><title>c</title><textarea>d</textarea>"), "cd");
        assert_eq!(
            text("<svg><text><![CDATA[a<b>]]></text></svg><![CDATA[c]]>d<noscript>e</noscript>"),
            "a<b>d"
        );
        let xml = "a<script/>b<title/>c<script>d<![CDATA[</script>]]></script><![CDATA[<e>]]>";
        assert_eq!(element_text(xml.as_bytes(), PageSyntax::Xml), "abc<e>");
        assert_eq!(text("a<p b"), "a");
        assert_eq!(text("a<!-- b"), "a");
        assert_eq!(text("a &eacute; \n\t b"), "a \u{e9} b");
    }
}
