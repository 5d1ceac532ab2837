//! `mixed-content`: a page loads a file by http, and browsers block it on https pages.

use std::cell::LazyCell;
use std::collections::HashSet;

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{PageScript, Reference, ReferenceKind, Role, ScriptSource};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_address::UrlReference;
use sitegate_base::host_name::{has_scheme, is_address, is_local};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "mixed-content",
    category: Category::Security,
    default: Severity::Error,
    summary: "a page loads a file by http, and browsers block it",
    why: "On https pages browsers block scripts, style sheets, fonts, frames, plug-ins, tracks and srcset candidates \
          by http, and any file by http from an IP address. Not checked if the origin in the contract is `http:`. \
          Files that browsers upgrade to https are reported as passive-mixed-content. (Mixed Content, 3.2.)",
    bad: r#"<script src="http://cdn.test/app.js"></script>"#,
    good: r#"<script src="https://cdn.test/app.js"></script>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (reference, is_active) in loads_by_http(view) {
        if is_active {
            let place = reference.kind.description();
            let message = format!("mixed content: {place} uses http, and browsers block it on https pages");
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message));
        }
    }
}

/// Returns the files that a page or style sheet loads by http from a public host, and whether browsers block each.
/// Returns none if the site itself uses http.
pub(super) fn loads_by_http<'v>(view: &'v FileView<'v>) -> impl Iterator<Item = (&'v Reference, bool)> {
    let origin = view.site.settings.origin.as_ref();
    let is_http = origin.is_some_and(|origin| origin.scheme() == "http");
    let scripts = LazyCell::new(|| script_references(view));
    view.unusual().filter(move |(_, loaded, _)| !is_http && loaded.kind.role() == Role::Load).filter_map(
        move |(index, reference, target)| {
            let text = view.text(reference.value?);
            let leads = matches!(target, Target::External | Target::File { .. } | Target::Missing(_));
            // Browsers trust the reader's own machine; local-address reports those.
            let is_requested = leads && has_scheme(text, "http");
            let host = view.base.host(text).filter(|host| is_requested && !is_local(host))?;
            let is_active = is_blocked(reference.kind, text) || scripts.contains(&index);
            let is_passive = is_upgraded(reference.kind);
            (is_active || is_passive).then(|| (reference, is_active || is_address(&host)))
        },
    )
}

/// Returns whether browsers block this kind by http (Mixed Content, 3.2: everything that is not upgradeable).
fn is_blocked(kind: ReferenceKind, text: &str) -> bool {
    use ReferenceKind as Kind;
    match kind {
        Kind::Script
        | Kind::LinkStylesheet
        | Kind::Iframe
        | Kind::Frame
        | Kind::Object
        | Kind::Embed
        | Kind::Track
        | Kind::SvgUse
        | Kind::Island
        | Kind::ImgSrcset
        | Kind::SourceSrcset
        | Kind::CssImport => true,
        _ => kind.is_css() && is_font(text),
    }
}

/// Returns whether browsers upgrade this kind to https, or may (Mixed Content, 3.1: images, video and audio).
fn is_upgraded(kind: ReferenceKind) -> bool {
    use ReferenceKind as Kind;
    kind.is_css()
        || matches!(
            kind,
            Kind::Img
                | Kind::ImgSrcset
                | Kind::Lazy
                | Kind::SvgImage
                | Kind::Video
                | Kind::Poster
                | Kind::Audio
                | Kind::Source
                | Kind::SourceSrcset
                | Kind::Background
                | Kind::Input
                | Kind::Link
                | Kind::LinkIcon
                | Kind::LinkPreload
                | Kind::LinkImagesrcset
        )
}

/// Returns the indexes of the references whose files the page runs as scripts.
fn script_references(view: &FileView<'_>) -> HashSet<usize> {
    let file = |script: &PageScript| match script.source {
        ScriptSource::File(reference) => Some(reference as usize),
        ScriptSource::Inline(..) => None,
    };
    view.facts.scripts.iter().filter_map(file).collect()
}

fn is_font(address: &str) -> bool {
    let path = UrlReference::new(address).path().to_ascii_lowercase();
    [".woff", ".woff2", ".ttf", ".otf", ".eot"].iter().any(|ending| path.ends_with(ending))
}
