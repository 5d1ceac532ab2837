//! Finds the text in Markdown that pages do not show as markup, though the parser reads it: in HTML, a comment or an
//! element with raw text that a later piece closes, as in `<textarea>[not](a-link)</textarea>`; and comments and formulas
//! of dialects, which are whole lines.

use std::ops::Range;

use super::directives::{lines, next_line};
use crate::reference::SourceScan;

/// Elements whose content browsers read as text. With scripts, `noscript` is one of them.
const RAW_ELEMENTS: [&str; 10] =
    ["iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp"];

/// What browsers read at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RawHtmlState {
    Markup,
    Comment,
    /// The content of an element with raw text.
    Raw(&'static str),
}

/// The state of a browser after the pieces of HTML so far.
pub(super) struct RawHtml {
    state: RawHtmlState,
    /// Start of the comment or the raw text, if a piece has not closed it.
    since: usize,
    /// Whether the text is in an element `a`.
    pub is_in_link: bool,
    /// Comments, and text in raw elements that more than one piece contains.
    pub hidden: Vec<Range<usize>>,
}

/// Whether browsers read the content of an element as text.
pub(super) fn is_raw(name: &str) -> bool {
    RAW_ELEMENTS.iter().any(|raw| name.eq_ignore_ascii_case(raw))
}

impl RawHtml {
    pub fn new() -> RawHtml {
        RawHtml { state: RawHtmlState::Markup, since: 0, is_in_link: false, hidden: Vec::new() }
    }

    /// Reads a piece of HTML, and returns the start of the part that is markup.
    pub fn read(&mut self, text: &str, piece: &Range<usize>) -> usize {
        let bytes = &text.as_bytes()[..piece.end];
        let mut at = piece.start;
        if self.state != RawHtmlState::Markup {
            let Some(end) = self.end_of_hidden(bytes, at) else { return piece.end };
            self.hidden.push(self.since..end);
            self.state = RawHtmlState::Markup;
            at = end;
        }
        let markup = at;
        while let Some(open) = memchr::memchr(b'<', &bytes[at..]).map(|open| at + open) {
            at = self.read_tag(bytes, open);
            if self.state == RawHtmlState::Markup {
                continue;
            }
            let Some(end) = self.end_of_hidden(bytes, at) else { return markup };
            if self.state == RawHtmlState::Comment {
                self.hidden.push(open..end);
            }
            self.state = RawHtmlState::Markup;
            at = end;
        }
        markup
    }

    /// Ends the text: what is open hides its rest.
    pub fn finish(mut self, end: usize) -> Vec<Range<usize>> {
        if self.state != RawHtmlState::Markup {
            self.hidden.push(self.since..end);
        }
        self.hidden
    }

    /// Reads a tag or the start of a comment, and returns the offset after it.
    fn read_tag(&mut self, bytes: &[u8], open: usize) -> usize {
        let rest = &bytes[open + 1..];
        if rest.starts_with(b"!--") {
            self.state = RawHtmlState::Comment;
            self.since = open;
            // `<!-->` and `<!--->` are complete.
            return open + 2;
        }
        let is_end = rest.first() == Some(&b'/');
        let name = &rest[usize::from(is_end)..];
        let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let name = &name[..length];
        if name.eq_ignore_ascii_case(b"a") {
            self.is_in_link = !is_end;
        }
        if name.is_empty() {
            return open + 1;
        }
        let end = end_of_tag(bytes, open + 1);
        let raw = RAW_ELEMENTS.iter().find(|raw| name.eq_ignore_ascii_case(raw.as_bytes()));
        if let (Some(raw), false) = (raw, is_end) {
            self.state = RawHtmlState::Raw(raw);
            self.since = end;
        }
        end
    }

    /// Returns the end of the open comment or raw text.
    fn end_of_hidden(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = &bytes[from..];
        match self.state {
            RawHtmlState::Markup => Some(from),
            RawHtmlState::Comment => memchr::memmem::find(rest, b"-->").map(|end| from + end + 3),
            RawHtmlState::Raw(name) => {
                let is_close = |at: &usize| {
                    rest.get(at + 2..at + 2 + name.len())
                        .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                };
                memchr::memmem::find_iter(rest, b"</").find(is_close).map(|end| from + end)
            }
        }
    }
}

/// Returns the offset after a tag, whose quoted values may contain `>`.
fn end_of_tag(bytes: &[u8], from: usize) -> usize {
    let mut quote = None;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') if bytes[at - 1] == b'=' => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    bytes.len()
}

/// Lines that begin and end a formula in all renderers of `TeX`, which may contain empty lines.
const FORMULAS: [(&str, &str); 3] = [("$$", "$$"), (r"\[", r"\]"), (r"\\[", r"\\]")];

/// Definitions that authors use as comments.
const COMMENTS: [&str; 4] = ["[//]: #", "[//]: <>", "[comment]: #", "[comment]: <>"];

/// Returns the hidden ranges in a part of a text. What begins in text that is inert already hides nothing.
pub(super) fn hidden_lines(text: &str, range: Range<usize>, found: &SourceScan<'_>) -> Vec<Range<usize>> {
    let mut hidden = formulas(text, range.clone(), found);
    let mut open: Option<(usize, &str)> = None;
    for line in lines(text, range.clone()) {
        let content = text[line.clone()].trim_start_matches([' ', '\t', '>']);
        let start = line.end - content.len();
        if found.is_inert(start) {
            continue;
        }
        let content = content.trim_end();
        if let Some((from, end)) = open {
            if content == end {
                hidden.push(from..line.end);
                open = None;
            }
        } else if let Some((_, end)) = FORMULAS.iter().find(|(mark, _)| *mark == content) {
            open = Some((start, end));
        } else if COMMENTS.iter().any(|mark| content.starts_with(mark)) || is_comment(content) {
            hidden.push(start..line.end);
        }
    }
    hidden
}

/// Whether a line is a comment of `MyST`: `% comment`. Others are ends of tags of Liquid and Hugo.
fn is_comment(content: &str) -> bool {
    content.starts_with('%') && !content.starts_with("%}")
}

/// Finds formulas in a paragraph: `\(…\)`.
fn formulas(text: &str, range: Range<usize>, found: &SourceScan<'_>) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[..range.end];
    let mut hidden = Vec::new();
    let mut open = None;
    let mut at = range.start;
    while let Some(mark) = memchr::memchr2(b'\\', b'\n', &bytes[at..]).map(|mark| at + mark) {
        at = mark + 1;
        if bytes[mark] == b'\n' {
            let next = &text[at..next_line(text, at, range.end)];
            // A paragraph ends at an empty line.
            open = open.filter(|_| !next.trim().is_empty());
            continue;
        }
        let is_text = !found.is_inert(mark)
            && found.reference_at(mark).is_none_or(|reference| reference.range.end <= mark);
        match (bytes.get(at), open) {
            (Some(b'('), None) if is_text => open = Some(mark),
            (Some(b')'), Some(start)) if is_text => {
                hidden.push(start..at + 1);
                open = None;
            }
            _ => {}
        }
        // `\\(` begins a formula, too, and `\\` before another character is none.
        at += usize::from(bytes.get(at).is_some_and(|byte| !matches!(byte, b'\\' | b'\n')));
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::{RawHtml, hidden_lines};
    use crate::reference::SourceScan;

    /// Returns what is hidden in a text whose pieces of HTML are separated by `|`.
    fn hidden_by_html(text: &str) -> Vec<&str> {
        let mut raw = RawHtml::new();
        let mut start = 0;
        for piece in text.split('|') {
            raw.read(text, &(start..start + piece.len()));
            start += piece.len() + 1;
        }
        raw.finish(text.len()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_what_browsers_hide() {
        for (text, expected) in [
            ("<b>|x|</b>", &[][..]),
            ("<textarea>|x|</textarea>|y", &["|x|"]),
            ("<TITLE class='>'>|</b>|</title >|y", &["|</b>|"]),
            ("<!-- a --><b>|x|</b>", &["<!-- a -->"]),
            ("<div><!--|x|--></div>", &["<!--|x|-->"]),
            ("<!-->|x", &["<!-->"]),
            ("<xmp>|x", &["|x"]),
            ("a <b title=\"<xmp>\">|x", &[]),
        ] {
            assert_eq!(hidden_by_html(text), expected, "{text}");
        }
    }

    fn found(text: &str) -> Vec<&str> {
        hidden_lines(text, 0..text.len(), &SourceScan::default())
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn finds_comments_and_formulas() {
        for (text, expected) in [
            ("a\n% b\nc", "% b"),
            ("> [//]: # (b [c](d))\n", "[//]: # (b [c](d))"),
            ("$$\na\n\nb\n$$\n", "$$\na\n\nb\n$$"),
            ("\\[\na\n\\]", "\\[\na\n\\]"),
            ("a \\(b\nc\\) d", "\\(b\nc\\)"),
            ("a \\\\(b\\\\) d", "\\(b\\\\)"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in ["a % b", "%}\n", "$$\na", "$5 $$ 6", "\\(a\n\nb\\)", "\\[a\\]", "\\é\\(", "\\"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
