//! Text of HTML: character references, and what an element says.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;

use lol_html::html_content::{Element, TextType};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};

/// Decodes the character references of an attribute's value, once (HTML standard, 13.2.5.72).
pub fn decode_references(value: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(value)
}

/// The elements that stand apart from the text around them.
const BLOCKS: &str = "address, article, aside, blockquote, br, caption, dd, details, div, dl, dt, fieldset, \
    figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, legend, li, main, nav, ol, option, p, \
    pre, section, summary, table, tbody, td, tfoot, th, thead, tr, ul";

/// The same as a selector.
static ANY_BLOCK: LazyLock<Option<Selector>> = LazyLock::new(|| BLOCKS.parse().ok());

/// An element's text from its content: markup, comments, scripts and styles left out, character
/// references decoded, white space folded to single spaces.
pub fn element_text(content: &[u8]) -> String {
    match memchr::memchr(b'<', content) {
        Some(_) => folded(&text_beside_markup(content)),
        None => folded(&String::from_utf8_lossy(content)),
    }
}

/// The text with character references decoded, and white space folded.
fn folded(text: &str) -> String {
    htmlize::unescape(text).split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a content, with a space for each border of a block.
fn text_beside_markup(content: &[u8]) -> String {
    let text = Rc::new(RefCell::new(String::new()));
    let collect =
        DocumentContentHandlers::default().text(|chunk: &mut lol_html::html_content::TextChunk<'_>| {
            if !matches!(chunk.text_type(), TextType::ScriptData | TextType::RawText) {
                text.borrow_mut().push_str(chunk.as_str());
            }
            Ok(())
        });
    let separate = ElementContentHandlers::default().element(|element: &mut Element<'_, '_>| {
        text.borrow_mut().push(' ');
        if let Some(handlers) = element.end_tag_handlers() {
            let text = Rc::clone(&text);
            handlers.push(Box::new(move |_| {
                text.borrow_mut().push(' ');
                Ok(())
            }));
        }
        Ok(())
    });
    let mut settings = Settings::new().append_document_content_handler(collect).with_strict(false);
    if let Some(blocks) = &*ANY_BLOCK {
        settings = settings.append_element_content_handler((Cow::Borrowed(blocks), separate));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // A rewriter that gives up leaves the text it has read so far, which then fails the assertion.
    match rewriter.write(content) {
        Ok(()) => drop(rewriter.end()),
        Err(_) => drop(rewriter),
    }
    text.take()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{folded, text_beside_markup};

    proptest! {
        #[test]
        fn text_without_markup_is_what_a_rewriter_reads(
            pieces in prop::collection::vec("[a \n>&;/!-]|&amp;|\\PC|\r\n|\0", 0..20),
            bytes in prop::collection::vec(any::<u8>(), 0..12),
        ) {
            let mut content = pieces.concat().into_bytes();
            content.extend(bytes);
            content.retain(|byte| *byte != b'<');
            let plain = folded(&String::from_utf8_lossy(&content));
            prop_assert_eq!(plain, folded(&text_beside_markup(&content)), "{:?}", content);
        }
    }
}
