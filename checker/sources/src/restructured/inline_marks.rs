//! Finds where inline markup begins and ends in a paragraph: docutils' patterns, in linear time.

use std::ops::Range;

use super::characters::{is_after_markup, is_before_markup, is_quoting, is_space, is_word};

/// The start of inline markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InlineStart {
    /// A mark that needs an end.
    Mark(Mark),
    /// `` ` `` at an offset, after a role.
    Backquote { role: Option<Range<usize>>, quote: usize },
    /// `name_`, or `name__`.
    Name { name: Range<usize>, is_anonymous: bool, end: usize },
    /// `[label]_`.
    Footnote { end: usize },
}

/// A mark that needs an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Emphasis,
    Strong,
    Literal,
    Target,
    Substitution,
}

impl Mark {
    pub fn text(self) -> &'static str {
        match self {
            Mark::Emphasis => "*",
            Mark::Strong => "**",
            Mark::Literal => "``",
            Mark::Target => "_`",
            Mark::Substitution => "|",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Mark::Target => "`",
            other => other.text(),
        }
    }
}

/// The end of interpreted text or of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhraseEnd {
    /// Offset of the closing mark.
    pub quote: usize,
    /// The name of a role after it.
    pub role: Option<Range<usize>>,
    /// Number of underscores.
    pub underscores: usize,
    pub end: usize,
}

/// A search in a paragraph, with what it knows of the text ahead.
pub(super) struct MarkSearch<'b> {
    pub text: &'b str,
    /// No name of a reference begins before this offset.
    no_name_before: usize,
    /// No role begins before this offset.
    no_role_before: usize,
    /// Marks of which no end follows.
    endless: Vec<Option<Mark>>,
}

impl<'b> MarkSearch<'b> {
    pub fn new(text: &'b str) -> MarkSearch<'b> {
        MarkSearch { text, no_name_before: 0, no_role_before: 0, endless: Vec::new() }
    }

    /// Returns the first start of markup from an offset, where markup may begin.
    pub fn next_start(&mut self, from: usize) -> Option<(usize, InlineStart)> {
        let mut is_possible = true;
        let mut at = from;
        while let Some(char) = self.char_at(at) {
            if is_possible && let Some(start) = self.start_at(at, char) {
                return Some((at, start));
            }
            is_possible = is_before_markup(char);
            at += char.len_utf8();
        }
        None
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn start_at(&mut self, at: usize, char: char) -> Option<InlineStart> {
        let rest = &self.text[at..];
        let mark = |mark: Mark| {
            let after = rest[mark.text().len()..].chars().next();
            (!after.is_some_and(is_space)).then_some(InlineStart::Mark(mark))
        };
        match char {
            '*' if rest.starts_with("**") => mark(Mark::Strong),
            '*' => mark(Mark::Emphasis),
            '`' if rest.starts_with("``") => mark(Mark::Literal),
            '`' => self.backquote(None, at),
            '_' if rest.starts_with("_`") => mark(Mark::Target),
            '|' if !rest.starts_with("||") => mark(Mark::Substitution),
            ':' => self.role(at),
            '[' => self.footnote(at),
            char if is_word(char) => self.name(at),
            _ => None,
        }
    }

    fn backquote(&self, role: Option<Range<usize>>, quote: usize) -> Option<InlineStart> {
        let after = self.char_at(quote + 1);
        let is_start = after != Some('`') && !after.is_some_and(is_space);
        is_start.then_some(InlineStart::Backquote { role, quote })
    }

    fn role(&mut self, at: usize) -> Option<InlineStart> {
        if at < self.no_role_before {
            return None;
        }
        let end = simple_name_end(self.text, at + 1)?;
        if self.text[end..].starts_with(":`") {
            return self.backquote(Some(at + 1..end), end + 1);
        }
        self.no_role_before = end;
        None
    }

    fn footnote(&self, at: usize) -> Option<InlineStart> {
        let rest = &self.text[at + 1..];
        let label = rest.strip_prefix('#').unwrap_or(rest);
        let from = self.text.len() - label.len();
        let end = match label.strip_prefix('*') {
            Some(_) if label.len() == rest.len() => from + 1,
            _ => simple_name_end(self.text, from).unwrap_or(from),
        };
        let is_footnote = end > at + 1 && self.text[end..].starts_with("]_") && self.is_end(end + 2);
        is_footnote.then_some(InlineStart::Footnote { end: end + 2 })
    }

    fn name(&mut self, at: usize) -> Option<InlineStart> {
        if at < self.no_name_before {
            return None;
        }
        let name = at..simple_name_end(self.text, at)?;
        let rest = &self.text[name.end..];
        for (marks, is_anonymous) in [("__", true), ("_", false)] {
            let end = name.end + marks.len();
            if rest.starts_with(marks) && self.is_end(end) {
                return Some(InlineStart::Name { name, is_anonymous, end });
            }
        }
        self.no_name_before = name.end;
        None
    }

    /// Whether inline markup may end at an offset.
    fn is_end(&self, at: usize) -> bool {
        self.char_at(at).is_none_or(is_after_markup)
    }

    /// Whether a start at an offset is quoted by the characters around it, so that it is text.
    pub fn is_quoted(&self, start: usize, end: usize) -> bool {
        let Some(before) = self.text[..start].chars().next_back() else { return false };
        self.char_at(end).is_none_or(|after| is_quoting(before, after))
    }

    /// Returns the range of the end of a mark, and whether it has content.
    pub fn mark_end(&mut self, mark: Mark, from: usize) -> Option<Range<usize>> {
        if self.endless.contains(&Some(mark)) {
            return None;
        }
        let (text, end) = (self.text, mark.end());
        let first = end.as_bytes()[0];
        let found = memchr::memchr_iter(first, &text.as_bytes()[from..]).find_map(|at| {
            let start = from + at;
            let mut after = start + end.len();
            if !text[start..].starts_with(end) {
                return None;
            }
            let is_closing = start == from
                || text[from..start]
                    .chars()
                    .next_back()
                    .is_some_and(|before| !is_space(before) && (before != '\0' || mark == Mark::Literal));
            if mark == Mark::Substitution {
                let underscores = text[after..].bytes().take(2).take_while(|byte| *byte == b'_').count();
                let ends = (0..=underscores).rev().map(|count| after + count);
                after = ends.into_iter().find(|other| self.is_end(*other))?;
            }
            (is_closing && self.is_end(after)).then_some(start..after)
        });
        if found.is_none() {
            self.endless.push(Some(mark));
        }
        found.filter(|found| found.start > from)
    }

    /// Returns the end of interpreted text or of a phrase.
    pub fn phrase_end(&mut self, from: usize) -> Option<PhraseEnd> {
        if self.endless.contains(&None) {
            return None;
        }
        let found = memchr::memchr_iter(b'`', &self.text.as_bytes()[from..]).find_map(|at| {
            let quote = from + at;
            let mut before = self.text[from..quote].chars().rev();
            let is_open = before.next().is_some_and(|char| is_space(char) || char == '\0');
            if is_open && before.next() != Some('\0') {
                return None;
            }
            self.suffix(quote)
        });
        if found.is_none() {
            self.endless.push(None);
        }
        found.filter(|found| found.quote > from)
    }

    /// Returns the longest suffix after a closing backquote: a role, underscores, both or none.
    fn suffix(&self, quote: usize) -> Option<PhraseEnd> {
        let after = quote + 1;
        let suffix = (self.text[after..].starts_with(':'))
            .then(|| simple_name_end(self.text, after + 1))
            .flatten()
            .filter(|end| self.text[*end..].starts_with(':'))
            .map(|end| after + 1..end);
        for role in [suffix, None] {
            let end = role.as_ref().map_or(after, |role| role.end + 1);
            for underscores in [2, 1, 0] {
                let end = end + underscores;
                let has_marks = self
                    .text
                    .get(end - underscores..end)
                    .is_some_and(|marks| marks.bytes().all(|byte| byte == b'_'));
                if has_marks && self.is_end(end) {
                    return Some(PhraseEnd { quote, role, underscores, end });
                }
            }
        }
        None
    }
}

/// Returns the end of a simple name: words that single characters of punctuation join.
pub(super) fn simple_name_end(text: &str, start: usize) -> Option<usize> {
    let mut end = None;
    let mut is_joined = false;
    for (at, char) in text[start..].char_indices() {
        if is_word(char) {
            end = Some(start + at + char.len_utf8());
            is_joined = false;
        } else if end.is_none() || is_joined || !matches!(char, '-' | '.' | '_' | '+' | ':') {
            break;
        } else {
            is_joined = true;
        }
    }
    end
}
