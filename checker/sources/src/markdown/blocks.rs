//! Reads blocks that contain Markdown or references: HTML, code, directives and admonitions.

use std::ops::Range;

use crate::{markup, restructured};

use super::directives::{self, MystContent, Opening};
use super::fragment::{SourcePieces, scan_joined};
use super::indented;
use super::reader::{MarkdownReader, OpenBlocks};

/// Maximum number of directives in each other. What is deeper is code.
const MAX_DEPTH: usize = 8;

impl<'t> MarkdownReader<'t> {
    /// Reads a block of HTML. With the attribute `markdown`, kramdown and Python-Markdown read its content as Markdown.
    pub(super) fn read_html_block(&mut self, lines: &[Range<usize>], depth: usize) {
        let block = SourcePieces::new(self.source, lines);
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
        self.read_nested(&block.part(self.source, std::slice::from_ref(&(first_end..content_end))), depth);
        self.read_html(&block.origins_of(content_end..text.len()));
    }

    /// Reads the parts of a block of HTML or of a tag that browsers read as markup.
    pub(super) fn read_html(&mut self, pieces: &[Range<usize>]) {
        let fragment = SourcePieces::new(self.source, pieces);
        let joined = fragment.origins_of(0..fragment.text.len());
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
        } else if let Some((content, end)) = indented::content(text, start) {
            open.skipped = first_end()..end;
            self.read_nested(&fragment.part(self.source, &content), depth);
        }
    }

    /// Reads a fragment in another one, unless it is too deep.
    pub(super) fn read_nested(&mut self, fragment: &SourcePieces<'t>, depth: usize) {
        if depth < MAX_DEPTH {
            self.read(fragment, depth + 1);
        } else {
            self.found.inert.extend(fragment.origins_of(0..fragment.text.len()));
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
            self.found.inert.push(fragment.origin_of(block));
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
        let rest = content.origins_of(body..content.text.len());
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
