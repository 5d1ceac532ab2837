//! Reads the events of the parser. Collects link definitions, and how often the text uses them; directives share the
//! definitions of their page.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::fragment::SourcePieces;
use super::not_shown::{RawHtml, hidden_lines};
use super::{destination, directives};
use crate::reference::{Manner, SourceOptions, SourceReference, SourceScan};

/// A definition `[name]: destination`.
struct Definition {
    pub name: String,
    /// Its whole range in the source.
    pub span: Range<usize>,
    /// Its destination in the source.
    pub range: Range<usize>,
    pub target: String,
}

/// The definitions of a page, and their uses.
#[derive(Default)]
struct Definitions {
    definitions: Vec<Definition>,
    /// Names with the offsets of their uses.
    uses: Vec<(String, usize)>,
}

impl Definitions {
    pub fn use_name(&mut self, name: &str, offset: usize) {
        self.uses.push((normalize(name), offset));
    }

    /// Adds the definitions to a scan with sorted inert ranges, which contain no uses. The first definition of a name
    /// counts.
    pub fn finish<'t>(mut self, source: &'t str, scan: &mut SourceScan<'t>) {
        let mut uses: HashMap<String, u32> = HashMap::new();
        for (name, offset) in self.uses {
            if !scan.is_inert(offset) {
                *uses.entry(name).or_default() += 1;
            }
        }
        self.definitions.sort_by_key(|definition| definition.span.start);
        for definition in self.definitions {
            if scan.is_inert(definition.span.start) {
                continue;
            }
            let count = uses.remove(&normalize(&definition.name)).unwrap_or_default();
            let is_comment = count == 0 && (definition.name == "//" || definition.target == "#");
            if is_comment {
                // `[//]: # (comment)`
                scan.inert.push(definition.span);
                continue;
            }
            let Definition { range, target, .. } = definition;
            let reference = SourceReference::new(source, range, &target, Manner::Link);
            scan.references.push(SourceReference { uses: count, is_shown_elsewhere: true, ..reference });
        }
    }
}

/// Normalizes the white space and the case of a name: `SS`, `ß` and `ẞ` are the same.
fn normalize(name: &str) -> String {
    let name = name.to_lowercase().to_uppercase().to_lowercase();
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Extensions that most generators share. Math hides links only if it follows the rules of Pandoc, so that prices are
/// none. Not definition lists: what is indented after a definition is code for others.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH);

/// Reads Markdown and the directives in it.
pub(super) struct MarkdownReader<'t> {
    pub source: &'t str,
    pub options: SourceOptions,
    /// Whether it is MDX without tags and expressions: indented text is no code, and HTML is none.
    pub is_mdx: bool,
    pub found: SourceScan<'t>,
    definitions: Definitions,
    pub html: RawHtml,
    /// The name of the open footnote; pages show it at their end, if the text uses it.
    footnote: Option<String>,
    /// The links in footnotes, with the names of these.
    of_footnotes: Vec<(usize, String)>,
    used_footnotes: HashSet<String>,
}

/// A link or an image whose end was not read.
struct OpenLink<'f> {
    range: Range<usize>,
    kind: LinkType,
    target: CowStr<'f>,
    is_image: bool,
    /// End of the last part of its text.
    content_end: usize,
}

/// Parts of the text that have begun at an event, and not ended.
#[derive(Default)]
pub(super) struct OpenBlocks<'f> {
    links: Vec<OpenLink<'f>>,
    /// The info string of a block of code; `None` for an indented one.
    code: Option<(Option<CowStr<'f>>, Vec<Range<usize>>)>,
    /// Lines of a block of HTML, in the source.
    html: Vec<Range<usize>>,
    /// End of the cell of a table.
    cell_end: Option<usize>,
    /// Indentation of the first line of a table.
    table_indent: usize,
    /// End of the last bare URL.
    url_end: usize,
    /// Text that was read as a fragment of its own.
    pub skipped: Range<usize>,
}

impl<'t> MarkdownReader<'t> {
    pub fn new(source: &'t str, options: SourceOptions) -> MarkdownReader<'t> {
        MarkdownReader {
            source,
            options,
            is_mdx: false,
            found: SourceScan::default(),
            definitions: Definitions::default(),
            html: RawHtml::new(),
            footnote: None,
            of_footnotes: Vec::new(),
            used_footnotes: HashSet::new(),
        }
    }

    /// Returns everything that was found in a range, of which parts are hidden.
    pub fn finish(mut self, range: Range<usize>, hidden: &[Range<usize>]) -> SourceScan<'t> {
        for (number, name) in &self.of_footnotes {
            if !self.used_footnotes.contains(name) {
                self.found.references[*number].uses = 0;
            }
        }
        self.found.inert.extend(self.html.finish(range.end));
        self.found.inert.extend_from_slice(hidden);
        self.found.sort();
        self.found.inert.append(&mut hidden_lines(self.source, range, &self.found));
        self.found.sort();
        self.definitions.finish(self.source, &mut self.found);
        self.found.sort();
        self.found
    }

    /// Reads a fragment that is in `depth` directives.
    pub fn read(&mut self, fragment: &SourcePieces<'t>, depth: usize) {
        let text = &*fragment.text;
        let mut unknown = Vec::new();
        let note_unknown = |link: BrokenLink<'_>| {
            unknown.push((link.reference.to_string(), fragment.origins.offset(link.span.start)));
            None
        };
        let parser =
            Parser::new_with_broken_link_callback(text, EXTENSIONS, Some(note_unknown)).into_offset_iter();
        for (name, definition) in parser.reference_definitions().iter() {
            let range = destination::definition(text, &definition.span, &definition.dest);
            if let Some(range) = range {
                let (range, target) = destination::without_file_scheme(text, range, &definition.dest);
                self.definitions.definitions.push(Definition {
                    name: name.to_owned(),
                    span: fragment.origins.range(definition.span.clone()),
                    range: fragment.origins.range(range),
                    target: target.to_owned(),
                });
            }
        }
        let mut open = OpenBlocks::default();
        for (event, range) in parser {
            if open.skipped.contains(&range.start) {
                continue;
            }
            self.read_event(fragment, &mut open, event, range.clone(), depth);
            if let Some(link) = open.links.last_mut().filter(|link| link.range != range) {
                link.content_end = link.content_end.max(range.end);
            }
        }
        for (name, offset) in unknown {
            self.definitions.use_name(&name, offset);
        }
    }

    fn read_event<'f>(
        &mut self,
        fragment: &'f SourcePieces<'t>,
        open: &mut OpenBlocks<'f>,
        event: Event<'f>,
        range: Range<usize>,
        depth: usize,
    ) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
                self.open_link(fragment, open, &id, OpenLink::new(range, link_type, dest_url, false));
            }
            Event::Start(Tag::Image { link_type, dest_url, id, .. }) => {
                self.open_link(fragment, open, &id, OpenLink::new(range, link_type, dest_url, true));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(link) = open.links.pop() {
                    self.add_link(fragment, open, &link);
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => Some(info),
                    CodeBlockKind::Indented => None,
                };
                open.code = Some((info, Vec::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((info, lines)) = open.code.take() {
                    if self.is_mdx && info.is_none() {
                        return self.read_nested(&SourcePieces::new(self.source, &lines), depth);
                    }
                    self.read_code(fragment, range, info.as_deref(), &lines, depth);
                }
            }
            Event::Start(Tag::Table(_)) => open.table_indent = indent(&fragment.text, range.start),
            // Some renderers continue the table, and others begin a block of code.
            Event::Start(Tag::TableRow) if indent(&fragment.text, range.start) >= open.table_indent + 4 => {
                self.found.inert.push(fragment.origins.range(range.clone()));
                open.skipped = range;
            }
            Event::Start(Tag::FootnoteDefinition(name)) => self.footnote = Some(name.to_lowercase()),
            Event::End(TagEnd::FootnoteDefinition) => self.footnote = None,
            Event::FootnoteReference(name) => {
                self.used_footnotes.insert(name.to_lowercase());
            }
            Event::Start(Tag::TableCell) => open.cell_end = Some(range.end),
            Event::End(TagEnd::TableCell) => open.cell_end = None,
            Event::Start(Tag::HtmlBlock) => open.html.clear(),
            Event::Html(_) => open.html.extend(fragment.origins.ranges(range)),
            Event::End(TagEnd::HtmlBlock) | Event::InlineHtml(_) if self.is_mdx => open.html.clear(),
            Event::End(TagEnd::HtmlBlock) => self.read_html_block(&std::mem::take(&mut open.html), depth),
            Event::InlineHtml(html) => self.read_html(&fragment.origins_of_lines(range, &html)),
            Event::Code(_) => self.read_inline_code(fragment, range),
            Event::InlineMath(_) | Event::DisplayMath(_) => {
                self.found.inert.push(fragment.origins.range(range));
            }
            Event::Text(_) => {
                if let Some((_, lines)) = &mut open.code {
                    lines.extend(fragment.origins.ranges(range));
                } else {
                    self.use_footnotes(&fragment.text, range.clone());
                    self.read_blocks(fragment, open, range.start, depth);
                    self.read_text(fragment, open, range);
                }
            }
            _ => {}
        }
    }

    /// Notes a use of a definition, and the start of a link.
    fn open_link<'f>(
        &mut self,
        fragment: &SourcePieces<'t>,
        open: &mut OpenBlocks<'f>,
        name: &str,
        link: OpenLink<'f>,
    ) {
        let is_shown = !open.links.iter().any(|outer| outer.is_image);
        if is_shown && matches!(link.kind, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut) {
            self.definitions.use_name(name, fragment.origins.offset(link.range.start));
        }
        open.links.push(link);
    }

    /// Adds a link with a destination, unless it is in the alternative text of an image.
    fn add_link(&mut self, fragment: &SourcePieces<'t>, open: &OpenBlocks<'_>, link: &OpenLink<'_>) {
        let text = &*fragment.text;
        let range = match link.kind {
            LinkType::Inline => destination::inline(text, &link.range, link.content_end, &link.target),
            LinkType::Autolink | LinkType::Email => Some(link.range.start + 1..link.range.end - 1),
            _ => None,
        };
        if let Some(range) = range.filter(|_| !open.links.iter().any(|outer| outer.is_image)) {
            let scheme = if link.kind == LinkType::Email { "mailto:" } else { "" };
            let (range, target) = destination::without_file_scheme(text, range, &link.target);
            self.add(fragment, range, Manner::Link, &format!("{scheme}{target}"));
        }
    }

    fn add(&mut self, fragment: &SourcePieces<'t>, range: Range<usize>, manner: Manner, target: &str) {
        let range = fragment.origins.range(range);
        let mut reference = SourceReference::new(self.source, range, target, manner);
        if let Some(name) = &self.footnote {
            self.of_footnotes.push((self.found.references.len(), name.clone()));
            reference.is_shown_elsewhere = true;
        }
        self.found.references.push(reference);
    }

    pub fn add_written(&mut self, fragment: &SourcePieces<'t>, (range, manner): (Range<usize>, Manner)) {
        self.add(fragment, range.clone(), manner, &fragment.text[range]);
    }

    /// Reads inline code, which may be the content of a role.
    fn read_inline_code(&mut self, fragment: &SourcePieces<'t>, range: Range<usize>) {
        match directives::role(&fragment.text, range.start, &range) {
            Some(reference) => self.add_written(fragment, reference),
            None => self.found.inert.push(fragment.origins.range(range)),
        }
    }

    /// Notes the uses of footnotes whose definition is in another fragment. To the parser, they are text.
    fn use_footnotes(&mut self, text: &str, range: Range<usize>) {
        for (at, _) in text[range.clone()].match_indices('^') {
            let (before, name) = (&text[..range.start + at], &text[range.start + at + 1..]);
            let is_reference = before.ends_with('[') && !before.ends_with("\\[");
            if let Some((name, after)) = name.split_once(']').filter(|_| is_reference)
                && !after.starts_with(':')
            {
                self.used_footnotes.insert(name.to_lowercase());
            }
        }
    }

    fn read_text(&mut self, fragment: &SourcePieces<'t>, open: &mut OpenBlocks<'_>, range: Range<usize>) {
        let text = &*fragment.text;
        if open.links.is_empty() && !self.html.is_in_link && range.end > open.url_end {
            let limit = open.cell_end.unwrap_or(text.len());
            for url in destination::bare_urls(text, range.start.max(open.url_end)..range.end, limit) {
                open.url_end = url.end;
                let written = &text[url.clone()];
                let scheme = if written.starts_with("www.") { "http://" } else { "" };
                self.add(fragment, url, Manner::Link, &format!("{scheme}{written}"));
            }
        }
    }
}

impl<'f> OpenLink<'f> {
    fn new(range: Range<usize>, kind: LinkType, target: CowStr<'f>, is_image: bool) -> OpenLink<'f> {
        let content_end = range.start + if is_image { 2 } else { 1 };
        OpenLink { range, kind, target, is_image, content_end }
    }
}

/// Returns the number of columns of the white space around an offset.
fn indent(text: &str, offset: usize) -> usize {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let bytes = text.as_bytes();
    let (before, after) = bytes.split_at(offset);
    let space = before
        .iter()
        .rev()
        .take_while(|byte| is_space(byte))
        .chain(after.iter().take_while(|byte| is_space(byte)));
    space.map(|byte| if *byte == b'\t' { 4 } else { 1 }).sum()
}
