//! Checks the URLs of style sheets against the policies of the pages that load them.

use super::blocked::Blocked;
use super::page::directive_of_css;
use super::policy_set::LoadsOfSet;
use crate::csp::Request;
use crate::index::site::Site;
use crate::resolve::Target;
use sitegate_html::css::{self, CssUse};

/// Returns what the policies of a set block in its style sheets, and in those that they import.
pub(super) fn violations(site: &Site<'_>, loads: &LoadsOfSet) -> Vec<Blocked> {
    let Some(page) = &loads.page else { return Vec::new() };
    let mut known = loads.sheets.clone();
    let mut pending: Vec<_> = loads.sheets.iter().copied().collect();
    let mut blocked = Vec::new();
    while let Some(sheet) = pending.pop() {
        // Another stage reports files that cannot be read.
        let Ok(source) = site.source(sheet) else { continue };
        let base = site.resolver.document(sheet);
        css::urls(&String::from_utf8_lossy(&source), |css_use, written, range| {
            let url = base.join(written).filter(|_| !written.starts_with('#'));
            let Some(url) = url.map(|url| loads.policies.requested(url)) else { return };
            let directive = directive_of_css(css_use);
            let request = Request { directive, url: &url, nonce: None, integrity: None, is_by_script: false };
            let span = range.start as u32..range.end as u32;
            match loads.policies.violation(&request, page, sheet, span) {
                Some(violation) => blocked.push(violation),
                None if css_use == CssUse::Import => {
                    if let Target::File { file, .. } = site.resolver.resolve(&base, written, &mut Vec::new())
                        && known.insert(file)
                    {
                        pending.push(file);
                    }
                }
                None => {}
            }
        });
    }
    blocked
}
