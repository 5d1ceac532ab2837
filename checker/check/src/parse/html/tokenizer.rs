//! Splits HTML into tags like the HTML standard's tokenizer (13.2.5), and skips everything else: text, comments, and
//! the content of elements without markup.
//!
//! Of the tree construction it tracks only what the tokenizer depends on: the open SVG and `MathML` elements, in which
//! `title` or `style` contain markup and `<![CDATA[` begins a section.
//!
//! Most tags have no facts: `<p>`, `</span>`, `<td class=…>`. They are skipped, unless all tags are requested.

use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::AttributeAt;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::{is_read, needs_attributes};
use sitegate_html::key::key;
use sitegate_html::lexer::{after, comment_end};
use sitegate_html::raw_text::RawText;
use sitegate_html::scan::{find, name_end};

/// A tag in the text.
pub(crate) struct Token {
    /// From `<` to `>`.
    pub range: Range<usize>,
    /// Its name as written.
    pub name: Range<usize>,
    pub tag: Name,
    /// Whether it is an end tag.
    pub is_end: bool,
    /// Whether it ends in `/>`, which HTML ignores but SVG does not.
    pub is_empty: bool,
    /// The namespace of its element.
    pub namespace: Namespace,
    /// The content of a start tag's element if it is not markup, up to its end tag or the end of the text.
    pub raw: Option<Range<usize>>,
}

/// An attribute as written.
pub(crate) struct WrittenAttribute {
    pub name: Attribute,
    pub name_range: Range<usize>,
    /// The value without quotes; `None` without `=`.
    pub value: Option<Range<usize>>,
}

/// A tag as sinks see it, with or without facts.
pub(crate) struct PassedTag {
    pub range: Range<usize>,
    pub name: Range<usize>,
    /// The key of its name (see [`sitegate_html::key::key`]).
    pub key: u128,
    /// The namespace after the tag.
    pub content: Namespace,
}

/// Receives every tag and every comment.
pub(crate) trait TagSink {
    fn tag(&mut self, tag: &PassedTag);

    /// Receives the ranges between tags that are skipped, up to their end or that of the text: a comment, a doctype, a
    /// lone `<`.
    fn comment(&mut self, _: Range<usize>) {}
}

/// Ignores all tags.
impl TagSink for () {
    fn tag(&mut self, _: &PassedTag) {}
}

/// Constructs that may be incomplete at the end of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    StartTag,
    EndTag,
    /// A comment, or markup that HTML treats as one: `<?…>`, `<!…>`.
    Comment,
    /// An element whose content is not markup, with its name.
    Element(Range<usize>),
}

/// An open element whose content has another namespace than its parent.
#[derive(Clone)]
struct Frame {
    name: Range<usize>,
    content: Namespace,
    /// The innermost frame with HTML content, up to this one.
    html: Option<usize>,
    /// The innermost `svg` and the innermost `math` after that frame.
    svg: Option<usize>,
    math: Option<usize>,
}

#[derive(Clone)]
pub(crate) struct Tokenizer<'t> {
    text: &'t [u8],
    at: usize,
    /// Open `svg` and `math` elements, and elements in them that contain HTML.
    frames: Vec<Frame>,
    /// Whether `noscript` contains text, because scripts run.
    runs_scripts: bool,
    /// Whether tags and attributes without facts are reported, too.
    passes_all: bool,
    /// The construct that is incomplete at the end of the text, and its start.
    pub(super) unclosed: Option<(Construct, usize)>,
}

impl<'t> Tokenizer<'t> {
    pub fn new(text: &'t [u8], runs_scripts: bool, passes_all: bool) -> Self {
        Tokenizer { text, at: 0, frames: Vec::new(), runs_scripts, passes_all, unclosed: None }
    }

    /// Returns the offset after the last tag and its content.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Continues in another text that is equal up to the offset.
    pub fn continued(self, text: &[u8]) -> Tokenizer<'_> {
        Tokenizer { text, ..self }
    }

    /// Returns the next tag that may have facts, and its known attributes in `attributes`; of several with one name,
    /// the first counts. A tag that is incomplete at the end of the text does not count. `sink` also receives the
    /// other tags.
    pub fn next(&mut self, attributes: &mut Vec<WrittenAttribute>, sink: &mut impl TagSink) -> Option<Token> {
        loop {
            // Tags often follow each other.
            let start = match self.text.get(self.at)? {
                b'<' => self.at,
                _ => find(self.text, self.at, b'<')?,
            };
            let next = *self.text.get(start + 1)?;
            let is_end = next == b'/';
            let name = start + 1 + usize::from(is_end);
            if !self.text.get(name)?.is_ascii_alphabetic() {
                self.skip_comment(start, next, sink)?;
                continue;
            }
            let construct = if is_end { Construct::EndTag } else { Construct::StartTag };
            let tag = self.tag(name, attributes);
            let (tag, key, name_end, is_empty) = self.check_complete(construct, start, tag)?;
            let (range, name) = (start..self.at, name..name_end);
            let is_skippable =
                if is_end { tag != Name::Template } else { needs_attributes(tag) && attributes.is_empty() };
            let content = Namespace::Html;
            let mut passed = PassedTag { range, name, key, content };
            if is_skippable && self.skips_tags() {
                sink.tag(&passed);
                continue;
            }
            let mut token = Token {
                range: passed.range.clone(),
                name: passed.name.clone(),
                tag,
                is_end,
                is_empty,
                namespace: Namespace::Html,
                raw: None,
            };
            if is_end {
                self.close(&mut token);
            } else {
                self.open(&mut token, attributes);
            }
            passed.content = self.namespace();
            sink.tag(&passed);
            return Some(token);
        }
    }

    /// Skips a `<` that begins no tag, and the comment if it begins one.
    fn skip_comment(&mut self, start: usize, next: u8, sink: &mut impl TagSink) -> Option<()> {
        let end = match next {
            b'!' => self.after_declaration(start + 2),
            b'/' | b'?' => after(self.text, start + 2, b">"),
            _ => Some(start + 1),
        };
        sink.comment(start..end.unwrap_or(self.text.len()));
        self.at = self.check_complete(Construct::Comment, start, end)?;
        Some(())
    }

    /// Returns what was read from `start`, and records the construct if it is incomplete.
    fn check_complete<T>(&mut self, construct: Construct, start: usize, read: Option<T>) -> Option<T> {
        if read.is_none() {
            self.unclosed = Some((construct, start));
        }
        read
    }

    /// Whether tags without facts are skipped. In SVG and `MathML` any tag may end its parent.
    fn skips_tags(&self) -> bool {
        self.frames.is_empty() && !self.passes_all
    }

    /// Reads a tag whose name begins at `name`. Returns the tag, the key of its name and its end, and whether it ends
    /// in `/>`.
    // What passes with selectors and what passes without are compiled apart, and each is to have its own.
    #[inline(always)]
    fn tag(
        &mut self,
        name: usize,
        attributes: &mut Vec<WrittenAttribute>,
    ) -> Option<(Name, u128, usize, bool)> {
        attributes.clear();
        let text = self.text;
        let (name_end, key) = name_end::<false>(text, name)?;
        let tag = Name::from_key(key);
        let mut at = name_end;
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
                    at = self.attribute(at, tag, attributes)?;
                }
            }
        }
        self.at = at + 1;
        Some((tag, key, name_end, is_empty))
    }

    /// Reads an attribute and returns its end.
    #[inline(always)]
    fn attribute(&self, start: usize, tag: Name, attributes: &mut Vec<WrittenAttribute>) -> Option<usize> {
        let AttributeAt { name: name_range, key, value, end } = AttributeAt::read(self.text, start)?;
        let written = &self.text[name_range.clone()];
        let name = Attribute::from_key(written, key);
        // Several names may be equal, such as those of all attributes that refer to ids.
        let is_repeated = |known: &WrittenAttribute| {
            known.name == name && self.text[known.name_range.clone()].eq_ignore_ascii_case(written)
        };
        if self.is_reported(tag, name) && (name == Attribute::Other || !attributes.iter().any(is_repeated)) {
            attributes.push(WrittenAttribute { name, name_range, value });
        }
        Some(end)
    }

    /// Whether an attribute of an element may have facts.
    fn is_reported(&self, tag: Name, name: Attribute) -> bool {
        if name == Attribute::Other { self.passes_all } else { is_read(tag, name) || !self.skips_tags() }
    }

    /// Returns the end of a comment, a doctype or a CDATA section that begins after `<!`.
    fn after_declaration(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        if rest.starts_with(b"--") {
            return comment_end(self.text, at + 2);
        }
        if rest.starts_with(b"[CDATA[") && self.namespace() != Namespace::Html {
            return after(self.text, at + 7, b"]]>");
        }
        after(self.text, at, b">")
    }

    /// Returns the current namespace.
    fn namespace(&self) -> Namespace {
        self.frames.last().map_or(Namespace::Html, |frame| frame.content)
    }

    /// Handles a start tag.
    fn open(&mut self, tag: &mut Token, attributes: &[WrittenAttribute]) {
        let name = &self.text[tag.name.clone()];
        if self.namespace() != Namespace::Html && breaks_out(name, attributes) {
            self.leave_foreign();
        }
        let root = match tag.tag {
            Name::Svg => Some(Namespace::Svg),
            Name::Math => Some(Namespace::MathMl),
            _ => None,
        };
        let here = self.namespace();
        tag.namespace = if here == Namespace::Html { root.unwrap_or(here) } else { here };
        if tag.namespace == Namespace::Html {
            if let Some(raw) = raw_text_of(tag.tag, self.runs_scripts) {
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
        let parent = self.frames.last();
        let mut frame = Frame {
            content,
            html: parent.and_then(|frame| frame.html),
            svg: parent.and_then(|frame| frame.svg),
            math: parent.and_then(|frame| frame.math),
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

    /// Handles an end tag.
    fn close(&mut self, tag: &mut Token) {
        tag.namespace = self.namespace();
        let Some(innermost) = self.frames.last() else { return };
        let name = &self.text[tag.name.clone()];
        let closes = |frame: &Frame| self.text[frame.name.clone()].eq_ignore_ascii_case(name);
        if innermost.content == Namespace::Html {
            if closes(innermost) {
                self.frames.pop();
            }
        } else if Name::from_key(key(name)).is_html_only() {
            self.leave_foreign();
        } else {
            // All frames are `svg` or `math`, except the one with HTML content.
            let open = [innermost.svg, innermost.math, innermost.html];
            let mut open = open.into_iter().flatten().filter(|open| closes(&self.frames[*open]));
            if let Some(open) = open.next() {
                self.frames.truncate(open);
            }
        }
    }

    /// Leaves foreign elements up to the innermost one that contains HTML.
    fn leave_foreign(&mut self) {
        let html = self.frames.last().and_then(|frame| frame.html);
        self.frames.truncate(html.map_or(0, |html| html + 1));
    }

    /// Whether an element of SVG or `MathML` contains HTML: the integration points (13.2.6).
    fn holds_html(&self, namespace: Namespace, name: &[u8], attributes: &[WrittenAttribute]) -> bool {
        let is_one_of = |names: &[&[u8]]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        match namespace {
            Namespace::Svg => is_one_of(&[b"foreignobject", b"desc", b"title"]),
            Namespace::MathMl if name.eq_ignore_ascii_case(b"annotation-xml") => attributes.iter().any(|a| {
                let value = a.value.clone().map_or(&b""[..], |value| &self.text[value]);
                a.name == Attribute::Encoding
                    && (value.eq_ignore_ascii_case(b"text/html")
                        || value.eq_ignore_ascii_case(b"application/xhtml+xml"))
            }),
            Namespace::MathMl => is_one_of(&[b"mi", b"mo", b"mn", b"ms", b"mtext"]),
            Namespace::Html => true,
        }
    }
}

/// Whether a start tag ends the SVG or `MathML` around it.
fn breaks_out(name: &[u8], attributes: &[WrittenAttribute]) -> bool {
    Name::from_key(key(name)).is_html_only()
        || name.eq_ignore_ascii_case(b"font") && attributes.iter().any(|a| a.name == Attribute::FontStyle)
}

/// Returns the kind of an element's content if it is not markup.
fn raw_text_of(tag: Name, runs_scripts: bool) -> Option<RawText> {
    match tag {
        Name::Script => Some(RawText::Script),
        Name::Plaintext => Some(RawText::Endless),
        Name::Style
        | Name::Title
        | Name::Iframe
        | Name::Textarea
        | Name::Xmp
        | Name::Noembed
        | Name::Noframes => Some(RawText::Plain),
        Name::Noscript if runs_scripts => Some(RawText::Plain),
        _ => None,
    }
}
