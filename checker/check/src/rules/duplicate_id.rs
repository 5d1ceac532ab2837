//! `duplicate-id`: several elements of a page have the same id.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "duplicate-id",
    category: Category::Content,
    default: Severity::Warn,
    summary: "several elements of a page have the same id",
    why: "Links to the id reach only the first element. Labels, scripts and ARIA references that mean another one \
          get the wrong element. Templates and shadow trees are not checked. (HTML 3.2.6: an id must be unique in \
          its tree.)",
    bad: r#"<h2 id="notes">Notes</h2>
<ol id="notes"></ol>"#,
    good: r#"<h2 id="notes">Notes</h2>
<ol id="note-list"></ol>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    found.extend(view.facts.repeated_ids.iter().map(|repeated| {
        let (id, line) = (shorten(view.text(repeated.id)), repeated.first_line);
        let message = match repeated.count {
            2 => format!("duplicate id: `{id}` is also the id of the element on line {line}"),
            n => format!("duplicate id: `{id}` is the id of {n} elements, the first on line {line}"),
        };
        RawFinding::new(&INFO, (view.file, &repeated.second), message).cause(id)
    }));
}
