//! `malformed-file`: an SVG, sitemap, feed, manifest, JSON-LD block or file of `.well-known` that its readers reject.

use url::Url;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::file_claims::ImageNeed;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{Damage, ElementNote, Format, NoteKind};
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use sitegate_address::SitePath;
use sitegate_host::Host;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "malformed-file",
    category: Category::Files,
    default: Severity::Warn,
    summary: "an SVG or XML file, manifest, JSON-LD block or .well-known file is rejected by its readers",
    why: "Browsers, feed readers and search engines drop the whole file. If it does not parse, the part before the \
          error was checked, the part after it was not. Also reported: a sitemap with another namespace, an item \
          without `<loc>`, a wrong date or more than 50,000 URLs (sitemaps.org); a security.txt that has expired, or \
          has no Contact or Expires (RFC 9116); JSON in .well-known that does not parse, or without what apps look \
          for; a `start_url` outside of the manifest's `scope`, which browsers then ignore, or a shortcut outside of \
          it; a feed with a date, a link or an element that readers do not understand, with the same id for two \
          items, or without what an item needs (RFC 4287, RSS 2.0); a `changefreq` or `priority` that no crawler \
          knows; a page of HTML in an XML file; and, on GitHub Pages, a CNAME without one domain. Parsers of XML also stop at an entity of HTML, at `&` in an \
          attribute, and at a prefix that is not declared. A malformed sitemap is an error: every crawler rejects it.",
    bad: r"sitemap.xml:
  <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://www.example.com/</url></urlset>",
    good: r"sitemap.xml:
  <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://www.example.com/</loc></url></urlset>",
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    // Other content than the extension promises is reported as damaged-file.
    if view.facts.damage.is_some_and(|damage| damage != Damage::NoNamespace) {
        return;
    }
    // A file that is no XML, or a page, has only its name.
    let is_named_sitemap = view.site.format(view.file) == Format::Xml
        && SitePath::new(view.site.tree.path(view.file)).name().starts_with(b"sitemap");
    found.extend(view.facts.malformed.iter().map(|malformed| {
        let verdict = if malformed.parses { "is not valid" } else { "does not parse" };
        let message = format!("this {} {verdict}: {}", malformed.format, malformed.reason);
        let finding = RawFinding::new(&INFO, (view.file, &malformed.span), message);
        // Feed readers and browsers read a part, or guess; crawlers drop the file.
        let is_unknown = malformed.format.starts_with("XML");
        let is_certain = is_unknown && is_named_sitemap || malformed.format == "sitemap";
        if is_certain { finding.certain_error() } else { finding }
    }));
    found.extend(view.facts.metadata.notes.iter().filter_map(|note| note_finding(view, note)));
}

/// The file that names the domain of a site on GitHub Pages.
const DOMAIN_FILE: &str = "CNAME";

/// Reports a `CNAME` that GitHub Pages cannot use: it must have one domain, without a scheme or a path (GitHub, "Managing a
/// custom domain", troubleshooting).
fn check_domain(site: &Site<'_>, found: &mut Vec<RawFinding>) {
    let Some(file) =
        site.tree.find(DOMAIN_FILE.as_bytes()).filter(|_| site.settings.host == Some(Host::GithubPages))
    else {
        return;
    };
    let Ok(content) = site.source(file) else { return };
    let text = String::from_utf8_lossy(&content);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (domain, second) = (lines.next().unwrap_or_default(), lines.next());
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let fault = if domain.is_empty() {
        "it is empty".to_owned()
    } else if !(domain.contains('.') && domain.split('.').all(is_label)) {
        format!("`{}` is no domain such as `www.example.com`", shorten(domain))
    } else if second.is_some() {
        "it has more than one domain".to_owned()
    } else {
        return;
    };
    let message = format!("this {DOMAIN_FILE} is not valid: {fault}");
    let help =
        "write one domain, without `https://` and path; GitHub redirects `www` and the apex to each other";
    found.push(RawFinding::new(&INFO, file, message).help(help));
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    check_domain(index.site, found);
    check_sizes(index, found);
}

/// Reports the images of a manifest that have another size than it states. The first of each manifest represents all.
fn check_sizes(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let mut last = None;
    for wrong in &index.wrong_images {
        let ImageNeed::Sizes(sizes) = &wrong.claim.need else { continue };
        if last.replace(wrong.claim.file) == Some(wrong.claim.file) {
            continue;
        }
        let name = index.site.tree.display(wrong.claim.target);
        let (width, height) = wrong.pixels;
        let sizes = shorten(sizes);
        let stated = if sizes.to_ascii_lowercase().contains("any") {
            "`any` is for drawings".to_owned()
        } else {
            format!("the manifest states `{sizes}`")
        };
        let message =
            format!("this manifest is not valid: `{name}` has {width} × {height} pixels, but {stated}");
        let help = "state the size of the file; Chromium offers to install an app with an icon of 144 pixels or more";
        found.push(RawFinding::new(&INFO, (wrong.claim.file, &wrong.claim.span), message).help(help));
    }
}

fn note_finding(view: &FileView<'_>, note: &ElementNote) -> Option<RawFinding> {
    let location = Location::in_file(view.file, note.span.clone());
    match &note.kind {
        NoteKind::Expires(time) if *time < view.site.now => {
            let message = "this security.txt is not valid: it has expired, so its readers must not use it (RFC 9116, 2.5.5)";
            Some(
                RawFinding::new(&INFO, location, message)
                    .help("check its content, then set a date within a year"),
            )
        }
        NoteKind::SecurityCanonicals(urls) => {
            let origin = view.site.settings.origin.as_ref()?.origin();
            let is_own = |url: &String| view.base.join(url).is_none_or(|url| url.origin() == origin);
            if urls.iter().any(is_own) {
                return None;
            }
            let message = "this security.txt is not valid: each `Canonical` names another host, so that its readers must not \
                           trust it (RFC 9116, 2.5.2)";
            Some(RawFinding::new(&INFO, location, message).help("add the URL of this file"))
        }
        NoteKind::AppScope { member, url, start, scope } => {
            let scope = app_scope(view, start, scope.as_deref())?;
            let url_in_app = view.base.join(url)?;
            let origin = view.site.settings.origin.as_ref().map(Url::origin);
            if *member == "start_url" && origin.is_some_and(|origin| origin != url_in_app.origin()) {
                let message = format!(
                    "this manifest is not valid: `start_url` is on `{}`, not on the site, so that browsers ignore it",
                    url_in_app.host_str().unwrap_or_default()
                );
                return Some(RawFinding::new(&INFO, location, message).help("write a path"));
            }
            if is_in_scope(&url_in_app, &scope) {
                return None;
            }
            let shown = if scope.origin() == url_in_app.origin() { scope.path() } else { scope.as_str() };
            let (url, shown) = (shorten(url), shorten(shown));
            let message = format!(
                "this manifest is not valid: `{url}` in `{member}` is outside of its scope `{shown}`"
            );
            let help = match *member {
                "start_url" => "browsers ignore the scope; change one of them",
                _ => "browsers ignore it; change it, or set `scope`",
            };
            Some(RawFinding::new(&INFO, location, message).help(help))
        }
        _ => None,
    }
}

/// Returns the scope of a web app: the stated one, or the folder of its start page ("Processing the `scope` member" of the
/// Web Application Manifest). `None` if a URL does not parse, which has its own rule.
fn app_scope(view: &FileView<'_>, start: &str, scope: Option<&str>) -> Option<Url> {
    match scope {
        Some(scope) => view.base.join(scope),
        None => view.base.join(start)?.join(".").ok(),
    }
}

/// Whether a URL is in a scope: on the same origin, and below its path ("within scope" of the Web Application Manifest).
fn is_in_scope(url: &Url, scope: &Url) -> bool {
    url.origin() == scope.origin() && url.path().starts_with(scope.path())
}
