//! Reads the events of the parser.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::{Manner, ScanOptions, SourceReference, SourceScan, markup, restructured};

use super::autolink::bare_urls;
use super::definitions::{Definition, Definitions};
use super::destination;
use super::directives::{self, Content};
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
    /// End of the last bare URL.
    url_end: usize,
    /// End of the text that was read as a fragment of its own.
    read_end: usize,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str, options: ScanOptions) -> Reader<'t> {
        let (found, definitions) = (SourceScan::default(), Definitions::default());
        Reader { source, options, found, definitions, html: RawHtml::new() }
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
            if range.start < open.read_end {
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
                    self.read_code(fragment, range, info.as_deref(), &lines, depth);
                }
            }
            Event::Start(Tag::TableCell) => open.cell_end = Some(range.end),
            Event::End(TagEnd::TableCell) => open.cell_end = None,
            Event::Start(Tag::HtmlBlock) => open.html.clear(),
            Event::Html(_) => open.html.extend(fragment.origins_of(range)),
            Event::End(TagEnd::HtmlBlock) => self.read_html(&std::mem::take(&mut open.html)),
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

    /// Reads blocks that begin in text: directives between colons, and those of `MkDocs`.
    fn read_blocks(&mut self, fragment: &Fragment<'t>, open: &mut Open<'_>, start: usize, depth: usize) {
        let text = &*fragment.text;
        if text[start..].starts_with(":::") {
            self.read_colons(fragment, open, start);
        } else if let Some((content, end)) = indented::content(text, start) {
            open.read_end = end;
            let content: Vec<_> = content.into_iter().flat_map(|line| fragment.origins_of(line)).collect();
            if depth < MAX_DEPTH {
                self.read(&Fragment::new(self.source, &content), depth + 1);
            } else {
                self.found.inert.extend(content);
            }
        }
    }

    /// Reads a directive between lines of colons. The parser reads its content as Markdown.
    fn read_colons(&mut self, fragment: &Fragment<'t>, open: &mut Open<'_>, start: usize) {
        let text = &*fragment.text;
        let line_end = directives::next_line(text, start, text.len());
        let name_start = line_end - text[start..line_end].trim_start_matches(':').len();
        let Some(opening) = directives::opening(text, name_start..line_end) else { return };
        if let Some(argument) = directives::argument(text, &opening) {
            self.add_written(fragment, argument);
        }
        let is_markdown =
            Content::of_directive(opening.name) == Content::Markdown || opening.name.starts_with(['.', '#']);
        let end =
            if is_markdown { text.len() } else { directives::colons_end(text, line_end, name_start - start) };
        let (references, body) = directives::options(text, line_end..end);
        references.into_iter().for_each(|reference| self.add_written(fragment, reference));
        if is_markdown {
            return;
        }
        open.read_end = end;
        if Content::of_directive(opening.name) == Content::Documents {
            let entries = directives::entries(text, body..end);
            entries.into_iter().for_each(|entry| self.add_written(fragment, entry));
        } else {
            self.found.inert.push(fragment.origin_of(body..end));
        }
    }

    fn read_text(&mut self, fragment: &Fragment<'t>, open: &mut Open<'_>, range: Range<usize>) {
        let text = &*fragment.text;
        if range.start < open.read_end {
            return;
        }
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
        if let Some(argument) = directives::argument(text, &opening) {
            self.add_written(fragment, argument);
        }
        let content = Fragment::new(self.source, lines);
        let (references, body) = directives::options(&content.text, 0..content.text.len());
        references.into_iter().for_each(|reference| self.add_written(&content, reference));
        let rest = content.origins_of(body..content.text.len());
        match Content::of_directive(opening.name) {
            Content::Documents => {
                let entries = directives::entries(&content.text, body..content.text.len());
                entries.into_iter().for_each(|entry| self.add_written(&content, entry));
            }
            Content::Markdown if depth < MAX_DEPTH => {
                self.read(&Fragment::new(self.source, &rest), depth + 1)
            }
            Content::Restructured => {
                let options = self.options;
                scan_joined(self.source, &rest, &mut self.found, |text, range, scan| {
                    restructured::scan(text, range, options, scan);
                });
            }
            Content::Markdown | Content::Code => self.found.inert.extend(rest),
        }
    }
}

impl<'f> OpenLink<'f> {
    fn new(range: &Range<usize>, kind: LinkType, target: CowStr<'f>, is_image: bool) -> OpenLink<'f> {
        let content_end = range.start + if is_image { 2 } else { 1 };
        OpenLink { range: range.clone(), kind, target, is_image, content_end }
    }
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
