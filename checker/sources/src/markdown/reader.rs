//! Reads the events of the parser.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::{Manner, ScanOptions, SourceReference, SourceScan, markup, restructured};

use super::autolink::bare_urls;
use super::definitions::{Definition, Definitions};
use super::destination;
use super::directives::{self, Content, Opening};
use super::fragment::{Fragment, scan_joined, target_at};
use super::raw_html::RawHtml;
use super::{indented, lines};

/// Extensions that most generators share. Math hides links only if it follows the rules of Pandoc, so that prices are
/// none. Not definition lists: what is indented after a definition is code for others.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH);

/// Maximum number of directives in each other. What is deeper is code.
const MAX_DEPTH: usize = 8;

/// Reads Markdown and the directives in it.
pub(super) struct Reader<'t> {
    source: &'t str,
    options: ScanOptions,
    /// Whether indented text is no code, and HTML is none.
    is_mdx: bool,
    found: SourceScan<'t>,
    definitions: Definitions,
    html: RawHtml,
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

/// What is open at an event.
#[derive(Default)]
struct Open<'f> {
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
    skipped: Range<usize>,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str, options: ScanOptions) -> Reader<'t> {
        let (found, definitions) = (SourceScan::default(), Definitions::default());
        Reader { source, options, is_mdx: false, found, definitions, html: RawHtml::new() }
    }

    /// Reads MDX without tags and expressions.
    pub fn of_mdx(self) -> Reader<'t> {
        Reader { is_mdx: true, ..self }
    }

    /// Returns everything that was found in a range, of which parts are hidden.
    pub fn finish(mut self, range: Range<usize>, hidden: &[Range<usize>]) -> SourceScan<'t> {
        self.found.inert.extend(self.html.finish(range.end));
        self.found.inert.extend_from_slice(hidden);
        self.found.sort();
        self.found.inert.append(&mut lines::hidden(self.source, range, &self.found));
        self.found.sort();
        self.definitions.finish(self.source, &mut self.found);
        self.found.sort();
        self.found
    }

    /// Reads a fragment that is in `depth` directives.
    pub fn read(&mut self, fragment: &Fragment<'t>, depth: usize) {
        let text = &*fragment.text;
        let mut unknown = Vec::new();
        let note_unknown = |link: BrokenLink<'_>| {
            unknown.push((link.reference.to_string(), fragment.origin(link.span.start)));
            None
        };
        let parser =
            Parser::new_with_broken_link_callback(text, EXTENSIONS, Some(note_unknown)).into_offset_iter();
        for (name, definition) in parser.reference_definitions().iter() {
            let range = destination::definition(text, &definition.span, &definition.dest);
            if let Some(range) = range {
                self.definitions.define(Definition {
                    name: name.to_owned(),
                    span: fragment.origin_of(definition.span.clone()),
                    range: fragment.origin_of(range),
                    target: definition.dest.to_string(),
                });
            }
        }
        let mut open = Open::default();
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
        fragment: &'f Fragment<'t>,
        open: &mut Open<'f>,
        event: Event<'f>,
        range: Range<usize>,
        depth: usize,
    ) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
                self.open_link(
                    fragment,
                    open,
                    link_type,
                    &id,
                    OpenLink::new(&range, link_type, dest_url, false),
                );
            }
            Event::Start(Tag::Image { link_type, dest_url, id, .. }) => {
                self.open_link(
                    fragment,
                    open,
                    link_type,
                    &id,
                    OpenLink::new(&range, link_type, dest_url, true),
                );
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
                        return self.read_nested(&Fragment::new(self.source, &lines), depth);
                    }
                    self.read_code(fragment, range, info.as_deref(), &lines, depth);
                }
            }
            Event::Start(Tag::Table(_)) => open.table_indent = indent(&fragment.text, range.start),
            // Some renderers continue the table, and others begin a block of code.
            Event::Start(Tag::TableRow) if indent(&fragment.text, range.start) >= open.table_indent + 4 => {
                self.found.inert.push(fragment.origin_of(range.clone()));
                open.skipped = range;
            }
            Event::Start(Tag::TableCell) => open.cell_end = Some(range.end),
            Event::End(TagEnd::TableCell) => open.cell_end = None,
            Event::Start(Tag::HtmlBlock) => open.html.clear(),
            Event::Html(_) => open.html.extend(fragment.origins_of(range)),
            Event::End(TagEnd::HtmlBlock) | Event::InlineHtml(_) if self.is_mdx => open.html.clear(),
            Event::End(TagEnd::HtmlBlock) => self.read_html_block(&std::mem::take(&mut open.html), depth),
            Event::InlineHtml(html) => self.read_html(&inline_html_ranges(fragment, range, &html)),
            Event::Code(_) => self.read_inline_code(fragment, range),
            Event::InlineMath(_) | Event::DisplayMath(_) => self.found.inert.push(fragment.origin_of(range)),
            Event::Text(_) => match &mut open.code {
                Some((_, lines)) => lines.extend(fragment.origins_of(range)),
                None => {
                    self.read_blocks(fragment, open, range.start, depth);
                    self.read_text(fragment, open, range);
                }
            },
            _ => {}
        }
    }

    /// Notes a use of a definition, and the start of a link.
    fn open_link<'f>(
        &mut self,
        fragment: &Fragment<'t>,
        open: &mut Open<'f>,
        kind: LinkType,
        name: &str,
        link: OpenLink<'f>,
    ) {
        let is_shown = !open.links.iter().any(|link| link.is_image);
        if is_shown && matches!(kind, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut) {
            self.definitions.use_name(name, fragment.origin(link.range.start));
        }
        open.links.push(link);
    }

    /// Adds a link with a destination, unless it is in the alternative text of an image.
    fn add_link(&mut self, fragment: &Fragment<'t>, open: &Open<'_>, link: &OpenLink<'_>) {
        let text = &*fragment.text;
        let range = match link.kind {
            LinkType::Inline => destination::inline(text, &link.range, link.content_end, &link.target),
            LinkType::Autolink | LinkType::Email => Some(link.range.start + 1..link.range.end - 1),
            _ => None,
        };
        if let Some(range) = range.filter(|_| !open.links.iter().any(|link| link.is_image)) {
            let scheme = if link.kind == LinkType::Email { "mailto:" } else { "" };
            self.add(fragment, range, Manner::Link, &format!("{scheme}{}", link.target));
        }
    }

    fn add(&mut self, fragment: &Fragment<'t>, range: Range<usize>, manner: Manner, target: &str) {
        let range = fragment.origin_of(range);
        let target = target_at(self.source, &range, target);
        self.found.references.push(SourceReference { range, manner, target, uses: 1 });
    }

    fn add_written(&mut self, fragment: &Fragment<'t>, (range, manner): (Range<usize>, Manner)) {
        self.add(fragment, range.clone(), manner, &fragment.text[range]);
    }

    /// Reads a block of HTML. With the attribute `markdown`, kramdown and Python-Markdown read its content as Markdown.
    fn read_html_block(&mut self, lines: &[Range<usize>], depth: usize) {
        let block = Fragment::new(self.source, lines);
        let text = &*block.text;
        let first_end = directives::next_line(text, 0, text.len());
        let is_tag = text.starts_with('<') && text[..first_end].trim_end().ends_with('>');
        let mut words = text[..first_end].split([' ', '<', '>', '=', '"', '\'']);
        let is_markdown = is_tag && words.any(|word| word == "markdown");
        if !is_markdown {
            return self.read_html(lines);
        }
        let last_start = text.trim_end().rfind('\n').map_or(first_end, |end| (end + 1).max(first_end));
        let content_end = if text[last_start..].starts_with("</") { last_start } else { text.len() };
        self.read_html(&block.origins_of(0..first_end));
        self.read_nested(&block.part(self.source, &[first_end..content_end]), depth);
        self.read_html(&block.origins_of(content_end..text.len()));
    }

    /// Reads the parts of a block of HTML or of a tag that browsers read as markup.
    fn read_html(&mut self, pieces: &[Range<usize>]) {
        let fragment = Fragment::new(self.source, pieces);
        let joined = fragment.origins_of(0..fragment.text.len());
        let shown = joined.into_iter().map(|piece| self.html.read(self.source, &piece)..piece.end);
        let shown: Vec<Range<usize>> = shown.collect();
        scan_joined(self.source, &shown, &mut self.found, |text, range, scan| {
            markup::scan(text, range, scan)
        });
    }

    /// Reads inline code, which may be the content of a role.
    fn read_inline_code(&mut self, fragment: &Fragment<'t>, range: Range<usize>) {
        match directives::role(&fragment.text, range.start, &range) {
            Some(reference) => self.add_written(fragment, reference),
            None => self.found.inert.push(fragment.origin_of(range)),
        }
    }

    /// Reads blocks that begin in text: directives between colons, and those of `MkDocs`. The parser reads their content
    /// as a part of the paragraph.
    fn read_blocks(&mut self, fragment: &Fragment<'t>, open: &mut Open<'_>, start: usize, depth: usize) {
        let text = &*fragment.text;
        let first_end = || directives::next_line(text, start, text.len());
        if text[start..].starts_with(":::") && directives::is_line_start(text, start) {
            let line = start..first_end();
            let name_start = line.end - text[line.clone()].trim_start_matches(':').len();
            if text[name_start..line.end].trim().is_empty() {
                return;
            }
            let (content, end) = directives::colon_content(text, start, line.end);
            open.skipped = line.end..end;
            let content = fragment.part(self.source, &content);
            match directives::opening(text, name_start..line.end)
                .filter(|opening| !opening.name.starts_with(['.', '#']))
            {
                Some(opening) => self.read_directive(fragment, &opening, &content, depth),
                None => self.read_nested(&content, depth),
            }
        } else if let Some((content, end)) = indented::content(text, start) {
            open.skipped = first_end()..end;
            self.read_nested(&fragment.part(self.source, &content), depth);
        }
    }

    /// Reads a fragment in another one, unless it is too deep.
    fn read_nested(&mut self, fragment: &Fragment<'t>, depth: usize) {
        if depth < MAX_DEPTH {
            self.read(fragment, depth + 1);
        } else {
            self.found.inert.extend(fragment.origins_of(0..fragment.text.len()));
        }
    }

    fn read_text(&mut self, fragment: &Fragment<'t>, open: &mut Open<'_>, range: Range<usize>) {
        let text = &*fragment.text;
        if open.links.is_empty() && !self.html.is_in_link && range.end > open.url_end {
            let limit = open.cell_end.unwrap_or(text.len());
            for url in bare_urls(text, range.start.max(open.url_end)..range.end, limit) {
                open.url_end = url.end;
                let written = &text[url.clone()];
                if written.starts_with("www.") {
                    self.add(fragment, url.clone(), Manner::Link, &format!("http://{written}"));
                } else {
                    self.add(fragment, url.clone(), Manner::Link, written);
                }
            }
        }
    }

    /// Reads a block of code, which may be a directive. `lines` is its content in the source.
    fn read_code(
        &mut self,
        fragment: &Fragment<'t>,
        block: Range<usize>,
        info: Option<&str>,
        lines: &[Range<usize>],
        depth: usize,
    ) {
        let text = &*fragment.text;
        let first_line = block.start..directives::next_line(text, block.start, block.end);
        let after_fence = text[first_line.clone()].trim_start().trim_start_matches(['`', '~']).len();
        let opening =
            info.and_then(|_| directives::opening(text, first_line.end - after_fence..first_line.end));
        let Some(opening) = opening else {
            self.found.inert.push(fragment.origin_of(block));
            return;
        };
        self.read_directive(fragment, &opening, &Fragment::new(self.source, lines), depth);
        if Content::of_directive(opening.name) == Content::Markdown && !directives::has_path(opening.name) {
            // A title, or the first line of the content.
            self.read_nested(&fragment.part(self.source, &[opening.argument]), depth);
        }
    }

    /// Reads a directive and its content.
    fn read_directive(
        &mut self,
        fragment: &Fragment<'t>,
        opening: &Opening<'_>,
        content: &Fragment<'t>,
        depth: usize,
    ) {
        if let Some(argument) = directives::argument(&fragment.text, opening) {
            self.add_written(fragment, argument);
        }
        let (references, body) = directives::options(&content.text, 0..content.text.len());
        references.into_iter().for_each(|reference| self.add_written(content, reference));
        let rest = content.origins_of(body..content.text.len());
        match Content::of_directive(opening.name) {
            Content::Documents => {
                let entries = directives::entries(&content.text, body..content.text.len());
                entries.into_iter().for_each(|entry| self.add_written(content, entry));
            }
            Content::Markdown => self.read_nested(&Fragment::new(self.source, &rest), depth),
            Content::Restructured => {
                let options = self.options;
                scan_joined(self.source, &rest, &mut self.found, |text, range, scan| {
                    restructured::scan(text, range, options, scan);
                });
            }
            Content::Code => self.found.inert.extend(rest),
        }
    }
}

impl<'f> OpenLink<'f> {
    fn new(range: &Range<usize>, kind: LinkType, target: CowStr<'f>, is_image: bool) -> OpenLink<'f> {
        let content_end = range.start + if is_image { 2 } else { 1 };
        OpenLink { range: range.clone(), kind, target, is_image, content_end }
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

/// Returns the ranges in the source of a tag. In a quote, the parser removes the marks of its lines.
fn inline_html_ranges(fragment: &Fragment<'_>, range: Range<usize>, html: &str) -> Vec<Range<usize>> {
    let text = &fragment.text[range.clone()];
    if text == html {
        return fragment.origins_of(range);
    }
    let mut start = range.start;
    let mut ranges = Vec::new();
    for (line, shown) in text.split_inclusive('\n').zip(html.split_inclusive('\n')) {
        let end = start + line.len();
        if line.ends_with(shown) {
            ranges.extend(fragment.origins_of(end - shown.len()..end));
        }
        start = end;
    }
    ranges
}
