//! `broken-hydration`: misnested markup in a part that a framework hydrates.

use super::misnested_markup::{cause, help, message, misnested};
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-hydration",
    category: Category::Content,
    default: Severity::Error,
    summary: "misnested markup in a prerendered application: hydration fails there",
    why: "React, Vue, Solid, Svelte and Angular expect the elements that they wrote. If the parser moves, closes or \
          adds some, such as a `<tbody>`, hydration fails: React reports error 418 and renders the page again, others \
          show parts twice or attach their handlers to wrong elements. Recognized by the roots and scripts of these \
          frameworks, and islands of Astro. HTML that a component inserts as a text is not compared: ignore it there. \
          Other parts of pages are `misnested-markup`.",
    bad: r#"<div id="__next"><p>Price: <div>9</div></p></div>"#,
    good: r#"<div id="__next"><div>Price: <div>9</div></div></div>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for markup in misnested(view) {
        let Some(framework) = markup.framework else { continue };
        let message = format!("{}, and hydration by {framework} fails there", message(markup));
        let finding = RawFinding::new(&INFO, (view.file, &markup.span), message);
        found.push(finding.cause(cause(markup)).help(help(markup)));
    }
}
