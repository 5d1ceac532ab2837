//! Reads blocks that contain Markdown or references: HTML, code, directives and admonitions.

use std::ops::Range;

use sitegate_html::attributes::attributes;

use crate::{markup, restructured};

use super::directives::{self, CODE_INDENT, MystContent, Opening};
use super::fragment::{SourcePieces, scan_joined};
use super::not_shown::is_raw;
use super::reader::{MarkdownReader, OpenBlocks};

/// Maximum number of directives in each other. What is deeper is code.
const MAX_DEPTH: usize = 8;

/// Returns the end of the start tag at the start of a text, if it has the attribute `markdown`, and its element can have
/// Markdown as content.
fn markdown_tag_end(text: &str) -> Option<usize> {
    let name = text.strip_prefix('<')?;
    let name_end = 1 + name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?;
    if name_end == 1 || is_raw(&text[1..name_end]) || text[1..name_end].eq_ignore_ascii_case("pre") {
        return None;
    }
    let mut end = name_end;
    let mut is_markdown = false;
    for attribute in attributes(text.as_bytes(), name_end) {
        let value = attribute.value.map_or("", |value| &text[value]);
        is_markdown |= &text[attribute.name] == "markdown" && matches!(value, "" | "1" | "block" | "span");
        end = attribute.end;
    }
    let close = text[end..].find('>')?;
    (is_markdown && text[end..end + close].trim_matches([' ', '\t', '\n', '/']).is_empty())
        .then_some(end + close + 1)
}

impl<'t> MarkdownReader<'t> {
    /// Reads a block of HTML. With the attribute `markdown`, kramdown and Python-Markdown read its content as Markdown.
    pub(super) fn read_html_block(&mut self, lines: &[Range<usize>], depth: usize) {
        let block = SourcePieces::new(self.source, lines);
        let text = &*block.text;
        let start = block.origins.offset(0);
        let line_start = self.source[..start].rfind('\n').map_or(0, |end| end + 1);
        let indent = &self.source[line_start..start];
        // Python-Markdown reads neither a tag after one to three spaces, nor one after the mark of a list.
        let is_read = indent.is_empty() || indent.len() >= CODE_INDENT && indent.trim_ascii().is_empty();
        let Some(tag_end) = markdown_tag_end(text).filter(|_| is_read) else {
            return self.read_html(lines);
        };
        let content_end = text.rfind("</").filter(|end| *end >= tag_end).unwrap_or(text.len());
        self.read_html(&block.origins.ranges(0..tag_end));
        let content: Vec<Range<usize>> = if indent.is_empty() {
            std::iter::once(tag_end..content_end).collect()
        } else {
            // Such a tag is inline, so that its lines are a paragraph up to the first blank one.
            directives::lines(text, tag_end..content_end)
                .map(|line| line.end - text[line.clone()].trim_start_matches([' ', '\t']).len()..line.end)
                .take_while(|line| line.start < tag_end + 1 || !text[line.clone()].trim().is_empty())
                .map(|line| line.start..directives::next_line(text, line.end, content_end))
                .collect()
        };
        let read_end = content.last().map_or(tag_end, |line| line.end);
        self.read_nested(&block.part(self.source, &content), depth);
        self.read_html(&block.origins.ranges(read_end..text.len()));
    }

    /// Reads the parts of a block of HTML or of a tag that browsers read as markup.
    pub(super) fn read_html(&mut self, pieces: &[Range<usize>]) {
        let joined = SourcePieces::new(self.source, pieces).all_origins();
        let shown = joined.into_iter().map(|piece| self.html.read(self.source, &piece)..piece.end);
        let shown: Vec<Range<usize>> = shown.collect();
        scan_joined(self.source, &shown, &mut self.found, |text, range, scan| {
            markup::scan(text, range, scan);
        });
    }

    /// Reads blocks that begin in text: directives between colons, and those of `MkDocs`. The parser reads their content
    /// as a part of the paragraph.
    pub(super) fn read_blocks(
        &mut self,
        fragment: &SourcePieces<'t>,
        open: &mut OpenBlocks<'_>,
        start: usize,
        depth: usize,
    ) {
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
                Some(opening) => {
                    let kind = MystContent::between_colons(opening.name);
                    self.read_directive(fragment, (&opening, kind), &content, depth);
                }
                None => self.read_nested(&content, depth),
            }
        } else if let Some((content, end)) = directives::indented_content(text, start) {
            open.skipped = first_end()..end;
            self.read_nested(&fragment.part(self.source, &content), depth);
        }
    }

    /// Reads a fragment in another one, unless it is too deep.
    pub(super) fn read_nested(&mut self, fragment: &SourcePieces<'t>, depth: usize) {
        if depth < MAX_DEPTH {
            self.read(fragment, depth + 1);
        } else {
            self.found.inert.extend(fragment.all_origins());
        }
    }

    /// Reads a block of code, which may be a directive. `lines` is its content in the source.
    pub(super) fn read_code(
        &mut self,
        fragment: &SourcePieces<'t>,
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
            self.found.inert.push(fragment.origins.range(block));
            return;
        };
        let kind = MystContent::of_directive(opening.name);
        self.read_directive(fragment, (&opening, kind), &SourcePieces::new(self.source, lines), depth);
        if kind == MystContent::Markdown && !directives::has_path(opening.name) {
            // A title, or the first line of the content.
            self.read_nested(&fragment.part(self.source, &[opening.argument]), depth);
        }
    }

    /// Reads a directive and its content.
    pub(super) fn read_directive(
        &mut self,
        fragment: &SourcePieces<'t>,
        (opening, kind): (&Opening<'_>, MystContent),
        content: &SourcePieces<'t>,
        depth: usize,
    ) {
        if let Some(argument) = directives::argument(&fragment.text, opening) {
            self.add_written(fragment, argument);
        }
        let (references, body) = directives::options(&content.text, 0..content.text.len());
        for reference in references {
            self.add_written(content, reference);
        }
        let rest = content.origins.ranges(body..content.text.len());
        match kind {
            MystContent::Documents => {
                let entries = directives::entries(&content.text, body..content.text.len());
                for entry in entries {
                    self.add_written(content, entry);
                }
            }
            MystContent::Markdown => self.read_nested(&SourcePieces::new(self.source, &rest), depth),
            MystContent::Restructured => {
                let options = self.options;
                scan_joined(self.source, &rest, &mut self.found, |text, range, scan| {
                    restructured::scan(text, range, options, scan);
                });
            }
            MystContent::Code => self.found.inert.extend(rest),
        }
    }
}
