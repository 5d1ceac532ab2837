//! `broken-redirect`: a redirect that is broken, loops, or is malformed.

use super::broken_reference::broken_redirect_message;
use super::messages::{invalid_url_message, shorten};
use super::queries::{REDIRECT_RULE, is_of_contract, location_at, redirect_location, reported_redirect};
use super::redirect_pages::report_loops;
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::Format;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::redirect_walk::{LineHop, RedirectHop};
use crate::resolve::target::is_route;
use crate::resolve::{Reason, Target, fragment};
use crate::walk::FileId;
use sitegate_host::answer::Files;
use sitegate_host::redirects::{Redirect, RefusedEntry};
use sitegate_host::{Host, REDIRECTS_FILE};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: REDIRECT_RULE,
    category: Category::Links,
    default: Severity::Error,
    summary: "a redirect is broken, loops, or is malformed",
    why: "Redirects keep links to old URLs alive. This one ends in a 404, at an anchor that does not exist, or in the \
          browser's “too many redirects”. Read are the contract, the file that its `site.host-config` names, and in \
          the export `_redirects`, vercel.json, netlify.toml, firebase.json and staticwebapp.config.json. Links to a \
          broken redirect have the same cause. So does a page that its own meta refresh replaces: it reloads forever. \
          A destination with placeholders (:splat) is checked at each link that uses it. Also reported is what a host \
          refuses, so that the deployment fails: a `source` of vercel.json that is no pattern of path-to-regexp, such \
          as `/old/*`, and a route of staticwebapp.config.json that an earlier one covers.",
    bad: r"_redirects:
  /prices.html  /pricng/",
    good: r"_redirects:
  /prices.html  /pricing/",
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

/// Reports references to broken redirects, with the cause of the redirect, which is the one to fix.
fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    if let Some(span) = view.facts.metadata.reloads.as_ref().filter(|_| !view.facts.is_part()) {
        let message = "redirect loop: the page reloads itself at once, again and again".to_owned();
        let help = "write a URL after the time, as in `0; url=/next/`, or remove the refresh";
        found.push(RawFinding::reference(&INFO, (view.file, span), message).help(help));
    }
    for (_, reference, target) in view.unusual() {
        let text = view.text_of(reference);
        if let Some(to) = reported_redirect(view, text, target) {
            let message = format!("broken redirect: {}", broken_redirect_message(text.trim(), &to));
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message).cause(to));
        }
    }
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    report_loops(index, &INFO, found);
    let resolver = &index.site.resolver;
    let file = index.site.tree.find(REDIRECTS_FILE.as_bytes());
    let redirects = resolver.redirects();
    for (span, fault) in &redirects.malformed {
        let Some(file) = file else { continue };
        found.push(RawFinding::new(&INFO, (file, span), format!("malformed redirect: {fault}")));
    }
    for RefusedEntry { host, origin, span, text, reason } in &redirects.refused {
        let message = format!("malformed entry: `{}`: {reason}", shorten(text));
        let finding = RawFinding::new(&INFO, location_at(index.site.tree, origin, span), message);
        found.push(finding.help(match host {
            Host::Netlify => "Netlify does not remove it, so the redirect is lost".to_owned(),
            host => format!("{} refuses the file, so the deployment fails", host.title()),
        }));
    }
    let host = index.site.settings.host;
    for redirect in &redirects.all {
        let location = redirect_location(index.site.tree, redirect);
        let to = shorten(&redirect.to);
        if redirect.is_pattern() && redirect.returns_to_its_source(host) {
            let message = format!("redirect loop: `{}` redirects to itself", shorten(&redirect.from));
            let finding = RawFinding::reference(&INFO, location, message);
            found.push(
                finding.help(format!("each path gets `{to}`, where the rule applies again: remove it")),
            );
            continue;
        }
        if redirect.has_placeholders() {
            continue;
        }
        let looping = if redirect.is_pattern() || redirect.is_conditional() {
            None
        } else {
            loop_paths(index, &redirect.from)
        };
        if let Some(paths) = looping {
            let message = loop_message(&paths);
            found.push(RawFinding::reference(&INFO, location, message));
            continue;
        }
        if is_of_contract(index.site.contract, redirect) && redirect.to.starts_with('/') {
            match resolver.resolve(&resolver.root(), &redirect.to, &mut Vec::new()) {
                Target::Missing(Reason::OutsideBasePath) => {
                    found.push(outside_base_path(index.site, redirect, location));
                    continue;
                }
                // It is in another part of the site.
                Target::External => continue,
                _ => {}
            }
        }
        match resolver.resolve_redirect(&redirect.to) {
            Target::Missing(Reason::BrokenRedirect) => {
                let path = resolver.local_path(&resolver.root(), &redirect.to);
                let next: Option<(&Redirect, String)> = path.and_then(|path| resolver.last_redirect(path));
                // The next redirect has its own finding.
                let Some((_, end)) = next.filter(|(next, _)| next.has_placeholders()) else { continue };
                let message = format!("broken redirect: {}", broken_redirect_message(&redirect.to, &end));
                found.push(RawFinding::reference(&INFO, location, message).cause(end));
            }
            Target::Missing(Reason::RedirectLoop) => {
                let message = format!("broken redirect: `{to}` redirects in a loop");
                found.push(RawFinding::reference(&INFO, location, message));
            }
            Target::Missing(_) => {
                let message = format!("broken redirect: `{to}` does not exist");
                found.push(RawFinding::reference(&INFO, location, message).cause(redirect.to.as_str()));
            }
            Target::File { file: page, .. } if index.site.format(page) == Format::Html => {
                let Some(wanted) = fragment(&redirect.to).filter(|wanted| !wanted.is_top()) else {
                    continue;
                };
                if !redirect.has_filled_fragment()
                    && !is_route(&wanted.decoded)
                    && !index.has_anchor(page, &wanted.decoded)
                {
                    let message = format!("broken redirect: `{to}` has no such anchor");
                    found.push(RawFinding::reference(&INFO, location, message));
                }
            }
            Target::Invalid(error) => {
                let message = invalid_url_message(&redirect.to, error);
                found.push(RawFinding::reference(&INFO, location, message));
            }
            _ => {}
        }
    }
}

/// Builds the finding about a redirect of the contract whose destination lacks the base path.
fn outside_base_path(site: &Site<'_>, redirect: &Redirect, location: Location) -> RawFinding {
    let (base, to) = (&site.settings.base_path, shorten(&redirect.to));
    let message = format!("broken redirect: `{to}` is outside the base path `{base}`");
    let below = format!("{base}{}", redirect.to.trim_start_matches('/'));
    let is_below = matches!(site.resolver.resolve_redirect(&below), Target::File { .. });
    let origin =
        site.settings.origin.as_ref().map_or("https://…", |origin| origin.as_str().trim_end_matches('/'));
    RawFinding::reference(&INFO, location, message).help(if is_below {
        format!("write `{}`", shorten(&below))
    } else {
        format!("start it with `{base}`, or write the URL of another site: `{origin}{to}`")
    })
}

/// The files of an unknown host, for loops: it may not prefer a file to the redirects of its path.
struct NoFiles;

impl Files for NoFiles {
    type File = FileId;

    fn find(&self, _: &[u8]) -> Option<FileId> {
        None
    }

    fn is_folder(&self, _: &[u8]) -> bool {
        false
    }
}

/// Returns the paths of a loop of redirects that begins at a path. They end with a repeated one or at the limit of hops.
fn loop_paths(index: &Index<'_>, from: &str) -> Option<Vec<String>> {
    let path = from.trim_start_matches('/').as_bytes().to_vec();
    let resolver = &index.site.resolver;
    let walk = match index.site.settings.host {
        Some(_) => resolver.walk_redirects(path, 0, index.site.tree),
        None => resolver.walk_redirects(path, 0, &NoFiles),
    };
    let has_rewrite = walk.hops.iter().any(RedirectHop::is_rewrite);
    if walk.end != Target::Missing(Reason::RedirectLoop) || has_rewrite {
        return None;
    }
    let lines: Vec<&LineHop<'_>> = walk.hops.iter().filter_map(RedirectHop::line).collect();
    let bare = |line: &LineHop<'_>| line.path.strip_suffix(b"/").unwrap_or(&line.path).to_vec();
    let known =
        |next: &LineHop<'_>, before: &[&LineHop<'_>]| before.iter().any(|line| bare(line) == bare(next));
    let repeated = (1..lines.len()).find(|&at| known(lines[at], &lines[..at])).unwrap_or(lines.len());
    let destinations = lines.iter().take(repeated).map(|line| line.to.clone());
    Some(std::iter::once(from.to_owned()).chain(destinations).collect())
}

fn loop_message(paths: &[String]) -> String {
    match paths {
        [from, _] => format!("redirect loop: `{}` redirects to itself", shorten(from)),
        paths => {
            let paths: Vec<_> = paths.iter().map(|path| shorten(path)).collect();
            format!("redirect loop: `{}`", paths.join(" → "))
        }
    }
}
