//! Reads the tags of a page without building its tree. Of the tree it tracks only the open SVG and `MathML` elements, in
//! which `title` or `style` contain markup and `<![CDATA[` begins a section, and the open templates.

use std::ops::Range;

use crate::attribute_name::Attribute;
use crate::attributes::{AttributeAt, attributes};
use crate::element::{Name, Namespace};
use crate::element_table::{is_read, needs_attributes};
use crate::raw_text::RawText;
use crate::syntax::PageSyntax;
use crate::templates::{InertContent, Inertness, OpenTemplates};
use crate::tokenizer::{AttributeSink, Construct, Markup, Tag, TagAt, Tokenizer};

/// An attribute as written.
pub struct WrittenAttribute {
    /// Its name, if it is known.
    pub name: Attribute,
    /// Its name as written.
    pub name_range: Range<usize>,
    /// The value without quotes; `None` without `=`.
    pub value: Option<Range<usize>>,
}

impl WrittenAttribute {
    /// Returns the attributes of a tag whose name ends at `name_end`; of several with one known name, the first.
    #[must_use]
    pub fn all(text: &[u8], name_end: usize) -> Vec<WrittenAttribute> {
        let mut all = Vec::new();
        Self::read_all(text, name_end, &mut all);
        all
    }

    /// As [`WrittenAttribute::all`], into a buffer that many tags use.
    pub fn read_all(text: &[u8], name_end: usize, all: &mut Vec<WrittenAttribute>) {
        all.clear();
        for AttributeAt { name: name_range, key, value, .. } in attributes(text, name_end) {
            let name = Attribute::from_key(&text[name_range.clone()], key);
            WrittenAttribute { name, name_range, value }.push_first(all, text);
        }
    }

    /// Adds it, unless its name is known and another one has it.
    #[inline(always)]
    fn push_first(self, all: &mut Vec<WrittenAttribute>, text: &[u8]) {
        let written = |own: &WrittenAttribute| &text[own.name_range.clone()];
        // Several names may be equal, such as those of all attributes that refer to ids.
        let is_repeated = |other: &WrittenAttribute| {
            other.name == self.name && written(other).eq_ignore_ascii_case(written(&self))
        };
        // A tag may have any number of unknown names, but not of known ones.
        if self.name == Attribute::Other || !all.iter().any(is_repeated) {
            all.push(self);
        }
    }
}

/// Receives every tag and every comment, also those that are skipped.
pub trait TagSink {
    /// Receives a tag, and the namespace after it.
    fn tag(&mut self, _tag: &Tag, _content: Namespace) {}

    /// Receives a tag of HTML that is skipped. Consumers for which most of these need few steps have their own.
    #[inline(always)]
    fn skipped(&mut self, tag: TagAt) {
        self.tag(&tag.into(), Namespace::Html);
    }

    /// Receives a range between tags that is no text: a comment, a doctype, a CDATA section.
    fn comment(&mut self, _range: Range<usize>) {}
}

/// Ignores all tags.
impl TagSink for () {}

/// A tag that is not skipped.
pub struct ReadTag {
    /// From `<` to `>`.
    pub range: Range<usize>,
    /// Its name as written.
    pub name_range: Range<usize>,
    /// Its element.
    pub name: Name,
    /// Whether it is an end tag.
    pub is_end: bool,
    /// Whether it ends in `/>`, which HTML ignores but SVG does not.
    pub is_empty: bool,
    /// The namespace of its element.
    pub namespace: Namespace,
    /// The content of a start tag's element if it is not markup, up to its end tag or the end of the text.
    pub raw: Option<Range<usize>>,
    /// Whether it is in a template whose content is inert.
    pub inertness: Inertness,
    /// The number of the shadow tree that it is in, or begins; 0 for the page itself.
    pub shadow_tree: u32,
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

/// Reads the tags of a text: those that may refer to something, with their known attributes, or all with all attributes.
/// Most tags do not: `<p>`, `</span>`, `<td class=…>`. `ALL` is a constant, so that skipped tags cost little.
#[derive(Clone)]
pub struct TagReader<'t, const ALL: bool> {
    text: &'t [u8],
    tokenizer: Tokenizer<'t>,
    /// Open `svg` and `math` elements, and elements in them that contain HTML.
    frames: Vec<Frame>,
    templates: OpenTemplates,
    /// Whether `noscript` contains text, because scripts run.
    runs_scripts: bool,
    syntax: PageSyntax,
    /// The start tag of an empty element of XML, which ends next.
    empty: Option<Tag>,
}

impl<'t, const ALL: bool> TagReader<'t, ALL> {
    /// Starts at the beginning of a text.
    #[must_use]
    pub fn new(text: &'t [u8], runs_scripts: bool) -> Self {
        let (tokenizer, templates) = (Tokenizer::new(text), OpenTemplates::default());
        TagReader {
            text,
            tokenizer,
            frames: Vec::new(),
            templates,
            runs_scripts,
            syntax: PageSyntax::Html,
            empty: None,
        }
    }

    /// Reads another syntax than HTML. Then an empty element has an end tag, too: an empty range after its start tag, which
    /// the sink does not receive.
    #[must_use]
    pub fn with_syntax(self, syntax: PageSyntax) -> Self {
        TagReader { tokenizer: self.tokenizer.with_syntax(syntax), syntax, ..self }
    }

    /// Returns the offset after the last tag and its content.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.tokenizer.offset()
    }

    /// Returns the end of the text after the last tag. An incomplete tag does not count.
    #[must_use]
    pub fn text_end(&self) -> usize {
        self.tokenizer.text_end()
    }

    /// Returns the construct that is incomplete at the end of the text, and its start.
    #[must_use]
    pub fn unclosed(&self) -> Option<&(Construct, usize)> {
        self.tokenizer.unclosed()
    }

    /// Continues in another text that is equal up to the offset.
    #[must_use]
    pub fn continued(self, text: &[u8]) -> TagReader<'_, ALL> {
        let TagReader { tokenizer, frames, templates, runs_scripts, syntax, empty, .. } = self;
        let tokenizer = tokenizer.continued(text);
        TagReader { text, tokenizer, frames, templates, runs_scripts, syntax, empty }
    }

    /// Continues with all tags.
    #[must_use]
    pub fn with_all(self) -> TagReader<'t, true> {
        let TagReader { text, tokenizer, frames, templates, runs_scripts, syntax, empty } = self;
        TagReader { text, tokenizer, frames, templates, runs_scripts, syntax, empty }
    }

    /// Returns the inert content of a template that is open at the end of the text.
    pub fn open_inert(&mut self) -> Option<InertContent> {
        self.templates.end(self.text.len())
    }

    /// Returns the next tag that is not skipped, and its attributes in `attributes`; of several with one name, the first
    /// counts. A tag that is incomplete at the end of the text does not count. In SVG and `MathML`, where any tag may end
    /// its parent, no tag is skipped. `sink` also receives those that are.
    pub fn next(
        &mut self,
        attributes: &mut Vec<WrittenAttribute>,
        sink: &mut impl TagSink,
    ) -> Option<ReadTag> {
        if let Some(tag) = self.empty.take() {
            attributes.clear();
            let end = tag.range.end;
            return Some(self.read_tag(Tag { range: end..end, ..tag }, true, Namespace::Html, attributes));
        }
        let is_foreign = !self.frames.is_empty();
        let allows_sections = self.namespace() != Namespace::Html;
        let mut known = KnownAttributes::<ALL> { attributes, tag: Name::Other, is_foreign };
        let tag = loop {
            let tag = match self.tokenizer.markup(allows_sections, &mut known)? {
                Markup::Tag(tag) => tag,
                Markup::Other(token) => {
                    sink.comment(token.range().clone());
                    continue;
                }
            };
            if is_foreign || !known.skips(tag.is_end) {
                break tag;
            }
            sink.skipped(tag);
        };
        let (is_end, mut tag) = (tag.is_end, Tag::from(tag));
        if self.syntax == PageSyntax::Xml {
            self.match_case(&mut tag, attributes);
        }
        let (namespace, raw) = if is_end { (self.close(&tag), None) } else { self.open(&tag) };
        sink.tag(&tag, self.namespace());
        let ends_next =
            self.syntax == PageSyntax::Xml && !is_end && tag.is_empty && namespace == Namespace::Html;
        if ends_next && !tag.name.is_void() && (ALL || tag.name == Name::Template) {
            self.empty = Some(tag.clone());
        }
        Some(ReadTag { raw, ..self.read_tag(tag, is_end, namespace, attributes) })
    }

    /// Describes a tag, and tracks the templates.
    fn read_tag(
        &mut self,
        tag: Tag,
        is_end: bool,
        namespace: Namespace,
        attributes: &[WrittenAttribute],
    ) -> ReadTag {
        let Tag { range, name_range, name, is_empty, .. } = tag;
        let inertness = match (name, namespace) {
            (Name::Template, Namespace::Html) if is_end => self.templates.close(range.start),
            (Name::Template, Namespace::Html) => {
                let mode = attributes.iter().find(|own| own.name == Attribute::Shadowrootmode);
                let mode = mode.map(|own| own.value.clone().map_or(&b""[..], |value| &self.text[value]));
                self.templates.open(&range, mode)
            }
            _ => self.templates.inertness(),
        };
        let shadow_tree = self.templates.shadow_tree();
        ReadTag { range, name_range, name, is_end, is_empty, namespace, raw: None, inertness, shadow_tree }
    }

    /// Handles the case of names in XML: those of HTML are in lower case.
    fn match_case(&self, tag: &mut Tag, attributes: &mut Vec<WrittenAttribute>) {
        let is_lower = |range: &Range<usize>| !self.text[range.clone()].iter().any(u8::is_ascii_uppercase);
        if self.namespace() == Namespace::Html {
            attributes.retain(|own| is_lower(&own.name_range));
            if !is_lower(&tag.name_range) {
                tag.name = Name::Other;
            }
        }
    }

    /// Returns the current namespace.
    fn namespace(&self) -> Namespace {
        self.frames.last().map_or(Namespace::Html, |frame| frame.content)
    }

    /// Handles a start tag. Returns the namespace of its element, and its content if it is not markup.
    fn open(&mut self, tag: &Tag) -> (Namespace, Option<Range<usize>>) {
        let is_xml = self.syntax == PageSyntax::Xml;
        if self.namespace() != Namespace::Html && !is_xml && tag.ends_foreign(self.text) {
            self.leave_foreign();
        }
        let root = match tag.name {
            Name::Svg => Some(Namespace::Svg),
            Name::Math => Some(Namespace::MathMl),
            _ => None,
        };
        let here = self.namespace();
        let namespace = if here == Namespace::Html { root.unwrap_or(here) } else { here };
        if namespace == Namespace::Html {
            if is_xml {
                return (namespace, self.xml_text(tag));
            }
            let raw = RawText::of(tag.name, self.runs_scripts);
            return (namespace, raw.map(|raw| self.tokenizer.raw_text(raw, tag)));
        }
        let content = match root {
            Some(_) => namespace,
            None if tag.holds_html(self.text, namespace) => Namespace::Html,
            None => return (namespace, None),
        };
        if !tag.is_empty {
            self.enter(tag.name_range.clone(), content);
        }
        (namespace, None)
    }

    /// Returns the content of an element of XML in which browsers see only text.
    fn xml_text(&mut self, tag: &Tag) -> Option<Range<usize>> {
        let is_text = matches!(tag.name, Name::Script | Name::Style | Name::Textarea | Name::Title);
        is_text.then(|| {
            if tag.is_empty { tag.range.end..tag.range.end } else { self.tokenizer.xml_content(tag) }
        })
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

    /// Handles an end tag. Returns the namespace of its element.
    fn close(&mut self, tag: &Tag) -> Namespace {
        let namespace = self.namespace();
        let Some(innermost) = self.frames.last() else { return namespace };
        let name = &self.text[tag.name_range.clone()];
        let closes = |frame: &Frame| self.text[frame.name.clone()].eq_ignore_ascii_case(name);
        if innermost.content == Namespace::Html {
            if closes(innermost) {
                self.frames.pop();
            }
        } else if tag.name.is_html_only() && self.syntax == PageSyntax::Html {
            self.leave_foreign();
        } else if tag.name == Name::Template && self.templates.is_open() && self.syntax == PageSyntax::Html {
            // It ends the template around the SVG, with all that is open in it (13.2.6.5, "any other end tag").
            self.leave_foreign();
            return self.namespace();
        } else {
            // All frames are `svg` or `math`, except the one with HTML content.
            let open = [innermost.svg, innermost.math, innermost.html];
            let mut open = open.into_iter().flatten().filter(|open| closes(&self.frames[*open]));
            if let Some(open) = open.next() {
                self.frames.truncate(open);
            }
        }
        namespace
    }

    /// Leaves foreign elements up to the innermost one that contains HTML.
    fn leave_foreign(&mut self) {
        let html = self.frames.last().and_then(|frame| frame.html);
        self.frames.truncate(html.map_or(0, |html| html + 1));
    }
}

/// Collects the attributes of a tag that may refer to something.
struct KnownAttributes<'a, const ALL: bool> {
    attributes: &'a mut Vec<WrittenAttribute>,
    /// The element of the current tag.
    tag: Name,
    is_foreign: bool,
}

impl<const ALL: bool> KnownAttributes<'_, ALL> {
    /// Whether the current tag is skipped.
    #[inline(always)]
    fn skips(&self, is_end: bool) -> bool {
        let refers_to_nothing = if is_end {
            // The end of the others decides whether browsers load a plug-in.
            !matches!(self.tag, Name::Template | Name::Object | Name::Video | Name::Audio)
        } else {
            needs_attributes(self.tag) && self.attributes.is_empty()
        };
        !ALL && refers_to_nothing
    }
}

impl<const ALL: bool> AttributeSink for KnownAttributes<'_, ALL> {
    #[inline(always)]
    fn begin(&mut self, name: Name) {
        self.attributes.clear();
        self.tag = name;
    }

    #[inline(always)]
    fn attribute(&mut self, text: &[u8], attribute: AttributeAt) {
        let AttributeAt { name: name_range, key, value, .. } = attribute;
        let written = &text[name_range.clone()];
        let name = Attribute::from_key(written, key);
        let is_read = match name {
            Attribute::Other => ALL,
            name => ALL || self.is_foreign || is_read(self.tag, name),
        };
        if is_read {
            WrittenAttribute { name, name_range, value }.push_first(self.attributes, text);
        }
    }
}

impl Tag {
    /// Whether a start tag ends the SVG or `MathML` around it (HTML standard, 13.2.6.5).
    pub(crate) fn ends_foreign(&self, text: &[u8]) -> bool {
        let is_html_font =
            || [&b"color"[..], b"face", b"size"].iter().any(|name| self.attribute(text, name).is_some());
        self.name.is_html_only() || self.name == Name::Font && is_html_font()
    }

    /// Whether its element of SVG or `MathML` contains HTML: the integration points (13.2.4.2).
    fn holds_html(&self, text: &[u8], namespace: Namespace) -> bool {
        let encoding = || self.attribute(text, b"encoding");
        self.name.is_integration_point(namespace, encoding)
            || namespace == Namespace::MathMl && self.name.is_math_text()
    }
}
