//! Explicit markup: targets, footnotes, substitutions, directives and comments.

use std::ops::Range;
use std::rc::Rc;

use super::blocks::BlockPlace;
use super::characters::is_space;
use super::inline_marks::simple_name_end;
use super::lines::{JoinedLines, SourceLine, indented_block, is_marker, marked_block, trim_end, unescape};
use super::scanner::{Meaning, RestructuredScanner};
use crate::reference::Manner;

impl RestructuredScanner<'_> {
    /// Scans explicit markup at a line, and returns the number of the line after it; `None` for other blocks.
    pub(super) fn explicit_block(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let line = lines[at];
        let text = self.of(line);
        if line.indent > 0 {
            return None;
        }
        if is_marker(text, "__") {
            let start = self.after_marker(line, 2)?.0;
            let (block, end) = marked_block(lines, at, start, true);
            let joined = JoinedLines::new(self.text, trim_end(&block));
            self.target(&joined, 0, None);
            return Some(end);
        }
        if !is_marker(text, "..") {
            return None;
        }
        let start = self.after_marker(line, 2)?.0;
        Some(self.explicit_construct(lines, at, start, place))
    }

    fn explicit_construct(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        start: usize,
        place: BlockPlace,
    ) -> usize {
        let line = lines[at];
        let content = &self.text[start..line.end];
        let after = content.get(1..).and_then(|rest| rest.chars().next());
        let is_begun = after.is_some_and(|char| !is_space(char));
        let found = match content.as_bytes().first() {
            Some(b'_') if is_begun => return self.named_target(lines, at, start),
            Some(b'[') => self.footnote(lines, at, start, place),
            Some(b'|') if is_begun => self.substitution(lines, at, start, place),
            _ => None,
        };
        self.names.end_chain();
        let line_after = found.or_else(|| self.directive_line(lines, at, start, place));
        if let Some(end) = line_after {
            self.has_markup = true;
            return end;
        }
        self.comment(lines, at, start)
    }

    fn comment(&mut self, lines: &[SourceLine], at: usize, start: usize) -> usize {
        // Two dots between blank lines are an empty comment, which ends the block before it.
        if start == lines[at].end && lines.get(at + 1).is_none_or(SourceLine::is_blank) {
            return at + 1;
        }
        let (end, _) = indented_block(lines, at, true, false);
        self.add_inert(&lines[at..end]);
        end
    }

    fn footnote(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        start: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let line = lines[at];
        let label = self.text[start + 1..line.end].split_once(']')?.0;
        let name = label.strip_prefix('#').unwrap_or(label);
        let is_label = matches!(label, "#" | "*") || simple_name_end(name, 0) == Some(name.len());
        let (content, _) =
            is_label.then(|| self.after_marker(SourceLine { start, ..line }, label.len() + 2))??;
        if !name.is_empty() && name != "*" {
            self.names.define_internal(name);
        }
        let (block, end) = marked_block(lines, at, content, false);
        let first = self.found.len();
        self.blocks(&block, place.nested());
        self.found[first..].iter_mut().for_each(|found| found.reference.is_shown_elsewhere = true);
        Some(end)
    }

    /// Scans `|name| directive:: …`, whose content is shown where its name is used.
    fn substitution(
        &mut self,
        lines: &[SourceLine],
        at: usize,
        start: usize,
        place: BlockPlace,
    ) -> Option<usize> {
        let line = lines[at];
        let rest = &self.text[start + 1..line.end];
        let mut ends = rest.match_indices('|').map(|(end, _)| end);
        let is_end = |end: &usize| {
            let before = rest[..*end].chars().next_back();
            let after = rest[end + 1..].chars().next();
            before.is_some_and(|char| !is_space(char)) && after.is_none_or(|char| matches!(char, ' ' | '\t'))
        };
        let length = ends.find(is_end)?;
        let name = Rc::from(&rest[..length]);
        let (content, _) = self.after_marker(SourceLine { start, ..line }, length + 2)?;
        let outer = self.scope.replace(name);
        let end = self.directive_line(lines, at, content, place);
        self.scope = outer;
        end
    }

    /// Scans `.. _name: url`. A malformed one is a comment.
    fn named_target(&mut self, lines: &[SourceLine], at: usize, start: usize) -> usize {
        let (block, end) = marked_block(lines, at, start + 1, true);
        let joined = JoinedLines::new(self.text, trim_end(&block));
        let Some((name, content)) = target_name(&joined.text) else {
            self.names.end_chain();
            return self.comment(lines, at, start);
        };
        self.has_markup = true;
        let name = name.map(|name| unescape(&joined.text[name].replace('\n', " ")));
        self.target(&joined, content, name.as_deref());
        end
    }

    /// Scans the content of a target: a URL, another name, or nothing.
    fn target(&mut self, joined: &JoinedLines, from: usize, name: Option<&str>) {
        let content = joined.text[from..].trim();
        if content.is_empty() {
            return self.names.define_chained(name);
        }
        if let Some(other) = whole_reference(content) {
            return self.names.define_target(name, Meaning::alias(&other));
        }
        let Some(number) = self.add_url(joined, from..joined.text.len(), Manner::Link) else {
            return self.names.end_chain();
        };
        let found = &mut self.found[number];
        found.is_definition = true;
        found.reference.is_shown_elsewhere = true;
        let target = found.reference.target.to_string();
        self.names.define_target(name, Meaning::Url(number, target));
    }
}

/// Returns the span of the name of a target, `None` if it is anonymous, and the offset after its colon.
fn target_name(text: &str) -> Option<(Option<Range<usize>>, usize)> {
    if let Some(content) = text.strip_prefix('_').and_then(after_colon) {
        return Some((None, text.len() - content.len()));
    }
    if text.starts_with(['_', ' ', '\t']) {
        return None;
    }
    let quoted = text.strip_prefix('`').filter(|name| !name.starts_with([' ', '`']));
    if let Some(rest) = quoted {
        for (end, _) in rest.match_indices('`').skip_while(|(end, _)| *end == 0) {
            let is_end = !rest[..end].ends_with(|char| is_space(char) || char == '\0');
            if is_end && let Some(content) = after_colon(&rest[end + 1..]) {
                return Some((Some(1..end + 1), text.len() - content.len()));
            }
        }
        return None;
    }
    for (colon, _) in text.match_indices(':').skip_while(|(colon, _)| *colon == 0) {
        let name = text[..colon].strip_suffix(' ').unwrap_or(&text[..colon]);
        let is_end = !name.ends_with(|char| is_space(char) || char == '\0')
            && (!name.ends_with(':') || name.ends_with("\0:"));
        if is_end
            && !name.is_empty()
            && let Some(content) = after_colon(&text[colon..])
        {
            return Some((Some(0..name.len()), text.len() - content.len()));
        }
    }
    None
}

/// Returns the text after the colon of a target.
fn after_colon(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(' ').unwrap_or(text).strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t', '\n'])).then_some(rest)
}

/// Returns the name in `name_` or `` `name`_ ``, if a text is nothing else.
pub(super) fn whole_reference(content: &str) -> Option<String> {
    let before = content.strip_suffix('_')?;
    let name = match before.strip_prefix('`') {
        Some(phrase) => {
            let phrase = phrase.strip_suffix('`')?;
            let is_phrase = !phrase.is_empty()
                && !phrase.starts_with(' ')
                && !phrase.ends_with(|char| is_space(char) || char == '\0');
            is_phrase.then_some(phrase)?
        }
        None => (simple_name_end(before, 0) == Some(before.len())).then_some(before)?,
    };
    Some(unescape(name))
}
