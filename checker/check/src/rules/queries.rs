//! Queries that several rules share: broken references, redirect locations, scheme prefixes.

use std::collections::BTreeMap;
use std::ops::Range;

use sitegate_address::robots::RobotsRule;
use sitegate_address::{INDEX, UrlReference};

use crate::contract::Contract;
use crate::index::site::{ConfigPlace, ROBOTS_FILE, Site};
use crate::index::view::FileView;
use crate::parse::Reference;
use crate::raw_finding::{DocumentId, Location};
use crate::resolve::live::LiveSite;
use crate::resolve::parts::PartAnswer;
use crate::resolve::{Reason, Target};
use crate::walk::{FileId, Tree};
use sitegate_host::redirects::{Redirect, RedirectOrigin};

/// The id of the rule about broken redirects.
pub(super) const REDIRECT_RULE: &str = "broken-redirect";

/// Returns the destination of the broken redirect that a reference uses, if the redirect has its own finding. One with
/// placeholders has none, nor has any if the contract turns the rule off.
pub(super) fn reported_redirect(view: &FileView<'_>, text: &str, target: Target) -> Option<String> {
    let (site, is_broken) = (view.site, target == Target::Missing(Reason::BrokenRedirect));
    if !is_broken || site.contract.turns_off(REDIRECT_RULE) {
        return None;
    }
    let (redirect, to) = site.resolver.last_redirect(site.resolver.local_path(view.base, text)?)?;
    (!redirect.has_placeholders()).then_some(to)
}

/// Returns the broken references of a page or style sheet, with their indexes, apart from those that the finding about
/// a redirect covers.
pub(super) fn broken_references<'v>(
    view: &'v FileView<'v>,
) -> impl Iterator<Item = (usize, &'v Reference, Reason)> + 'v {
    let (site, base, facts) = (view.site, view.base, view.facts);
    let has_parts = !site.resolver.parts().is_empty();
    view.unusual().filter_map(move |(index, reference, target)| match target {
        Target::Missing(reason) => {
            let text = reference.value.map_or("", |value| facts.text(value));
            reported_redirect(view, text, target).is_none().then_some((index, reference, reason))
        }
        Target::External if has_parts => {
            let (_, answer, _) = site.part_answer(base, facts.text(reference.value?))?;
            (answer == PartAnswer::Missing).then_some((index, reference, Reason::NotInPart))
        }
        _ => None,
    })
}

/// Whether a redirect is one of `[[redirects]]`.
pub(super) fn is_of_contract(contract: &Contract, redirect: &Redirect) -> bool {
    redirect.origin == RedirectOrigin::Contract
        && contract.redirects.iter().any(|own| (&own.from, &own.to) == (&redirect.from, &redirect.to))
}

/// A URL of a page or style sheet whose path contains a character.
pub(super) struct PathWith<'v> {
    pub reference: &'v Reference,
    pub target: Target,
    /// The URL.
    pub text: &'v str,
    /// Its path.
    pub path: &'v str,
}

impl PathWith<'_> {
    /// Returns the URL with another text instead of the character in its path.
    pub fn replace(&self, character: char, by: &str) -> String {
        self.path.replace(character, by) + &self.text[self.path.len()..]
    }
}

/// Returns the URLs of a page or style sheet whose paths contain a character.
pub(super) fn paths_with<'v>(
    view: &FileView<'v>,
    character: char,
) -> impl Iterator<Item = PathWith<'v>> + 'v {
    let facts = view.facts;
    view.unusual().filter_map(move |(_, reference, target)| {
        let is_path = matches!(target, Target::File { .. } | Target::Missing(_) | Target::External);
        if !is_path {
            return None;
        }
        let text = facts.text(reference.value?);
        // Fast path: most values do not contain the character.
        if !text.contains(character) {
            return None;
        }
        let text = text.trim_ascii();
        let path = UrlReference::new(text).path();
        path.contains(character).then_some(PathWith { reference, target, text, path })
    })
}

/// Returns the location of a redirect's destination: in a file of the export or of the host, or in the contract.
pub(super) fn redirect_location(tree: &Tree, redirect: &Redirect) -> Location {
    location_at(tree, &redirect.origin, &redirect.span)
}

/// Returns the location of an entry of the file that has redirects.
pub(super) fn location_at(tree: &Tree, origin: &RedirectOrigin, span: &Range<u32>) -> Location {
    let document = match origin {
        RedirectOrigin::File(name) => tree.find(name.as_bytes()).map(DocumentId::File),
        RedirectOrigin::HostConfig => Some(DocumentId::HostConfig),
        RedirectOrigin::Contract => None,
    };
    Location { document: document.unwrap_or(DocumentId::Contract), span: span.clone() }
}

/// Whether the export has code that answers paths which are no files: a worker of Cloudflare Pages.
pub(super) fn runs_code(tree: &Tree) -> bool {
    ["_worker.js", "_routes.json"].iter().any(|name| tree.has(name.as_bytes()))
}

/// The files that a rule of robots.txt keeps a crawler out of.
pub(super) struct DisallowedFiles {
    /// The location of the rule.
    pub rule: Location,
    /// The URL of the first file.
    pub address: String,
    /// Their number.
    pub count: usize,
}

/// Returns the rules of robots.txt that keep a crawler out of some files, by their offsets.
pub(super) fn disallowed_files(
    site: &Site<'_>,
    agent: &str,
    files: impl Iterator<Item = FileId>,
) -> BTreeMap<usize, DisallowedFiles> {
    let mut found = BTreeMap::new();
    let Some(robots_file) = site.tree.find(ROBOTS_FILE.as_bytes()) else { return found };
    for (rule, address) in disallowing_rules(site, agent, files) {
        let location = (robots_file, rule.span.start as u32..rule.span.end as u32);
        let new = || DisallowedFiles { rule: location.into(), address, count: 0 };
        found.entry(rule.span.start).or_insert_with(new).count += 1;
    }
    found
}

/// Returns the rule of robots.txt that keeps a crawler out of each of some files, and the file's URL. Returns none if one
/// keeps it out of the whole site, which hidden-site reports.
pub(super) fn disallowing_rules<'s>(
    site: &'s Site<'_>,
    agent: &str,
    files: impl Iterator<Item = FileId>,
) -> impl Iterator<Item = (&'s RobotsRule, String)> {
    let robots = site.robots_file();
    let disallows = robots.groups.iter().flat_map(|group| &group.rules).any(|rule| !rule.allows);
    let is_needed = disallows && robots.disallows_all().is_none();
    let files = files.take_while(move |_| is_needed);
    files.filter_map(move |file| {
        let address = site.resolver.address(&site.tree.display(file));
        let rule = robots.deciding_rule(agent, &address).filter(|rule| !rule.allows)?;
        Some((rule, address))
    })
}

/// Returns the location for findings about a live site as a whole: its start page.
pub(super) fn start_page_location(live: &LiveSite, tree: &Tree) -> Location {
    match live.start_file(tree) {
        Some(file) => file.into(),
        None => DocumentId::Path(INDEX.into()).into(),
    }
}

/// Returns the text after a scheme, which matches in any case.
pub(super) fn strip_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let start = text.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
}

/// Returns the location of a host's configuration file. Locations in it are not known.
pub(super) fn config_location(place: &ConfigPlace) -> Location {
    match place {
        ConfigPlace::Export(file) => (*file).into(),
        ConfigPlace::Named => DocumentId::HostConfig.into(),
    }
}
