//! `redirect-hop`: an internal link that the host redirects.

use sitegate_address::UrlReference;

use super::broken_reference::paths_of_change;
use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{Format, Role};
use crate::raw_finding::{
    Category, Cause, Certainty, ProposedFix, RawFinding, ReferenceChange, RuleInfo, Severity,
};
use crate::resolve::{Route, Target};
use sitegate_host::TrailingSlash;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "redirect-hop",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "an internal link is redirected",
    why: "The redirect costs a round trip. Reported for links that the redirects file redirects. Also for a missing \
          or extra slash after a folder, and for capital letters in the path of a page, if `site.host` says how the \
          host treats them. On a live site, reported for each link that the server redirects.",
    bad: r#"_redirects:
  /prices  /pricing/
index.html:
  <a href="/prices">Pricing</a>"#,
    good: r#"_redirects:
  /prices  /pricing/
index.html:
  <a href="/pricing/">Pricing</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    report_capitals(view, found);
    // The answers of a live site are known.
    let is_live = view.site.live().is_some();
    let strips = !is_live && view.site.settings.trailing_slash == TrailingSlash::Never;
    let redirects_folders = is_live || view.site.resolver.host().redirects_folders();
    for (_, reference, target) in view.unusual() {
        let Target::File { file, route } = target else { continue };
        let hops = match route {
            Route::Redirect => true,
            Route::Directory => redirects_folders,
            Route::Index => strips && view.site.tree.home() != Some(file),
            Route::Html | Route::Exact | Route::EncodedSlash => false,
        };
        if !hops {
            continue;
        }
        let text = view.text_of(reference);
        let end = view.site.resolver.final_address(view.base, text);
        // A rewrite answers some links at their own address.
        let Some(end) = end.filter(|end| end.hops > 0) else { continue };
        let finding = RawFinding::reference(
            &INFO,
            (view.file, &reference.span),
            format!("redirected link: `{}`", shorten(text.trim())),
        );
        let rest = end.end_of(text);
        let rest = rest.trim_end();
        let direct = view.site.resolver.canonical_path(&end);
        let finding = finding.help(format!("link to `{direct}{}`", shorten(rest)));
        let bare = UrlReference::new(text).path();
        let respelled =
            view.site.is_editable.then(|| view.site.resolver.respell_final(view.base, bare, &end));
        let fix = respelled.flatten().map(|new| ProposedFix {
            certainty: Certainty::certain_if(route != Route::Redirect || end.is_permanent),
            reason: "the host redirects the link to this address",
            change: ReferenceChange::Destination {
                new: (new.text + rest).into(),
                paths: paths_of_change(view, text, new.path),
            },
        });
        let finding = finding.fix(fix);
        // The generator has one setting for slashes; a line of the redirects file is about one page.
        found.push(match route {
            Route::Redirect => finding,
            _ => finding.cause(Cause::kind("slash")),
        });
    }
}

/// Reports links to pages with capital letters in their paths, as one cause, at a host that makes paths lowercase. It
/// serves other files by any spelling.
fn report_capitals(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    if !view.site.resolver.host().ignores_case() || view.site.live().is_some() {
        return;
    }
    for (reference, target) in
        view.references().filter(|(reference, _)| reference.kind.role() == Role::Navigate)
    {
        let text = view.text_of(reference).trim();
        let Target::File { file, route } = target else { continue };
        let is_upper = |part: &str| part.bytes().any(|byte| byte.is_ascii_uppercase());
        let path = UrlReference::new(text).path();
        // A path that differs from the file's in case has its own finding.
        if file != view.file
            && route != Route::Redirect
            && view.site.format(file) == Format::Html
            && is_upper(path)
            && is_upper(&view.site.tree.display(file))
        {
            let message = format!("redirected link: `{}`; the host makes paths lowercase", shorten(text));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message)
                .cause(Cause::kind("case"));
            found.push(finding.help("name pages in lowercase, or turn off \"Pretty URLs\" at Netlify"));
        }
    }
}
