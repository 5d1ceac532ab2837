//! What fragments reach in a page that comes from elsewhere, by the rules of the export's own pages.

use crate::parse::anchors::hash;
use crate::parse::{Format, Page, Request, Wanted, read};
use crate::resolve::fragment;

/// What fragments reach in a page.
#[derive(Clone, Debug, Default)]
pub struct PageFragments {
    /// Hashes of ids and names, sorted.
    defined: Box<[u64]>,
}

impl PageFragments {
    /// Reads a page's bytes. One that cannot be read has nothing that a fragment could reach.
    pub fn of(page: Vec<u8>) -> PageFragments {
        let mut read_page = Page::default();
        let request =
            Request { format: Format::Html, selected: &[], wanted: &Wanted::default(), digest: None };
        match read(&mut read_page, page, &request) {
            Ok(()) => PageFragments { defined: read_page.facts.anchors.into() },
            Err(_) => PageFragments::default(),
        }
    }

    /// Whether a fragment, as it stands after `#`, reaches something: an id, a name, the top, or nothing in particular.
    pub fn reach(&self, written: &str) -> bool {
        let reference = format!("#{written}");
        let Some(asked) = fragment(&reference) else { return true };
        let has = |id: &str| self.defined.binary_search(&hash(id.as_bytes())).is_ok();
        has(&asked.raw) || has(&asked.decoded) || asked.is_top()
    }
}

#[cfg(test)]
mod tests {
    use super::PageFragments;

    #[test]
    fn fragments_reach_ids_and_names_as_in_pages_of_the_export() {
        let page = PageFragments::of(
            b"<!doctype html><p id=one><a name='two words'>x</a><template><i id=inert></i></template>"
                .to_vec(),
        );
        let reached =
            ["one", "two%20words", "", "top", "TOP", ":~:text=x", "one:~:text=x", "three", "One", "inert"];
        assert_eq!(
            reached.map(|fragment| page.reach(fragment)),
            [true, true, true, true, true, true, true, false, false, false]
        );
    }
}
