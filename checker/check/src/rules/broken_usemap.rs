//! `broken-usemap`: an image whose `usemap` matches no map of the page.

use std::collections::HashSet;

use sitegate_address::UrlReference;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-usemap",
    category: Category::Links,
    default: Severity::Error,
    summary: "usemap matches no <map> of the page",
    why: "None of the image's areas can be clicked. The value must be `#` and the name of a <map> on the same page. \
          Case matters.",
    bad: r##"<img usemap="#plan" src="/images/plan.webp" alt="Our offices">
<map name="Plan"></map>"##,
    good: r##"<img usemap="#plan" src="/images/plan.webp" alt="Our offices">
<map name="plan"></map>"##,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let page = view.facts;
    let maps: HashSet<&str> = page.maps.iter().map(|map| page.text(*map)).collect();
    for (usemap, span) in &page.usemaps {
        // The standard's rules for a hash-name reference: the text after the first `#`.
        let text = page.text(*usemap);
        let name = UrlReference::new(text).fragment().filter(|name| !name.is_empty());
        let message = match name {
            Some(name) if maps.contains(name) => continue,
            Some(name) => format!("broken usemap: no map on this page has the name `{}`", shorten(name)),
            None => format!("invalid usemap: `{}` must be `#` and the name of a map", shorten(text)),
        };
        found.push(RawFinding::reference(&INFO, (view.file, span), message).cause(Cause::Message));
    }
}
