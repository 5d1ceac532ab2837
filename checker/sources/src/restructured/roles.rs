//! Roles of interpreted text whose text is a reference.

use std::ops::Range;

use super::escapes::{JoinedLines, unescape};
use super::scanner::{RestructuredScanner, TextRole};

impl RestructuredScanner<'_> {
    /// Scans interpreted text with a role; `whole` includes the role and the marks.
    pub(super) fn interpreted(
        &mut self,
        joined: &JoinedLines,
        role: TextRole,
        content: Range<usize>,
        whole: Range<usize>,
    ) {
        let added = role.manner().and_then(|manner| {
            let span = target_span(&joined.text, content)?;
            let target = one_line(&unescape(&joined.text[span.clone()]));
            self.add(joined, span, manner, target)
        });
        if added.is_none() {
            self.inert.push(joined.source(whole.start)..joined.source(whole.end - 1) + 1);
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
