//! `duplicate-id`: one id on several elements of a page.

use std::ops::Range;

use super::rule::{Registered, Rule, build_from};
use super::wording::shown;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::PageView;
use serde::Deserialize;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "duplicate-id",
    category: Category::Content,
    default: Severity::Warn,
    summary: "two elements of a page have the same id",
    why: "A link to the id reaches only the first of them, and labels, scripts and ARIA references \
          that mean another one get the wrong element. (HTML 3.2.6: an id must be unique in its tree.) \
          Templates and shadow trees are left out.",
    bad: r#"<h2 id="notes">Notes</h2> … <ol id="notes">"#,
    good: r#"<h2 id="notes">Notes</h2> … <ol id="note-list">"#,
};

pub(super) static RULE: Registered = Registered { info: &INFO, build: build_from::<DuplicateId> };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DuplicateId {}

impl Rule for DuplicateId {
    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        let page = view.page;
        if !page.about.repeats_ids {
            return;
        }
        let mut ids: Vec<(&str, &Range<u32>)> = page.ids[..page.about.document_ids.min(page.ids.len())]
            .iter()
            .enumerate()
            .filter(|(index, _)| page.about.shadow_ids.binary_search(index).is_err())
            .map(|(_, (id, span))| (page.str(*id), span))
            .filter(|(id, _)| !id.is_empty())
            .collect();
        ids.sort_by_key(|(id, span)| (*id, span.start));
        let mut groups: Vec<&[(&str, &Range<u32>)]> =
            ids.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1).collect();
        groups.sort_by_key(|group| group[0].1.start);
        // Lines are counted on from group to group, so that a page full of repeats stays one pass.
        let (mut line, mut counted) = (1, 0);
        for group in groups {
            let (id, first) = group[0];
            let first = first.start as usize;
            line += memchr::memchr_iter(b'\n', &page.source[counted..first]).count();
            counted = first;
            let message = match group.len() {
                2 => format!("`{}` is already the id of the element on line {line}", shown(id)),
                n => format!("`{}` is the id of {n} elements, the first on line {line}", shown(id)),
            };
            let location = Location::in_file(page.file, group[1].1.clone());
            found.push(Diagnostic::new(&INFO, location, message));
        }
    }
}
