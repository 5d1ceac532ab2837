//! Where elements end whose end tag is left out, as HTML allows for `li`, `p`, `td` and others: one pass tells it for all of a page.

use std::collections::HashMap;

use super::open_elements::OpenElements;

/// An element without an end tag of its own.
pub(crate) struct UnendedElement {
    /// Its name.
    pub name: Vec<u8>,
    /// Where its content begins.
    pub content: usize,
}

/// Where the contents of some elements end, which are in the order of places: each at the next start tag of the same name at its own
/// level, or at an end tag of what is around it, or with the text.
pub(crate) fn implied_ends(text: &[u8], elements: &[UnendedElement]) -> Vec<usize> {
    let mut pass = ImpliedEnds { ends: vec![text.len(); elements.len()], ..ImpliedEnds::default() };
    let Some(first) = elements.first() else { return pass.ends };
    let mut next = 0;
    for at in memchr::memchr_iter(b'<', &text[first.content..]).map(|at| first.content + at) {
        while let Some(element) = elements.get(next).filter(|element| element.content <= at) {
            pass.wait(next, element);
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
    /// The places of those that are lists or tables.
    lists: Vec<usize>,
    /// The elements whose end is not known: which, and how many tags are open around their content. Those of one name once more.
    waiting: Vec<(usize, usize)>,
    waiting_by_name: HashMap<Vec<u8>, Vec<(usize, usize)>>,
    is_ended: Vec<bool>,
    ends: Vec<usize>,
}

impl ImpliedEnds {
    fn wait(&mut self, index: usize, element: &UnendedElement) {
        let entry = (index, self.open.len());
        self.waiting.push(entry);
        self.waiting_by_name.entry(element.name.to_ascii_lowercase()).or_default().push(entry);
        self.is_ended.resize(self.ends.len(), false);
    }

    fn finish(&mut self, index: usize, at: usize) {
        if !std::mem::replace(&mut self.is_ended[index], true) {
            self.ends[index] = at;
        }
    }

    fn end_tag(&mut self, name: &[u8], at: usize) {
        // What closes nothing that is open closes what is around all of them.
        let closed = self.open.innermost(name);
        while let Some(&(index, around)) = self.waiting.last()
            && closed.is_none_or(|closed| closed < around)
        {
            self.waiting.pop();
            self.finish(index, at);
        }
        let Some(closed) = closed else { return };
        let lists = self.open.close(closed).filter(|(_, is_list)| *is_list).count();
        self.lists.truncate(self.lists.len() - lists);
    }

    fn start_tag(&mut self, name: Vec<u8>, is_list: bool, at: usize) {
        let list = self.lists.last().map_or(0, |list| list + 1);
        if let Some(mut waiting) = self.waiting_by_name.remove(&name) {
            // Those that a list or a table was opened in go on behind it.
            while let Some(&(index, around)) = waiting.last()
                && (around >= list || self.is_ended[index])
            {
                waiting.pop();
                self.finish(index, at);
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

    /// The content of one element, looked for by itself.
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
                match open.iter().rposition(|name| name.eq_ignore_ascii_case(tag)) {
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
        fn all_at_once_end_where_each_does(
            tags in proptest::collection::vec("</?(li|LI|ul|UL|p|b|x-y)>", 0..30),
            wanted in proptest::collection::vec(proptest::bool::ANY, 30),
        ) {
            let text = tags.concat();
            let mut elements = Vec::new();
            let mut at = 0;
            for (tag, is_wanted) in tags.iter().zip(wanted) {
                at += tag.len();
                if is_wanted && !tag.starts_with("</") {
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
