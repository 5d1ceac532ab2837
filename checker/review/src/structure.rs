//! Compares the structure of two pages around their texts, and describes it.
//!
//! The structure at a text is a list of lines: `<` begins an element with a role and `/` ends it, `(` and `)` those that
//! have none but their attributes, `=` and `-` are empty ones. A number counts the characters of the text before the
//! next tag, without white space. A line that begins with `#` is the hash of longer ones.

use std::collections::HashSet;

use crate::facts::PageFacts;
use crate::texts::TextTable;

/// The structure of a pair of pages.
pub(crate) struct Structure<'t> {
    texts: &'t TextTable,
    /// Attributes that were added or removed: these changes are listed, so they are none of the structure.
    listed: HashSet<&'t str>,
}

impl<'t> Structure<'t> {
    pub fn new(listed: HashSet<&'t str>, texts: &'t TextTable) -> Structure<'t> {
        Structure { texts, listed }
    }

    /// Whether it is the same at a text of both pages.
    pub fn is_same(&self, old: &PageFacts, at: usize, new: &PageFacts, new_at: usize) -> bool {
        let (Some(old), Some(new)) = (old.outline.get(at), new.outline.get(new_at)) else { return true };
        let (old_lines, new_lines) = (self.texts.get(*old), self.texts.get(*new));
        let is_unknown = |lines: &str| lines.starts_with('#') && !self.listed.is_empty();
        old == new
            || is_unknown(old_lines)
            || is_unknown(new_lines)
            || self.lines(old_lines) == self.lines(new_lines)
    }

    /// Whether changed texts have the same structure around them. What begins and ends in them does not count.
    pub fn is_same_around(
        &self,
        old: &PageFacts,
        changed: std::ops::Range<usize>,
        new: &PageFacts,
        now: std::ops::Range<usize>,
    ) -> bool {
        let path = |page: &PageFacts, range: std::ops::Range<usize>| -> Option<Vec<String>> {
            // The first of them has what ends before it, and the text after them what ends after the last.
            let ids = page.outline.get(range.start..=range.end)?;
            let mut path: Vec<String> = Vec::new();
            for lines in ids.iter().map(|id| self.texts.get(*id)) {
                if lines.starts_with('#') {
                    return None;
                }
                for (_, tag) in self.lines(lines) {
                    let is_end = tag.starts_with(['/', ')']);
                    if !is_end && !tag.starts_with(['<', '(']) {
                        continue;
                    }
                    let name = |own: &str| own[1..].split(' ').next().unwrap_or_default().to_owned();
                    let is_counterpart =
                        |last: &String| last.starts_with(['/', ')']) != is_end && name(last) == name(&tag);
                    if path.last().is_some_and(is_counterpart) {
                        path.pop();
                    } else {
                        path.push(tag);
                    }
                }
            }
            Some(path)
        };
        let (old, new) = (path(old, changed), path(new, now));
        old.is_none() || new.is_none() || old == new
    }

    /// Returns the tags that count, each with the number of characters since the one before.
    fn lines(&self, lines: &str) -> Vec<(usize, String)> {
        let (mut tags, mut characters) = (Vec::new(), 0_usize);
        for line in lines.lines() {
            if let Ok(more) = line.parse::<usize>() {
                characters = characters.saturating_add(more);
            } else if let Some(tag) = self.tag(line) {
                tags.push((std::mem::take(&mut characters), tag));
            }
        }
        tags
    }

    /// Returns a tag without the attributes that are listed, and with one name for elements whose texts have other
    /// markup; `None` if nothing is left.
    fn tag(&self, line: &str) -> Option<String> {
        let (kind, tag) = line.split_at_checked(1)?;
        let mut words = tag.split(' ');
        let name = words.next().unwrap_or_default();
        let attributes = words.filter(|own| !self.listed.contains(format!("{name}[{own}]").as_str()));
        let attributes: String = attributes.flat_map(|own| [" ", own]).collect();
        let shown = match name {
            "ol" | "menu" => "ul",
            "dd" => "dt",
            "th" => "td",
            other => other,
        };
        // An empty element whose attributes are all listed is listed.
        let has_role = matches!(kind, "<" | "/") || kind == "=" && !tag.contains(' ');
        let is_left = has_role || !attributes.is_empty();
        is_left.then(|| format!("{kind}{shown}{attributes}"))
    }
}

/// Returns a text with its tags.
pub(crate) fn with_tags(text: &str, lines: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    for line in lines.lines() {
        if let Ok(characters) = line.parse::<usize>() {
            let mut left = characters;
            let end = rest.char_indices().find(|(_, c)| {
                let is_after = left == 0;
                left = if c.is_ascii_whitespace() { left } else { left.saturating_sub(c.len_utf8()) };
                is_after
            });
            let (before, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
            shown.push_str(before);
            rest = after;
            continue;
        }
        let tag = line.get(1..).unwrap_or_default();
        let name = tag.split(' ').next().unwrap_or_default();
        match line.as_bytes().first() {
            Some(b'<' | b'(' | b'=' | b'-') => shown.extend([" <", tag, "> "]),
            Some(b'/' | b')') => shown.extend([" </", name, "> "]),
            _ => shown.extend([" <…", line, "> "]),
        }
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::with_tags;

    #[test]
    fn texts_are_shown_with_their_tags() {
        let words = |text: &str, lines: &str| {
            with_tags(text, lines).split_ascii_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words("Ü b c", ")div hidden\n<a href\n3\n/a"), "</div> <a href> Ü b </a> c");
        assert_eq!(words("a", "5\n=img alt"), "a <img alt>");
        assert_eq!(words("a", "#0f"), "<…#0f> a");
    }
}
