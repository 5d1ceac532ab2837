//! Makes the lines below and above titles longer, if an edit makes the title longer.

use std::ops::Range;

use super::blocks::{is_rule, width};
use crate::edits::Edit;

/// Returns sorted edits of references that also make the lines below and above a title longer, if it grows beyond them:
/// docutils warns of a line that is too short, and `sphinx-build -W` fails.
pub(crate) fn with_title_lines(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    let mut rest = &mut *edits;
    while let Some(first) = rest.first() {
        let line = line_at(text, first.start);
        let in_line = rest.iter().take_while(|edit| edit.end <= line.end).count();
        let (own, others) = std::mem::take(&mut rest).split_at_mut(in_line.max(1));
        if in_line > 0 {
            lengthen_title(text, line, own);
        }
        rest = others;
    }
    edits
}

/// Makes the lines of a title longer, if the edits in it need that.
fn lengthen_title(text: &str, line: Range<usize>, edits: &mut [Edit]) {
    let Some(line_break) = text[line.end..].find('\n') else { return };
    let below = line_at(text, line.end + line_break + 1);
    let above = line.start.checked_sub(1).map(|end| line_at(text, end));
    let Some(rule) = text.get(below.clone()).filter(|rule| is_rule(rule.trim_start())) else { return };
    let indent = rule.len() - rule.trim_start().len();
    let above = above.filter(|above| text[above.clone()] == *rule);
    let Some((margin, title)) = text[line.clone()].split_at_checked(indent) else { return };
    if !margin.trim_start().is_empty() {
        return;
    }
    let mut end = line.start + indent;
    let mut new_title = String::new();
    for edit in &*edits {
        new_title.extend([text.get(end..edit.start).unwrap_or(""), &edit.new]);
        end = edit.end;
    }
    new_title.push_str(text.get(end..line.end).unwrap_or(""));
    let length = rule.len() - indent;
    let missing = width(new_title.trim_end()).saturating_sub(length);
    if missing == 0 || width(title.trim_end()) > length {
        return;
    }
    let more = rule[indent..=indent].repeat(missing);
    if let Some(last) = edits.last_mut() {
        last.new.extend([&text[last.end..below.end], &more]);
        last.end = below.end;
    }
    if let Some((above, first)) = above.zip(edits.first_mut()) {
        first.new = format!("{more}{}{}", &text[above.end..first.start], first.new);
        first.start = above.end;
    }
}

/// Returns the line around an offset, without its end.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let end = text[at..].find('\n').map_or(text.len(), |after| at + after);
    start..end - usize::from(text[start..end].ends_with('\r'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::with_title_lines;
    use crate::edits::{Edit, edited_text};

    /// Replaces each `x` by a longer text.
    #[track_caller]
    fn edited(text: &str) -> String {
        let edit = |(start, _)| Edit { start, end: start + 1, new: "long-name".to_owned() };
        let edits = text.match_indices('x').map(edit).collect();
        String::from_utf8(edited_text(text.as_bytes(), &with_title_lines(text, edits)).unwrap()).unwrap()
    }

    #[test]
    fn lines_of_titles_grow_with_them() {
        for (text, expected) in [
            ("See `x`\n-------\n\nx\n", "See `long-name`\n---------------\n\nlong-name\n"),
            ("`x` `x`\r\n=======\r\n", "`long-name` `long-name`\r\n=======================\r\n"),
            ("====\n `x`\n====", "============\n `long-name`\n============"),
            ("a\n\n`x`\n------------", "a\n\n`long-name`\n------------"),
            ("`x` \u{8a2d}\n~~~~~~\n", "`long-name` \u{8a2d}\n~~~~~~~~~~~~~~\n"),
            ("`x`\n", "`long-name`\n"),
            ("`x`\n\n---\n", "`long-name`\n\n---\n"),
            ("`x`\n== ==\n", "`long-name`\n== ==\n"),
        ] {
            assert_eq!(edited(text), expected);
        }
        assert_eq!(
            edited("    \"\"\"\n    `x`\n    ---\n    \"\"\"\n"),
            "    \"\"\"\n    `long-name`\n    -----------\n    \"\"\"\n"
        );
    }
}
