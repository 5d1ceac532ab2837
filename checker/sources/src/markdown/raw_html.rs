//! Finds the HTML in Markdown after which a browser shows no markup: a comment or an element with raw text that a later
//! piece of HTML closes, as in `<textarea>[not](a-link)</textarea>`.

use std::ops::Range;

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

#[cfg(test)]
mod tests {
    use super::RawHtml;

    /// Returns what is hidden in a text whose pieces of HTML are separated by `|`.
    fn hidden(text: &str) -> Vec<&str> {
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
        assert_eq!(hidden("<b>|x|</b>"), [""; 0]);
        assert_eq!(hidden("<textarea>|x|</textarea>|y"), ["|x|"]);
        assert_eq!(hidden("<TITLE class='>'>|</b>|</title >|y"), ["|</b>|"]);
        assert_eq!(hidden("<!-- a --><b>|x|</b>"), ["<!-- a -->"]);
        assert_eq!(hidden("<div><!--|x|--></div>"), ["<!--|x|-->"]);
        assert_eq!(hidden("<!-->|x"), ["<!-->"]);
        assert_eq!(hidden("<xmp>|x"), ["|x"]);
        assert_eq!(hidden("a <b title=\"<xmp>\">|x"), [""; 0]);
    }
}
