//! Cuts HTML into tags as the HTML standard's tokenizer does (13.2.5), and steps over everything else: text,
//! comments, and the content of elements that hold no markup.
//!
//! Of the tree construction that the tokenizer depends on it keeps the one thing that matters: which SVG and
//! MathML elements are open, where `title` or `style` hold markup and `<![CDATA[` begins a section.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

/// A tag of the text.
pub(super) struct Token {
    /// From `<` to `>`.
    pub range: Range<usize>,
    /// Its name, as it is written.
    pub name: Range<usize>,
    /// Whether it is an end tag.
    pub is_end: bool,
    /// Whether it ends in `/>`, which HTML ignores and SVG does not.
    pub is_empty: bool,
    /// Where its element belongs.
    pub namespace: Namespace,
    /// What a start tag's element holds, where that is not markup: up to its end tag, or to the end.
    pub raw: Option<Range<usize>>,
}

/// An attribute as it is written.
pub(super) struct RawAttribute {
    pub name: Range<usize>,
    /// Its value without quotes; `None` where there is no `=`.
    pub value: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// What the end of a text can cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    StartTag,
    EndTag,
    /// A comment, or what is one to HTML: `<?…>`, `<!…>`.
    Comment,
    /// An element whose content is not markup: its name.
    Element(Range<usize>),
}

/// An open element whose content belongs to another namespace than what is around it.
struct Frame {
    name: Range<usize>,
    content: Namespace,
    /// The innermost frame, itself included, that holds HTML.
    html: Option<usize>,
    /// Between that and itself: the innermost `svg`, and the innermost `math`.
    svg: Option<usize>,
    math: Option<usize>,
}

pub(super) struct Tokenizer<'t> {
    text: &'t [u8],
    at: usize,
    /// Open `svg` and `math` elements, and those in them that hold HTML again.
    frames: Vec<Frame>,
    /// Whether `noscript` holds text, as it does where scripts are run.
    runs_scripts: bool,
    /// What the end of the text cuts off, and where that begins.
    pub unclosed: Option<(Construct, usize)>,
}

impl<'t> Tokenizer<'t> {
    pub fn new(text: &'t [u8], runs_scripts: bool) -> Self {
        Tokenizer { text, at: 0, frames: Vec::new(), runs_scripts, unclosed: None }
    }

    /// The next tag, and its attributes in `attributes`. A tag that is cut off by the end of the text does not count.
    pub fn next(&mut self, attributes: &mut Vec<RawAttribute>) -> Option<Token> {
        loop {
            let start = self.at + memchr(b'<', &self.text[self.at..])?;
            let rest = &self.text[start + 1..];
            match *rest.first()? {
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let tag = self.tag(start, start + 1, attributes);
                    let mut tag = self.closed(Construct::StartTag, start, tag)?;
                    self.open(&mut tag, attributes);
                    return Some(tag);
                }
                b'/' => match *rest.get(1)? {
                    b'a'..=b'z' | b'A'..=b'Z' => {
                        let tag = self.tag(start, start + 2, attributes);
                        let mut tag = self.closed(Construct::EndTag, start, tag)?;
                        tag.is_end = true;
                        self.close(&mut tag);
                        return Some(tag);
                    }
                    _ => {
                        self.at = self.closed(Construct::Comment, start, after(self.text, start + 2, b">"))?
                    }
                },
                b'!' => {
                    self.at = self.closed(Construct::Comment, start, self.after_declaration(start + 2))?
                }
                b'?' => {
                    self.at = self.closed(Construct::Comment, start, after(self.text, start + 2, b">"))?
                }
                _ => self.at = start + 1,
            }
        }
    }

    /// Passes on what was read from `start`, and notes where its end is missing.
    fn closed<T>(&mut self, construct: Construct, start: usize, read: Option<T>) -> Option<T> {
        if read.is_none() {
            self.unclosed = Some((construct, start));
        }
        read
    }

    /// Reads a tag whose name begins at `name`.
    fn tag(&mut self, start: usize, name: usize, attributes: &mut Vec<RawAttribute>) -> Option<Token> {
        attributes.clear();
        let text = self.text;
        let mut at = name + text[name..].iter().position(|b| ends_name(*b))?;
        let name = name..at;
        let mut is_empty = false;
        loop {
            match *text.get(at)? {
                b'>' => break,
                b'/' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' => {
                    is_empty = text[at] == b'/';
                    at += 1;
                }
                _ => {
                    is_empty = false;
                    at = self.attribute(at, attributes)?;
                }
            }
        }
        self.at = at + 1;
        let range = start..self.at;
        Some(Token { range, name, is_end: false, is_empty, namespace: Namespace::Html, raw: None })
    }

    /// Reads an attribute, and says where it ends.
    fn attribute(&mut self, start: usize, attributes: &mut Vec<RawAttribute>) -> Option<usize> {
        let text = self.text;
        // A `=` in front belongs to the name.
        let name_end = start + 1 + text[start + 1..].iter().position(|b| *b == b'=' || ends_name(*b))?;
        let name = start..name_end;
        let mut at = skip_space(text, name_end);
        if text.get(at) != Some(&b'=') {
            attributes.push(RawAttribute { name, value: None });
            return Some(at);
        }
        at = skip_space(text, at + 1);
        let (value, end) = match *text.get(at)? {
            quote @ (b'"' | b'\'') => {
                let end = at + 1 + memchr(quote, &text[at + 1..])?;
                (at + 1..end, end + 1)
            }
            _ => {
                let end = at + text[at..].iter().position(|b| is_space(*b) || *b == b'>')?;
                (at..end, end)
            }
        };
        attributes.push(RawAttribute { name, value: Some(value) });
        Some(end)
    }

    /// The end of a comment, a doctype or a CDATA section that begins after `<!`.
    fn after_declaration(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        if rest.starts_with(b"--") {
            return match &rest[2..] {
                [b'>', ..] => Some(at + 3),
                [b'-', b'>', ..] => Some(at + 4),
                _ => after_comment(self.text, at + 2),
            };
        }
        if rest.starts_with(b"[CDATA[") && self.namespace() != Namespace::Html {
            return after(self.text, at + 7, b"]]>");
        }
        after(self.text, at, b">")
    }

    /// The namespace of what stands here.
    fn namespace(&self) -> Namespace {
        self.frames.last().map_or(Namespace::Html, |frame| frame.content)
    }

    /// Follows a start tag into its element.
    fn open(&mut self, tag: &mut Token, attributes: &[RawAttribute]) {
        let name = &self.text[tag.name.clone()];
        if self.namespace() != Namespace::Html && self.breaks_out(name, attributes) {
            self.leave_foreign();
        }
        let root = match name.len() {
            3 if name.eq_ignore_ascii_case(b"svg") => Some(Namespace::Svg),
            4 if name.eq_ignore_ascii_case(b"math") => Some(Namespace::MathMl),
            _ => None,
        };
        let here = self.namespace();
        tag.namespace = root.filter(|_| here == Namespace::Html).unwrap_or(here);
        if tag.namespace == Namespace::Html {
            if let Some(raw) = RawText::of(name, self.runs_scripts) {
                let end = raw.end(self.text, self.at, name);
                if end.is_none() && !matches!(raw, RawText::Endless) {
                    self.unclosed = Some((Construct::Element(tag.name.clone()), tag.range.start));
                }
                let end = end.unwrap_or(self.text.len());
                tag.raw = Some(self.at..end);
                self.at = end;
            }
            return;
        }
        let content = match root {
            Some(_) => tag.namespace,
            None if self.holds_html(tag.namespace, name, attributes) => Namespace::Html,
            None => return,
        };
        if !tag.is_empty {
            self.enter(tag.name.clone(), content);
        }
    }

    fn enter(&mut self, name: Range<usize>, content: Namespace) {
        let here = self.frames.len();
        let around = self.frames.last();
        let mut frame = Frame {
            content,
            html: around.and_then(|frame| frame.html),
            svg: around.and_then(|frame| frame.svg),
            math: around.and_then(|frame| frame.math),
            name,
        };
        if content == Namespace::Html {
            (frame.html, frame.svg, frame.math) = (Some(here), None, None);
        } else if frame.name.len() == b"svg".len() {
            frame.svg = Some(here);
        } else {
            frame.math = Some(here);
        }
        self.frames.push(frame);
    }

    /// Follows an end tag out of its element.
    fn close(&mut self, tag: &mut Token) {
        tag.namespace = self.namespace();
        let Some(innermost) = self.frames.last() else { return };
        let name = &self.text[tag.name.clone()];
        let closes = |frame: &Frame| self.text[frame.name.clone()].eq_ignore_ascii_case(name);
        if innermost.content == Namespace::Html {
            if closes(innermost) {
                self.frames.pop();
            }
        } else if is_html_only(name) {
            self.leave_foreign();
        } else {
            // All of them are `svg` or `math`, but for the one that holds HTML.
            let open = [innermost.svg, innermost.math, innermost.html];
            let mut open = open.into_iter().flatten().filter(|open| closes(&self.frames[*open]));
            if let Some(open) = open.next() {
                self.frames.truncate(open);
            }
        }
    }

    /// Whether a start tag ends the SVG or MathML around it.
    fn breaks_out(&self, name: &[u8], attributes: &[RawAttribute]) -> bool {
        let is = |attribute: &RawAttribute, name: &str| {
            self.text[attribute.name.clone()].eq_ignore_ascii_case(name.as_bytes())
        };
        is_html_only(name)
            || name.eq_ignore_ascii_case(b"font")
                && attributes.iter().any(|a| is(a, "color") || is(a, "face") || is(a, "size"))
    }

    /// Leaves foreign elements up to the innermost that holds HTML.
    fn leave_foreign(&mut self) {
        let kept = self.frames.last().and_then(|frame| frame.html);
        self.frames.truncate(kept.map_or(0, |kept| kept + 1));
    }

    /// Whether an element of SVG or MathML holds HTML: the integration points (13.2.6).
    fn holds_html(&self, namespace: Namespace, name: &[u8], attributes: &[RawAttribute]) -> bool {
        let is_one_of = |names: &[&[u8]]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        match namespace {
            Namespace::Svg => is_one_of(&[b"foreignobject", b"desc", b"title"]),
            Namespace::MathMl if name.eq_ignore_ascii_case(b"annotation-xml") => attributes.iter().any(|a| {
                let value = a.value.clone().map_or(&b""[..], |value| &self.text[value]);
                self.text[a.name.clone()].eq_ignore_ascii_case(b"encoding")
                    && (value.eq_ignore_ascii_case(b"text/html")
                        || value.eq_ignore_ascii_case(b"application/xhtml+xml"))
            }),
            Namespace::MathMl => is_one_of(&[b"mi", b"mo", b"mn", b"ms", b"mtext"]),
            Namespace::Html => true,
        }
    }
}

/// Elements of HTML whose content is not markup.
#[derive(Clone, Copy)]
enum RawText {
    /// Up to its end tag.
    Plain,
    /// Up to its end tag, but for what looks like a script in a comment.
    Script,
    /// To the end of the page: `plaintext`.
    Endless,
}

impl RawText {
    fn of(name: &[u8], runs_scripts: bool) -> Option<RawText> {
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        let raw = match (name.len(), name[0] | 0x20) {
            (6, b's') if is(b"script") => RawText::Script,
            (9, b'p') if is(b"plaintext") => RawText::Endless,
            (3, b'x') if is(b"xmp") => RawText::Plain,
            (5, b's') if is(b"style") => RawText::Plain,
            (5, b't') if is(b"title") => RawText::Plain,
            (6, b'i') if is(b"iframe") => RawText::Plain,
            (7, b'n') if is(b"noembed") => RawText::Plain,
            (8, b'n') if is(b"noframes") || runs_scripts && is(b"noscript") => RawText::Plain,
            (8, b't') if is(b"textarea") => RawText::Plain,
            _ => return None,
        };
        Some(raw)
    }

    /// Where the content that begins at `start` ends, unless that is with the text.
    fn end(self, text: &[u8], start: usize, name: &[u8]) -> Option<usize> {
        let rest = &text[start..];
        let length = match self {
            RawText::Plain => find_end_tag(rest, name),
            RawText::Script => find_script_end(rest),
            RawText::Endless => None,
        };
        length.map(|length| start + length)
    }
}

/// The offset of an element's end tag.
pub(crate) fn find_end_tag(text: &[u8], name: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'<', text)
        .find(|&at| text.get(at + 1) == Some(&b'/') && is_name(&text[at + 2..], name))
}

/// The offset of the end tag of a script: inside `<!-- … -->`, `<script>` and its end tag belong to the text
/// (13.2.5.15 to 13.2.5.31).
fn find_script_end(text: &[u8]) -> Option<usize> {
    const SCRIPT: &[u8] = b"script";
    let (mut in_comment, mut in_script) = (false, false);
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at += if in_comment { memchr2(b'<', b'-', rest) } else { memchr(b'<', rest) }?;
        let rest = &text[at..];
        if rest.starts_with(b"<!--") && !in_comment {
            in_comment = true;
            // The dashes may be those of `-->` too.
            at += 2;
        } else if rest.starts_with(b"-->") && in_comment {
            (in_comment, in_script) = (false, false);
            at += 3;
        } else if rest.starts_with(b"</") && is_name(&rest[2..], SCRIPT) {
            if !in_script {
                return Some(at);
            }
            in_script = false;
            at += 2;
        } else {
            in_script |= in_comment && rest[0] == b'<' && is_name(&rest[1..], SCRIPT);
            at += 1;
        }
    }
}

/// Whether a tag's name begins here, in any case.
fn is_name(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && text.get(name.len()).is_none_or(|b| ends_name(*b))
}

/// Whether a tag of this name is HTML's wherever it stands, and so ends the SVG or MathML around it (13.2.6.5).
fn is_html_only(name: &[u8]) -> bool {
    const NAMES: [&str; 44] = [
        "b",
        "big",
        "blockquote",
        "body",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "hr",
        "i",
        "img",
        "li",
        "listing",
        "menu",
        "meta",
        "nobr",
        "ol",
        "p",
        "pre",
        "ruby",
        "s",
        "small",
        "span",
        "strong",
        "strike",
        "sub",
        "sup",
        "table",
        "tt",
        "u",
        "ul",
        "var",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The place after the next `-->` or `--!>`.
fn after_comment(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = after(text, at, b"--")?;
        // The two dashes may be the first of many.
        at += text[at..].iter().take_while(|b| **b == b'-').count();
        match &text[at..] {
            [b'>', ..] => return Some(at + 1),
            [b'!', b'>', ..] => return Some(at + 2),
            _ => {}
        }
    }
}

/// The place after the next `end`.
fn after(text: &[u8], start: usize, end: &[u8]) -> Option<usize> {
    let at = match end {
        [byte] => memchr(*byte, &text[start..]),
        _ => memmem::find(&text[start..], end),
    }?;
    Some(start + at + end.len())
}

fn skip_space(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|b| is_space(**b)).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}
