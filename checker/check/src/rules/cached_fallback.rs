//! `cached-fallback`: a missing file is answered with a page, and browsers keep that answer under the file's URL.

use super::messages::shorten;
use super::queries::config_location;
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::Site;
use crate::parse::Format;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

use sitegate_address::percent::escape_path;
use sitegate_host::HEADERS_FILE;
use sitegate_host::headers_file::{HeaderLine, HeadersFile};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "cached-fallback",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a missing file is answered with a page that browsers cache for long",
    why: "After the next deploy, an open tab asks for a script of the old one. A rewrite of all paths, or a host \
          without 404.html, answers with HTML and 200, and the header rule for scripts lets browsers and CDNs keep it \
          under the script's URL for a year: for them the site stays broken after a rollback. Exclude the folder from \
          the rewrite by a rule with status 404 before it. Read are `_headers`, netlify.toml, vercel.json or \
          firebase.json in the export, and the redirects there.",
    bad: r#"sitegate.toml:
  [site]
  host = "netlify"
_redirects:
  /*  /index.html  200
_headers:
  /assets/*
    Cache-Control: public, max-age=31536000, immutable
assets/app-3f2a9c1d.js:
  start()
index.html:
  <script src="/assets/app-3f2a9c1d.js"></script>"#,
    good: r#"sitegate.toml:
  [site]
  host = "netlify"
_redirects:
  /assets/*  /404.html  404
  /*  /index.html  200
_headers:
  /assets/*
    Cache-Control: public, max-age=31536000, immutable
assets/app-3f2a9c1d.js:
  start()
404.html:
  <h1>Not found</h1>
index.html:
  <script src="/assets/app-3f2a9c1d.js"></script>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

/// Seconds from which a wrong answer outlives a repair: a day. Chosen, no known case between an hour and a year.
const LONG: u64 = 86_400;

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    if let (Ok(headers), Some(file)) = (site.headers_file(), site.tree.find(HEADERS_FILE.as_bytes())) {
        report(site, headers, |line| Location::in_file(file, line.span.clone()), found);
    }
    if let Some((place, headers)) = site.config_headers() {
        report(site, &headers, |_| config_location(&place), found);
    }
}

fn report(
    site: &Site<'_>,
    headers: &HeadersFile,
    location: impl Fn(&HeaderLine) -> Location,
    found: &mut Vec<RawFinding>,
) {
    for rule in &headers.rules {
        let Some(line) = rule.lines.iter().find(|line| line.is("cache-control") && is_long(&line.value))
        else {
            continue;
        };
        let path = missing_path(&rule.pattern);
        // The header is for pages, too, which are no wrong answer then.
        let is_of_files = path.contains('.') && rule.pattern != "/*";
        let Some(page) = fallback_page(site, &path).filter(|_| is_of_files) else { continue };
        let message = format!(
            "cached fallback: a missing file like `{}` is answered with `{}` and 200, and browsers keep that",
            shorten(&path),
            shorten(&page)
        );
        let finding = RawFinding::new(&INFO, location(line), message).cause(Cause::kind("fallback"));
        found.push(finding.help("answer missing files of the folder with 404, by a rule before the rewrite"));
    }
}

/// Whether a value of Cache-Control lets browsers keep an answer for long (RFC 9111, 5.2.2; RFC 8246).
fn is_long(value: &str) -> bool {
    let mut directives = value.split(',').map(|directive| directive.trim().to_ascii_lowercase());
    directives.any(|directive| {
        let age = directive.strip_prefix("max-age=").and_then(|age| age.trim_matches('"').parse().ok());
        directive == "immutable" || age.is_some_and(|age: u64| age >= LONG)
    })
}

/// Returns a path that a pattern matches and no file has.
fn missing_path(pattern: &str) -> String {
    let mut names = pattern.split('/').map(|part| match part {
        "*" => "old-0a1b2c3d.js".to_owned(),
        part if part.starts_with(':') => "old".to_owned(),
        part => part.replace('*', "old-0a1b2c3d"),
    });
    names.by_ref().collect::<Vec<_>>().join("/")
}

/// Returns the page that the host serves for a missing path with status 200.
fn fallback_page(site: &Site<'_>, path: &str) -> Option<String> {
    let end = site.resolver.final_address(&site.resolver.root(), &escape_path(path))?;
    let page = match end.target {
        Target::File { file, .. } if end.is_rewritten && end.hops == 0 => Some(file),
        Target::Missing(_) => site.home_page_fallback(),
        _ => None,
    };
    let page = page.filter(|page| site.format(*page) == Format::Html)?;
    Some(format!("/{}", site.tree.display(page)))
}

#[cfg(test)]
mod tests {
    use super::{is_long, missing_path};

    #[test]
    fn makes_a_path_of_a_pattern() {
        assert_eq!(missing_path("/assets/*"), "/assets/old-0a1b2c3d.js");
        assert_eq!(missing_path("/:lang/*.js"), "/old/old-0a1b2c3d.js");
        assert_eq!(missing_path("/app.js"), "/app.js");
    }

    #[test]
    fn knows_long_lifetimes() {
        assert!(["immutable", "public, max-age=31536000", "Max-Age=\"86400\""].into_iter().all(is_long));
        assert!(
            !["no-cache", "max-age=0, must-revalidate", "s-maxage=31536000", ""].into_iter().any(is_long)
        );
    }
}
