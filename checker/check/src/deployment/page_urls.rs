//! How pages are addressed: with `.html` or without, with a slash at the end or without.

use std::collections::BTreeSet;

use url::Url;

use super::links::OwnLinks;
use super::sample::Sample;
use super::statements::{Statement, Statements, leads_to};
use crate::contract::SiteSettings;
use crate::generator::GENERATORS;
use crate::parse::{Format, Role};
use crate::resolve::path::decode_path;
use crate::walk::{FileId, Tree};
use sitegate_base::plural::count;

/// Whether pages are linked without their `.html`, and none with it: what says so.
pub(super) fn clean(links: &OwnLinks, base_path: &str, tree: &Tree) -> Option<String> {
    let mut clean: BTreeSet<FileId> = BTreeSet::new();
    for path in links.local(base_path) {
        let spelt_out = tree.find(path).is_some_and(|file| Format::of(tree.path(file)) == Format::Html);
        if spelt_out && !path.ends_with(b"index.html") {
            return None;
        }
        let is_folder = tree.is_folder(path) && tree.find(&[path, b"/index.html"].concat()).is_some();
        if !spelt_out && !is_folder && !path.ends_with(b"/") {
            clean.extend(tree.find(&[path, b".html"].concat()));
        }
    }
    let mut folders = GENERATORS.iter().filter_map(|generator| generator.clean_urls_folder);
    let enough = if folders.any(|folder| tree.is_folder(folder.as_bytes())) { 1 } else { 2 };
    let pages = count(clean.len(), "page");
    (clean.len() >= enough).then(|| match clean.len() {
        1 => format!("{pages} is linked without .html, and none with it"),
        _ => format!("{pages} are linked without .html, and none with it"),
    })
}

/// Whether pages call their directories by names without a slash: what says so. Not where a link that is relative to a
/// page's directory would then lead nowhere.
pub(super) fn without_slash(
    statements: &Statements,
    sample: &Sample,
    settings: &SiteSettings,
    tree: &Tree,
) -> Option<String> {
    let origin = settings.origin.as_ref()?;
    let is_folder = |statement: &&Statement| {
        statement.page.is_some_and(|page| tree.path(page).ends_with(b"/index.html"))
            && statement
                .path
                .strip_prefix(settings.base_path.trim_start_matches('/').as_bytes())
                .is_some_and(|path| leads_to(path, tree) == statement.page)
    };
    let (mut bare, mut slashed) = (0, 0);
    for statement in statements.canonicals(origin).filter(is_folder) {
        if statement.path.ends_with(b"/") { slashed += 1 } else { bare += 1 }
    }
    let all_bare = bare > 0 && slashed == 0;
    (all_bare && stays_whole(sample, tree))
        .then(|| format!("canonical links of {} end without it", count(bare, "index page")))
}

/// Whether the relative links of directories' pages, where they are files now, are files without the slash too.
fn stays_whole(sample: &Sample, tree: &Tree) -> bool {
    sample.pages.iter().filter(|(_, facts)| facts.base.is_none()).all(|(file, facts)| {
        let path = tree.display(*file);
        let Some(folder) = path.strip_suffix("/index.html") else { return true };
        let document = |path: &str| {
            let mut url = Url::parse("http://sitegate.invalid/").ok()?;
            url.set_path(path);
            Some(url)
        };
        let (Some(slashed), Some(bare)) = (document(&format!("{folder}/")), document(folder)) else {
            return true;
        };
        let is_there = |base: &Url, text: &str| {
            let mut path = Vec::new();
            base.join(text).is_ok_and(|url| {
                decode_path(url.path(), &mut path);
                leads_to(&path, tree).is_some()
            })
        };
        let texts = facts.references.iter().filter(|r| matches!(r.kind.role(), Role::Navigate | Role::Load));
        let relative = texts.filter_map(|r| Some(facts.text(r.value?).trim())).filter(|text| {
            !text.starts_with(['/', '#', '?']) && !text.is_empty() && Url::parse(text).is_err()
        });
        relative.into_iter().all(|text| !is_there(&slashed, text) || is_there(&bare, text))
    })
}
