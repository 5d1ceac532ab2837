//! Finds the ends of elements with omitted end tags, which HTML allows for `li`, `p`, `td` and others. One pass finds
//! all of a page.

use std::collections::HashMap;

use super::open_elements::OpenElements;

/// An element without an end tag.
pub(crate) struct UnendedElement {
    /// Its name.
    pub name: Vec<u8>,
    /// The start of its content.
    pub content: usize,
}

/// Returns the ends of the contents of elements, which are sorted. Each ends at the next start tag of the same name at
/// its level, at an end tag of an element around it, or with the text.
pub(crate) fn implied_ends(text: &[u8], elements: &[UnendedElement]) -> Vec<usize> {
    let mut pass = ImpliedEnds { ends: vec![text.len(); elements.len()], ..ImpliedEnds::default() };
    let Some(first) = elements.first() else { return pass.ends };
    let mut next = 0;
    for at in memchr::memchr_iter(b'<', &text[first.content..]).map(|at| first.content + at) {
        while let Some(element) = elements.get(next).filter(|element| element.content <= at) {
            pass.add_waiting(next, element);
            next += 1;
        }
        let tag = &text[at + 1..];
        let is_end = tag.first() == Some(&b'/');
        let tag = tag.strip_prefix(b"/").unwrap_or(tag);
        let tag = &tag[..tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        if tag.is_empty() {
            continue;
        }
        let name = tag.to_ascii_lowercase();
        if is_end {
            pass.end_tag(&name, at);
        } else {
            pass.start_tag(name, matches!(tag, b"ul" | b"ol" | b"dl" | b"table"), at);
        }
    }
    pass.ends
}

#[derive(Default)]
struct ImpliedEnds {
    /// The open elements, and whether each is a list or a table.
    open: OpenElements<bool>,
    /// The indexes of those that are lists or tables.
    lists: Vec<usize>,
    /// Elements whose end is not known: the index, and the number of open tags around the content. Also by name.
    waiting: Vec<(usize, usize)>,
    waiting_by_name: HashMap<Vec<u8>, Vec<(usize, usize)>>,
    is_ended: Vec<bool>,
    ends: Vec<usize>,
}

impl ImpliedEnds {
    fn add_waiting(&mut self, index: usize, element: &UnendedElement) {
        let entry = (index, self.open.len());
        self.waiting.push(entry);
        self.waiting_by_name.entry(element.name.to_ascii_lowercase()).or_default().push(entry);
        self.is_ended.resize(self.ends.len(), false);
    }

    fn set_end(&mut self, index: usize, at: usize) {
        if !std::mem::replace(&mut self.is_ended[index], true) {
            self.ends[index] = at;
        }
    }

    fn end_tag(&mut self, name: &[u8], at: usize) {
        // An end tag that closes no open element closes an element around all of them.
        let closed = self.open.innermost(name);
        while let Some(&(index, around)) = self.waiting.last()
            && closed.is_none_or(|closed| closed < around)
        {
            self.waiting.pop();
            self.set_end(index, at);
        }
        let Some(closed) = closed else { return };
        let lists = self.open.close(closed).filter(|(_, is_list)| *is_list).count();
        self.lists.truncate(self.lists.len() - lists);
    }

    fn start_tag(&mut self, name: Vec<u8>, is_list: bool, at: usize) {
        let list = self.lists.last().map_or(0, |list| list + 1);
        if let Some(mut waiting) = self.waiting_by_name.remove(&name) {
            // Elements outside of the innermost list or table continue after it.
            while let Some(&(index, around)) = waiting.last()
                && (around >= list || self.is_ended[index])
            {
                waiting.pop();
                self.set_end(index, at);
            }
            self.waiting_by_name.insert(name.clone(), waiting);
        }
        if is_list {
            self.lists.push(self.open.len());
        }
        self.open.push(name, is_list);
    }
}

#[cfg(test)]
mod tests {
    use super::{UnendedElement, implied_ends};

    /// Returns the content of one element, with a separate search.
    fn content<'s>(rest: &'s [u8], name: &[u8]) -> &'s [u8] {
        let mut open: Vec<&[u8]> = Vec::new();
        for at in memchr::memchr_iter(b'<', rest) {
            let tag = &rest[at + 1..];
            let closes = tag.first() == Some(&b'/');
            let tag = tag.strip_prefix(b"/").unwrap_or(tag);
            let end = tag.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(tag.len());
            let tag = &tag[..end];
            if tag.is_empty() {
                continue;
            }
            if closes {
                match open.iter().rposition(|started| started.eq_ignore_ascii_case(tag)) {
                    Some(depth) => open.truncate(depth),
                    None => return &rest[..at],
                }
            } else if tag.eq_ignore_ascii_case(name)
                && !open.iter().any(|n| matches!(*n, b"ul" | b"ol" | b"dl" | b"table"))
            {
                return &rest[..at];
            } else {
                open.push(tag);
            }
        }
        rest
    }

    proptest::proptest! {
        #[test]
        fn one_pass_finds_the_same_ends_as_separate_searches(
            tags in proptest::collection::vec("</?(li|LI|ul|UL|p|b|x-y)>", 0..30),
            chosen in proptest::collection::vec(proptest::bool::ANY, 30),
        ) {
            let text = tags.concat();
            let mut elements = Vec::new();
            let mut at = 0;
            for (tag, is_chosen) in tags.iter().zip(chosen) {
                at += tag.len();
                if is_chosen && !tag.starts_with("</") {
                    let name = tag.as_bytes()[1..tag.len() - 1].to_vec();
                    elements.push(UnendedElement { name, content: at });
                }
            }
            let ends = implied_ends(text.as_bytes(), &elements);
            for (element, end) in elements.iter().zip(ends) {
                let alone = content(&text.as_bytes()[element.content..], &element.name);
                proptest::prop_assert_eq!(element.content + alone.len(), end);
            }
        }
    }
}
