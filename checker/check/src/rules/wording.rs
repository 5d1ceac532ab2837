//! What several rules look for and say in the same words.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::leftover::leftover;
use crate::contract::Assertion;
use crate::index::scripts::BrokenLoad;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{Format, Reference, ReferenceKind};
use crate::raw_finding::{Cause, DocumentId, Location, RawFinding, RuleInfo};
use crate::resolve::live::LiveSite;
use crate::resolve::path::escape_path;
use crate::resolve::redirects::Redirect;
use crate::resolve::suggestion::Suggestion;
use crate::resolve::{Reason, Target, invalid_url};
use crate::walk::{FileId, Tree};

/// The references that lead nowhere, in pages and style sheets alike, by their places.
pub(super) fn missing<'v>(view: &FileView<'v>) -> impl Iterator<Item = (usize, &'v Reference, Reason)> + 'v {
    view.unusual().filter_map(|(index, reference, target)| match target {
        Target::Missing(reason) => Some((index, reference, reason)),
        _ => None,
    })
}

/// A finding about the reference at a place, which leads nowhere. `say` is given its text, and why that is.
pub(super) fn dead(
    rule: &'static RuleInfo,
    view: &FileView<'_>,
    (index, reference, reason): (usize, &Reference, Reason),
    say: impl FnOnce(&str, &str) -> String,
) -> RawFinding {
    let text = reference.value.map_or("", |value| view.text(value));
    let path = view.site.resolver.local_path(view.base, text).unwrap_or_default();
    let path = String::from_utf8_lossy(&path);
    let (mut why, help) =
        explain_missing(view.site, (text, &path), reason, view.links.suggestions.get(&index));
    if let Some(base) = base_of(view, text) {
        why = format!("{why}, being relative to `<base href=\"{}\">`", shown(base));
    }
    let location = Location::in_file(view.file, reference.span.clone());
    let mut finding = RawFinding::reference(rule, location, say(&shown(text), &why));
    // Elsewhere the bytes may have other escapes, or be relative to something else than their file.
    let is_plain = matches!(view.site.format(view.file), Format::Html | Format::Css | Format::Svg);
    if !is_plain || reference.kind == ReferenceKind::JsonLd {
        finding = finding.cause(view.site.resolver.served_path(&path));
    }
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The base element's address, where a reference would lead elsewhere without it.
fn base_of<'v>(view: &FileView<'v>, text: &str) -> Option<&'v str> {
    let href = view.text(view.facts.base?);
    let without = view.site.resolver.document(view.file);
    (without.join(text) != view.base.join(text)).then_some(href)
}

/// A reference's text as it is shown in messages: short, on one line.
pub(super) fn shown(text: &str) -> String {
    const LIMIT: usize = 80;
    let mut shown = String::with_capacity(text.len().min(LIMIT));
    for c in text.chars().take(LIMIT) {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    if text.chars().nth(LIMIT).is_some() {
        shown.push('…');
    }
    shown
}

/// Where a redirect's destination is written: in the redirects file, or in the contract.
pub(super) fn redirect_place(file: Option<FileId>, redirect: &Redirect) -> Location {
    match file.filter(|_| !redirect.in_contract) {
        Some(file) => Location::in_file(file, redirect.span.clone()),
        None => Location { place: DocumentId::Contract, span: redirect.span.clone() },
    }
}

/// The place of what is true of a live site as a whole: its start page.
pub(super) fn start_of_site(live: &LiveSite, tree: &Tree) -> Location {
    match live.start_file(tree) {
        Some(file) => Location::in_file(file, 0..0),
        None => Location { place: DocumentId::Path("index.html".into()), span: 0..0 },
    }
}

/// What follows a scheme, in any case.
pub(super) fn after_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let start = text.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
}

/// The references with a scheme whose rest has a fault, which follows the reference in the finding's words.
pub(super) fn faulty<'v>(
    rule: &'static RuleInfo,
    view: &'v FileView<'v>,
    scheme: &'static str,
    fault: impl Fn(&str) -> Option<Cow<'static, str>> + 'v,
) -> impl Iterator<Item = RawFinding> + 'v {
    let references = view.unusual().filter(|(.., target)| *target == Target::Scheme);
    references.filter_map(move |(_, reference, _)| {
        let text = reference.value.map_or("", |value| view.text(value));
        let fault = fault(after_scheme(text, scheme)?)?;
        let location = Location::in_file(view.file, reference.span.clone());
        Some(RawFinding::reference(rule, location, format!("`{}` {fault}", shown(text.trim()))))
    })
}

/// What is said of a text that the URL standard cannot parse.
pub(super) fn not_a_url(text: &str, error: url::ParseError) -> String {
    format!("`{}` is not a valid URL: {}", shown(text), invalid_url(error))
}

/// A finding about something that a script loads and that is not there.
pub(super) fn dead_load(rule: &'static RuleInfo, load: &BrokenLoad, site: &Site<'_>) -> RawFinding {
    let (why, help) =
        explain_missing(site, (&load.address, &load.path), load.reason, load.suggestion.as_ref());
    let message = format!(
        "`{}` of `{}` cannot be loaded: {why}{}",
        load.kind.description(),
        shown(&load.address),
        trail(&load.trail, site)
    );
    let location = Location::in_file(load.file, load.span.clone());
    let finding = RawFinding::new(rule, location, message).cause(site.resolver.served_path(&load.path));
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// How a page gets to a script, as the end of a sentence; nothing where the script stands in the page.
pub(super) fn trail(trail: &[FileId], site: &Site<'_>) -> String {
    match trail {
        [] | [_] => String::new(),
        [page, through @ .., _] => {
            let names = through.iter().map(|file| site.tree.display(*file));
            let path: Vec<_> = [site.tree.display(*page)].into_iter().chain(names).collect();
            format!("; `{}` runs it", path.join("` → `"))
        }
    }
}

/// Why a path leads nowhere, and what may have been meant by the text that asks for it.
fn explain_missing(
    site: &Site<'_>,
    (text, name): (&str, &str),
    reason: Reason,
    near: Option<&Suggestion>,
) -> (String, Option<String>) {
    match reason {
        Reason::OutsideBasePath => {
            let base = &site.settings.base_path;
            let resolver = &site.resolver;
            let meant = resolver.resolve(&resolver.root(), &format!("./{}", escape_path(name)), &mut Vec::new());
            let is_below = matches!(meant, Target::File { .. });
            (
                format!("it is outside the base path `{base}`"),
                is_below.then(|| format!("begin it with `{base}`, or make it relative")),
            )
        }
        Reason::NoIndexOnHost => (
            format!("`{name}` is a directory, and this host serves no index documents"),
            Some("link to its index.html, or let the function of `sitegate edge cloudfront` rewrite the path, and say `host = \"cloudfront\"`".to_owned()),
        ),
        Reason::TreatedAsFolder => (
            format!("`{name}` has no `.` in its name, so this host takes it for a directory and redirects to `{name}/`"),
            Some("give the file an ending, such as `.txt`".to_owned()),
        ),
        Reason::Page => (
            format!("there is no `{name}`, and a page answers in its place"),
            Some("browsers take no page for a script, a style sheet or a picture".to_owned()),
        ),
        Reason::Status(status) => (format!("the server answers {status}"), None),
        Reason::RedirectLoop => ("its redirects lead in a circle".to_owned(), None),
        Reason::NotUtf8 => ("its percent-encoded bytes are not UTF-8".to_owned(), None),
        Reason::FileWithSlash => {
            let bare = name.trim_end_matches('/');
            (
                format!("`{bare}` is a file, and hosts answer 404 when `/` follows it"),
                Some("drop the last `/`".to_owned()),
            )
        }
        Reason::NoIndex | Reason::NoFile => {
            let near = || near.map(|near| suggestion(near, site));
            let help = leftover(text, true).or_else(|| without_scheme(text)).or_else(near);
            (format!("there is no `{name}`"), help)
        }
    }
}

/// What to say of the file that was most likely meant.
fn suggestion(near: &Suggestion, site: &Site<'_>) -> String {
    let served = |path: &str| site.resolver.served_path(path);
    match near {
        Suggestion::Composition(path) => {
            format!("`{}` has the same characters in another Unicode form; hosts compare bytes", served(path))
        }
        Suggestion::Case(path) => {
            format!("did you mean `{}`? Hosts tell upper from lower case", served(path))
        }
        Suggestion::Html(path) if site.settings.host.is_some() => {
            format!("did you mean `{}`? The host that `[site] host` names does not add `.html`", served(path))
        }
        Suggestion::Html(path) => {
            format!("`{}` is there; where your host adds `.html`, name it by `[site] host`", served(path))
        }
        Suggestion::Moved(path) => format!("did you mean `{}`? No other file has this name", served(path)),
        Suggestion::Similar(path) => format!("did you mean `{}`?", served(path)),
    }
}

/// What to say of a reference that lacks its scheme: a mail address, or one of another site.
fn without_scheme(text: &str) -> Option<String> {
    let text = text.trim();
    let written = |url: &str| Some(format!("did you mean `{}`?", shown(url)));
    if is_mail_address(text) {
        return Some(format!("a mail address is written `mailto:{}`", shown(text)));
    }
    for scheme in ["https", "http"] {
        if let Some(rest) = after_scheme(text, scheme).and_then(|rest| rest.strip_prefix("//")) {
            return written(&format!("{scheme}://{rest}"));
        }
    }
    names_a_host(text).then(|| format!("https://{text}")).and_then(|url| written(&url))
}

/// Whether a reference looks like a mail address.
fn is_mail_address(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    !name.is_empty() && !text.contains(['/', '#', ':']) && host.split('.').count() > 1
}

/// Whether a reference begins with the name of a host, and not of a directory or a file.
fn names_a_host(text: &str) -> bool {
    /// Top-level domains that are no endings of files. Others are written with `www.` or not recognised.
    const DOMAINS: [&str; 24] = [
        "at", "be", "ch", "com", "de", "dev", "edu", "es", "eu", "fr", "gov", "info", "io", "it", "jp",
        "net", "nl", "no", "org", "pt", "ru", "se", "uk", "us",
    ];
    let host = text.split(['/', '?', '#']).next().unwrap_or(text);
    let labels: Vec<&str> = host.split('.').collect();
    let is_label =
        |label: &&str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_domain =
        labels.last().is_some_and(|last| DOMAINS.iter().any(|domain| last.eq_ignore_ascii_case(domain)));
    // `notes.org` may be a file, `notes.org/today` cannot be one.
    let goes_on = host.len() < text.len() && text[host.len()..].starts_with('/');
    labels.len() > 1
        && labels.iter().all(is_label)
        && ((labels[0].eq_ignore_ascii_case("www") && labels.len() > 2)
            || (is_domain && (goes_on || !labels[labels.len() - 1].eq_ignore_ascii_case("org"))))
}

/// Names in a sentence: the first few, and how many more there are.
pub(super) fn list<N: fmt::Display>(names: impl ExactSizeIterator<Item = N>, limit: usize) -> String {
    let more = names.len().saturating_sub(limit);
    let mut parts: Vec<String> = names.take(limit).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// A finding about an assertion, with the line of the contract that demands it.
pub(super) fn unmet(
    rule: &'static RuleInfo,
    view: &FileView<'_>,
    assertion: &Assertion,
    span: Range<u32>,
    message: String,
) -> RawFinding {
    let message = format!("{}: {message}", assertion.name);
    let demanded = &assertion.position;
    let help = match &assertion.help {
        Some(help) => format!("{help} ({demanded})"),
        None => format!("{demanded} demands it"),
    };
    let cause = Cause::kind(assertion.name.as_str());
    RawFinding::new(rule, Location::in_file(view.file, span), message).cause(cause).help(help)
}
