//! `unused-header`: a rule or a line of the headers file that has no effect, or not the one that was meant.

use std::collections::BTreeSet;

use super::messages::shorten;
use super::queries::{config_location, runs_code};
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::Site;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_host::header_values::ignored_value;
use sitegate_host::headers_file::{HeaderLine, HeaderLines, HeadersFile};
use sitegate_host::{HEADERS_FILE, Host};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unused-header",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a rule or a line of _headers has no effect, or two rules set Cache-Control",
    why: "Usually a build tool renamed its folder, and the caching or the security headers of its files are lost \
          without a sign. Paths of functions and of redirects are not reported. Netlify and Cloudflare Pages ignore \
          lines without `:`, and headers before the first path; Cloudflare Pages drops all rules after 100. Netlify \
          reads a URL as a header, and the headers after it for the path before it. All rules that match a file \
          apply: of two values of Cache-Control, browsers get both in one line, and `no-cache` wins. On Cloudflare \
          Pages, `! Cache-Control` removes the value of the rules before it, not of those after it. A host that does \
          not read `_headers`, such as GitHub Pages, is reported once. In firebase.json, the last rule that matches \
          a file wins. Browsers ignore a `Permissions-Policy` in the syntax of `Feature-Policy`, and misspelled values \
          of the other security headers.",
    bad: r"_headers:
  /asset/*
    Cache-Control: public, max-age=31536000, immutable
assets/app.js:
  start()",
    good: r"_headers:
  /assets/*
    Cache-Control: public, max-age=31536000, immutable
assets/app.js:
  start()",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    report_replaced(site, found);
    report_ignored_values(site, found);
    let (Ok(headers), Some(file)) = (site.headers_file(), site.tree.find(HEADERS_FILE.as_bytes())) else {
        return;
    };
    if let Some(host) =
        site.settings.host.filter(|host| !host.facts().reads_headers_file && site.live().is_none())
    {
        let message = format!("unused headers: {} reads no `{HEADERS_FILE}`", host.title());
        let finding = RawFinding::new(&INFO, file, message);
        found.push(finding.help("set the headers where the host reads them, or remove the file"));
        return;
    }
    for (span, reason) in &headers.ignored {
        let message = format!("ignored line: {reason}");
        found.push(RawFinding::new(&INFO, (file, span), message).cause(Cause::Message));
    }
    report_joined(site, headers, file, found);
    if runs_code(site.tree) {
        return;
    }
    let mut pending: Vec<_> = headers.rules.iter().collect();
    let adds_html = site.added_html().bare;
    for id in site.tree.ids().filter(|id| *id != file) {
        let mut paths = site.header_paths(id);
        // Netlify serves `about.html` at `/about`, where a rule for `/about` applies.
        let bare = paths.iter().find_map(|path| path.strip_suffix(".html")).filter(|_| adds_html);
        paths.extend(bare.map(str::to_owned));
        pending.retain(|rule| !paths.iter().any(|form| rule.applies_to(form)));
        if pending.is_empty() {
            return;
        }
    }
    let redirects = &site.resolver.redirects().all;
    for rule in pending {
        // A redirect, or a function, answers the path.
        let is_answered = redirects
            .iter()
            .any(|redirect| rule.applies_to(&redirect.from) || redirect.matches(&rule.pattern));
        if !is_answered && !rule.pattern.contains("/.netlify/") {
            let message = format!("unused headers: no file has a path like `{}`", shorten(&rule.pattern));
            found.push(RawFinding::new(&INFO, (file, &rule.span), message));
        }
    }
}

/// Reports values that browsers ignore, so that a protection is off: each value once.
fn report_ignored_values(site: &Site<'_>, found: &mut Vec<RawFinding>) {
    let written = site.headers_file().as_ref().ok().zip(site.tree.find(HEADERS_FILE.as_bytes()));
    let of_file = written.into_iter().flat_map(|(headers, file)| {
        let lines = headers.rules.iter().flat_map(|rule| &rule.lines);
        lines.map(move |line| (line, (file, &line.span).into()))
    });
    let config = site.config_headers();
    let of_config = config.iter().flat_map(|(place, headers)| {
        let lines = headers.rules.iter().flat_map(|rule| &rule.lines);
        lines.map(|line| (line, config_location(place)))
    });
    let mut reported = BTreeSet::new();
    for (line, location) in of_file.chain(of_config) {
        let Some(reason) = ignored_value(&line.name, &line.value) else { continue };
        if reported.insert((line.name.to_ascii_lowercase(), &line.value)) {
            let message =
                format!("browsers ignore `{}: {}`: {reason}", shorten(&line.name), shorten(&line.value));
            found.push(RawFinding::new(&INFO, location, message).cause(Cause::Message));
        }
    }
}

/// Reports headers of firebase.json that a later rule replaces for all of their files: Firebase takes the last rule, although
/// its redirects take the first (firebase/firebase-tools#8917).
fn report_replaced(site: &Site<'_>, found: &mut Vec<RawFinding>) {
    let Some((place, headers)) = site.config_headers().filter(|_| site.settings.host == Some(Host::Firebase))
    else {
        return;
    };
    let rules = &headers.rules;
    for (at, rule) in rules.iter().enumerate().filter(|(_, rule)| !rule.is_partial) {
        let mut later =
            rules[at + 1..].iter().flat_map(|later| later.lines.iter().map(move |line| (later, line)));
        let replaced = rule.lines.iter().find_map(|line| {
            let (by, _) = later.find(|(later, other)| {
                other.is(&line.name) && other.value != line.value && covers(site, later, rule)
            })?;
            Some((line, by))
        });
        let Some((line, by)) = replaced else { continue };
        let message = format!(
            "unused header: `{}: {}` of `{}` is replaced by the later rule for `{}`",
            line.name,
            shorten(&line.value),
            shorten(&rule.pattern),
            shorten(&by.pattern)
        );
        let finding = RawFinding::new(&INFO, config_location(&place), message).cause(Cause::Message);
        found.push(finding.help("Firebase takes the last rule that matches: move it after the other one"));
    }
}

/// Whether a rule applies to all files of another one, which has some.
fn covers(site: &Site<'_>, later: &HeaderLines, rule: &HeaderLines) -> bool {
    let mut has_file = false;
    site.tree.ids().all(|id| {
        let paths = site.header_paths(id);
        let applies = |one: &HeaderLines| paths.iter().any(|path| one.applies_to(path));
        let is_of_rule = applies(rule);
        has_file |= is_of_rule;
        !is_of_rule || applies(later)
    }) && has_file
}

/// Reports the rules that set Cache-Control for a file for which another rule sets it, too: each once.
fn report_joined(site: &Site<'_>, headers: &HeadersFile, file: FileId, found: &mut Vec<RawFinding>) {
    const NAME: &str = "Cache-Control";
    let rules: Vec<_> = headers
        .rules
        .iter()
        .filter(|rule| rule.detaches(NAME) || rule.lines.iter().any(|line| line.is(NAME)))
        .collect();
    if rules.len() < 2 {
        return;
    }
    let mut reported: Vec<*const HeaderLine> = Vec::new();
    for id in site.tree.ids().filter(|id| *id != file) {
        let paths = site.header_paths(id);
        let values = headers.lines(&paths, NAME);
        let [first, .., last] = values.as_slice() else { continue };
        if first.value == last.value || reported.contains(&std::ptr::from_ref::<HeaderLine>(last)) {
            continue;
        }
        reported.push(std::ptr::from_ref(*last));
        let message = format!(
            "joined headers: browsers get `Cache-Control: {}, {}` for `{}`",
            shorten(&first.value),
            shorten(&last.value),
            shorten(&site.tree.display(id))
        );
        let help = match site.settings.host {
            Some(Host::CloudflarePages) => {
                "begin the later rule with `! Cache-Control`, or let each file match one rule"
            }
            _ => "let each file match one rule",
        };
        found.push(RawFinding::new(&INFO, (file, &last.span), message).help(help));
    }
}
