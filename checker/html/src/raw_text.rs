//! Finds the end of elements whose content is not markup.

use memchr::{memchr, memchr2};

use crate::element::Name;
use crate::scan::ends_name;

/// The kinds of elements whose content is not markup.
#[derive(Clone, Copy)]
pub enum RawText {
    /// Ends at its end tag.
    Plain,
    /// Ends at its end tag, except inside a comment with a script tag.
    Script,
    /// Ends with the page: `plaintext`.
    Endless,
}

impl RawText {
    /// Returns the kind of an HTML element's content if it is not markup. If scripts run, that of `noscript` is text.
    #[must_use]
    pub fn of(name: Name, runs_scripts: bool) -> Option<RawText> {
        use Name::{Iframe, Noembed, Noframes, Noscript, Plaintext, Script, Style, Textarea, Title, Xmp};
        match name {
            Script => Some(RawText::Script),
            Plaintext => Some(RawText::Endless),
            Style | Title | Iframe | Textarea | Xmp | Noembed | Noframes => Some(RawText::Plain),
            Noscript if runs_scripts => Some(RawText::Plain),
            _ => None,
        }
    }

    /// Returns the end of the content that begins at `start`; `None` if it ends with the text.
    pub fn end(self, text: &[u8], start: usize, name: &[u8]) -> Option<usize> {
        let rest = &text[start..];
        let length = match self {
            RawText::Plain => find_end_tag(rest, name),
            RawText::Script => find_script_end(rest),
            RawText::Endless => None,
        };
        length.map(|length| start + length)
    }
}

/// Returns the offset of an element's end tag.
pub fn find_end_tag(text: &[u8], name: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'<', text)
        .find(|&at| text.get(at + 1) == Some(&b'/') && starts_with_name(&text[at + 2..], name))
}

/// Returns the offset of a script's end tag. Inside `<!-- … -->`, `<script>` and its end tag belong to the text
/// (13.2.5.15 to 13.2.5.31).
fn find_script_end(text: &[u8]) -> Option<usize> {
    const SCRIPT: &[u8] = b"script";
    let (mut in_comment, mut in_script) = (false, false);
    let mut at = 0;
    loop {
        let unread = &text[at..];
        at += if in_comment { memchr2(b'<', b'-', unread) } else { memchr(b'<', unread) }?;
        let rest = &text[at..];
        if rest.starts_with(b"<!--") && !in_comment {
            in_comment = true;
            // The dashes may also be those of `-->`.
            at += 2;
        } else if rest.starts_with(b"-->") && in_comment {
            (in_comment, in_script) = (false, false);
            at += 3;
        } else if rest.starts_with(b"</") && starts_with_name(&rest[2..], SCRIPT) {
            if !in_script {
                return Some(at);
            }
            in_script = false;
            at += 2;
        } else {
            in_script |= in_comment && rest[0] == b'<' && starts_with_name(&rest[1..], SCRIPT);
            at += 1;
        }
    }
}

/// Whether a text begins with the name of an element, in any case.
#[must_use]
pub fn starts_with_name(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && text.get(name.len()).is_none_or(|b| ends_name(*b))
}
