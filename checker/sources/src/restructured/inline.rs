//! Inline markup of reStructuredText: hyperlinks, roles, substitutions, and text that is none of them.

use std::ops::Range;

use super::characters::is_space;
use super::inline_marks::{InlineStart, Mark, MarkSearch, PhraseEnd};
use super::lines::{JoinedLines, SourceLine, unescape};
use super::scanner::{Meaning, RestructuredScanner, TextRole};
use super::uris::standalone_urls;
use crate::positions::shifted;
use crate::reference::Manner;

impl RestructuredScanner<'_> {
    /// Scans the lines of a paragraph.
    pub(super) fn inline(&mut self, lines: &[SourceLine]) {
        if lines.is_empty() {
            return;
        }
        let joined = JoinedLines::new(self.text, lines);
        let mut search = MarkSearch::new(&joined.text);
        // From `pending` on, text may have URLs; from `at` on, markup may begin.
        let (mut pending, mut at) = (0, 0);
        while let Some((start, found)) = search.next_start(at) {
            let (from, next) = match found {
                InlineStart::Mark(mark) => {
                    let after = start + mark.text().len();
                    if search.is_quoted(start, after) {
                        at = after;
                        continue;
                    }
                    (start, self.marked(&joined, &mut search, mark, start))
                }
                InlineStart::Backquote { role, quote } => {
                    if role.is_none() && search.is_quoted(start, quote + 1) {
                        at = quote + 1;
                        continue;
                    }
                    match search.phrase_end(quote + 1) {
                        Some(end) => {
                            let next = end.end;
                            self.phrase(&joined, role.as_ref(), start, quote, &end);
                            (start, next)
                        }
                        None => (quote, quote + 1),
                    }
                }
                InlineStart::Name { name, is_anonymous, end } => {
                    self.add_use(&joined.text[name], is_anonymous);
                    (start, end)
                }
                InlineStart::Footnote { end } => (start, end),
            };
            self.urls(&joined, pending..from);
            (pending, at) = (next, next);
        }
        self.urls(&joined, pending..joined.text.len());
    }

    fn add_use(&mut self, name: &str, is_anonymous: bool) {
        if is_anonymous {
            self.names.add_anonymous_use(&self.scope);
        } else {
            self.names.add_use(name, &self.scope);
        }
    }

    /// Scans standalone URLs.
    fn urls(&mut self, joined: &JoinedLines, span: Range<usize>) {
        for url in standalone_urls(&joined.text, span) {
            let target = unescape(&joined.text[url.clone()]);
            self.add(joined, url, Manner::Link, &target);
        }
    }

    /// Scans text between marks, and returns the offset after it: after the mark, if it has no end.
    fn marked(
        &mut self,
        joined: &JoinedLines,
        search: &mut MarkSearch<'_>,
        mark: Mark,
        start: usize,
    ) -> usize {
        let from = start + mark.text().len();
        let Some(end) = search.mark_end(mark, from) else { return from };
        let content = unescape(&joined.text[from..end.start]);
        match mark {
            Mark::Literal => {
                self.inert.push(joined.origins.range(start..end.end));
            }
            Mark::Target => self.names.define_internal(&content),
            Mark::Substitution => {
                self.names.add_substitution_use(&content);
                match end.len() {
                    1 => {}
                    length => self.add_use(&content, length == 3),
                }
            }
            Mark::Emphasis | Mark::Strong => {}
        }
        end.end
    }

    /// Scans interpreted text or a phrase that is a link.
    fn phrase(
        &mut self,
        joined: &JoinedLines,
        prefix: Option<&Range<usize>>,
        start: usize,
        quote: usize,
        end: &PhraseEnd,
    ) {
        let content = quote + 1..end.quote;
        let name = match (prefix, &end.role) {
            // Two roles, or a role and a reference, are an error.
            (Some(_), Some(_)) => return,
            (before, after) => before.or(after.as_ref()),
        };
        match (name, end.underscores) {
            (None, 1 | 2) => {
                self.has_markup = true;
                self.phrase_link(joined, content, end.underscores == 2);
            }
            (Some(_), 1 | 2) => {}
            (name, _) => {
                self.has_markup |= name.is_some();
                let role =
                    name.map_or(self.default_role, |name| TextRole::of_name(&joined.text[name.clone()]));
                self.interpreted(joined, role, content, start..end.end);
            }
        }
    }

    /// Scans `` `text <url>`_ ``, `` `text <name_>`_ `` and `` `name`_ ``, or those with two underscores.
    fn phrase_link(&mut self, joined: &JoinedLines, content: Range<usize>, is_anonymous: bool) {
        let written = &joined.text[content.clone()];
        let Some(embedded) = embedded_span(written) else {
            return self.add_use(&unescape(written), is_anonymous);
        };
        // A substitution may not define a name.
        if self.scope.is_some() && !is_anonymous {
            return;
        }
        let span = shifted(embedded.clone(), content.start);
        let destination = &joined.text[span.clone()];
        let text = unescape(written[..embedded.start - 1].trim_end_matches([' ', '\n']));
        let is_alias = destination.ends_with('_')
            && !destination.ends_with("\0_")
            && standalone_urls(destination, 0..destination.len()).first().is_none_or(|url| url.start > 0);
        if is_alias {
            let alias = unescape(&destination[..destination.len() - 1]);
            self.names.add_use(&alias, &self.scope);
            if !is_anonymous {
                self.names.define_implicit(&text, Meaning::alias(&alias));
            }
            return;
        }
        let Some(number) = self.add_url(joined, span, Manner::Link) else { return };
        if !is_anonymous {
            // Other references may use the text of the link as a name of its URL.
            let target = self.found[number].reference.target.to_string();
            let name = if text.is_empty() { target.clone() } else { text };
            self.names.define_implicit(&name, Meaning::Url(number, target));
        }
    }
}

/// Returns the span between `<` and `>` at the end of a phrase.
fn embedded_span(phrase: &str) -> Option<Range<usize>> {
    let end = phrase.strip_suffix('>')?.len();
    if phrase[..end].ends_with('\0') || phrase[..end].ends_with(is_space) {
        return None;
    }
    let mut open = None;
    for (at, _) in phrase[..end].rmatch_indices(['<', '>']) {
        if phrase[..at].ends_with('\0') {
            continue;
        }
        open = phrase[at..].starts_with('<').then_some(at);
        break;
    }
    let open = open?;
    let is_separate = open == 0 || phrase[..open].ends_with([' ', '\n']);
    let is_full = open + 1 < end && !phrase[open + 1..].starts_with(is_space);
    (is_separate && is_full).then_some(open + 1..end)
}

impl RestructuredScanner<'_> {
    /// Scans interpreted text with a role; `whole` includes the role and the marks.
    fn interpreted(
        &mut self,
        joined: &JoinedLines,
        role: TextRole,
        content: Range<usize>,
        whole: Range<usize>,
    ) {
        let added = role.manner().and_then(|manner| {
            let span = target_span(&joined.text, content)?;
            let target = one_line(&unescape(&joined.text[span.clone()]));
            self.add(joined, span, manner, &target)
        });
        if added.is_none() {
            self.inert.push(joined.origins.range(whole));
        }
    }
}

/// Returns the span of the target in `Title <target>` or `target`; `None` if it is not a link.
fn target_span(text: &str, content: Range<usize>) -> Option<Range<usize>> {
    let written = &text[content.clone()];
    // `!` suppresses the link.
    if written.starts_with('!') {
        return None;
    }
    let Some(before) = written.strip_suffix('>') else {
        return (!written.contains(['<', '>'])).then_some(content);
    };
    let mut opens = before.match_indices('<').map(|(at, _)| at);
    let open = opens.find(|open| *open > 0 && !before[..*open].ends_with('\0'))?;
    let target = &before[open + 1..];
    // No document has such a name.
    let is_name =
        !target.is_empty() && target.trim().len() == target.len() && !target.contains(['<', '>', '\0']);
    is_name.then_some(content.start + open + 1..content.end - 1)
}

/// Joins lines with spaces, as Sphinx does.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
