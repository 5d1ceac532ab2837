//! Text of HTML: character references, and what an element says.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

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

/// An element's text from its content: markup, comments, scripts and styles left out, character
/// references decoded, white space folded to single spaces.
pub fn element_text(content: &[u8]) -> String {
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
    if let Ok(blocks) = BLOCKS.parse::<Selector>() {
        settings = settings.append_element_content_handler((Cow::Owned(blocks), separate));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // A rewriter that gives up leaves the text it has read so far, which then fails the assertion.
    match rewriter.write(content) {
        Ok(()) => drop(rewriter.end()),
        Err(_) => drop(rewriter),
    }
    let text = text.take();
    let decoded = htmlize::unescape(&text);
    decoded.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
