//! `mixed-content`: something loaded by http that browsers block on https pages.

use std::cell::LazyCell;
use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::{PageScript, Reference, ReferenceKind, Role, ScriptSource};
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::{has_scheme, is_address, is_local};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "mixed-content",
    category: Category::Security,
    default: Severity::Error,
    summary: "a page loads by http: what browsers then block",
    why: "On a page that came by https, browsers do not load scripts, style sheets, fonts, frames, plug-ins, tracks, \
          srcset candidates, or anything from an IP address by http. Where the contract says that the origin is \
          `http:`, nothing is mixed. What they ask for by https instead is reported as passive-mixed-content. \
          (Mixed Content, 3.2.)",
    bad: r#"<script src="http://cdn.test/app.js"></script>"#,
    good: r#"<script src="https://cdn.test/app.js"></script>"#,
};

pub(super) static RULE: Registered = Registered::of::<MixedContent>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MixedContent {}

impl Rule for MixedContent {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (reference, is_active) in loads_by_http(view) {
            if is_active {
                let location = Location::in_file(view.file, reference.span.clone());
                let place = reference.kind.description();
                let message = format!("{place} loads by http: browsers block it on https pages");
                found.push(RawFinding::reference(&INFO, location, message));
            }
        }
    }
}

/// What a page or style sheet loads by http from a host that others can reach, and whether browsers block it. Where the
/// site itself is on http, nothing.
pub(super) fn loads_by_http<'v>(view: &'v FileView<'v>) -> impl Iterator<Item = (&'v Reference, bool)> {
    let origin = view.site.settings.origin.as_ref();
    let is_http = origin.is_some_and(|origin| origin.scheme() == "http");
    let run = LazyCell::new(|| run(view));
    view.unusual().filter(move |(_, loaded, _)| !is_http && loaded.kind.role() == Role::Load).filter_map(
        move |(index, reference, target)| {
            let text = view.text(reference.value?);
            let leads = matches!(target, Target::External | Target::File { .. } | Target::Missing(_));
            // Browsers trust the reader's own machine; local-address reports those.
            let is_asked = leads && has_scheme(text, "http");
            let host = view.base.host(text).filter(|host| is_asked && !is_local(host))?;
            let is_active = is_blocked(reference.kind, text) || run.contains(&index);
            let is_passive = is_upgraded(reference.kind);
            (is_active || is_passive).then(|| (reference, is_active || is_address(&host)))
        },
    )
}

/// Whether browsers block what stands here (Mixed Content, 3.2: all that is not upgradeable).
fn is_blocked(kind: ReferenceKind, text: &str) -> bool {
    use ReferenceKind as Kind;
    match kind {
        Kind::Script
        | Kind::LinkStylesheet
        | Kind::Iframe
        | Kind::Frame
        | Kind::Portal
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

/// Whether browsers ask by https for what stands here, or may (Mixed Content, 3.1: pictures and media).
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
                | Kind::LinkImagesrcset
        )
}

/// The references whose files the page runs as scripts, by their places.
fn run(view: &FileView<'_>) -> HashSet<usize> {
    let file = |script: &PageScript| match script.source {
        ScriptSource::File(reference) => Some(reference as usize),
        ScriptSource::Inline(..) => None,
    };
    view.facts.scripts.iter().filter_map(file).collect()
}

fn is_font(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or(address).to_ascii_lowercase();
    [".woff", ".woff2", ".ttf", ".otf", ".eot"].iter().any(|ending| path.ends_with(ending))
}
