//! `redirect-hop`: a link inside the site that the host answers with a redirect.

use serde::Deserialize;

use super::{Category, Rule, RuleInfo, build_from, shown};
use crate::config::TrailingSlash;
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::href::{Route, Target};
use crate::index::PageView;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "redirect-hop",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a link inside the site costs a redirect",
    why: "The visitor waits for one more round trip. It is reported for lines of the redirects file, and, where \
          `site.host` says how the host treats it, for a missing or surplus slash after a directory.",
    bad: r#"<a href="/docs">Docs</a>    (the host redirects to /docs/)"#,
    good: r#"<a href="/docs/">Docs</a>"#,
    build: build_from::<RedirectHop>,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RedirectHop {}

impl Rule for RedirectHop {
    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        let site = &view.site.config.site;
        let strips = site.trailing_slash == TrailingSlash::Never;
        let slashes_are_known = site.host.is_some() || strips;
        for reference in &view.page.references {
            let Target::File { file, route } = reference.target else { continue };
            let hops = match route {
                Route::Redirect => true,
                Route::Directory => slashes_are_known && !strips,
                Route::Index => strips && view.site.tree.path(file) != b"index.html",
                Route::Html | Route::Exact | Route::EncodedSlash => false,
            };
            if !hops {
                continue;
            }
            let text = reference.value.map_or("", |value| view.page.str(value));
            let location = Location::in_file(view.page.file, reference.span.clone());
            let diagnostic =
                Diagnostic::reference(&INFO, location, format!("`{}` is redirected", shown(text.trim())));
            let direct = view.site.resolver.served_path(&view.site.tree.display(file));
            found.push(diagnostic.help(format!("write `{direct}`")));
        }
    }
}
