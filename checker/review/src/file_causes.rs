//! Reports files that were changed, added or removed, by their contents, and pages that differ in bytes only.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sitegate_address::SitePath;
use sitegate_address::hashed_name::stable_name;
use sitegate_base::plural::count;

use crate::facts::{ContentHash, OtherFile, PageFacts, SiteFacts};
use crate::pages::PagePair;
use crate::review::{CauseKind, ReviewCause};

/// The contents of the files with one name, without content hashes, in both builds.
type Versions<'f> = BTreeMap<Cow<'f, str>, [Vec<&'f OtherFile>; 2]>;

/// The differences between the files of two builds.
#[derive(Debug, Default)]
pub(crate) struct FileChanges {
    pub causes: Vec<ReviewCause>,
    /// Number of files that also differ between two builds of one commit.
    pub noise: usize,
    /// Number of files in both builds whose content was not read.
    pub not_compared: usize,
}

/// Compares the files. `again` is a second build of the new commit.
pub(crate) fn file_changes(base: &SiteFacts, new: &SiteFacts, again: Option<&SiteFacts>) -> FileChanges {
    let volatile: HashSet<String> = again.map_or_else(HashSet::new, |again| {
        let differing =
            versions(again, new).into_iter().filter(|(_, sides)| is_changed(sides) != Some(false));
        differing.map(|(name, _)| name.into_owned()).collect()
    });
    // Crawls find only the files that pages refer to.
    let is_partial = base.is_partial || new.is_partial;
    let mut changes = FileChanges::default();
    let mut groups: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for (name, sides) in versions(base, new) {
        let verb = match (&sides, is_changed(&sides)) {
            (_, None) => {
                changes.not_compared += 1;
                continue;
            }
            (_, Some(false)) => continue,
            // Addresses have a section of their own.
            ([_, file], _) if sides[0].is_empty() && (is_partial || has_address(file)) => continue,
            ([file, _], _) if sides[1].is_empty() && (is_partial || has_address(file)) => continue,
            ([old, _], _) if old.is_empty() => "added",
            ([_, now], _) if now.is_empty() => "removed",
            _ => "changed",
        };
        if volatile.contains(&*name) {
            changes.noise += 1;
        } else {
            groups.entry((verb, kind(&name))).or_default().push(format!("/{name}"));
        }
    }
    for ((verb, kind), names) in groups {
        let title = format!("`{kind}`: {} {verb}", count(names.len(), "file"));
        changes.causes.push(ReviewCause::of_list(CauseKind::File, title, names, Vec::new()));
    }
    changes
}

fn versions<'f>(base: &'f SiteFacts, new: &'f SiteFacts) -> Versions<'f> {
    let mut versions = Versions::new();
    for (side, site) in [base, new].into_iter().enumerate() {
        for file in &site.files {
            versions.entry(stable_name(&file.path)).or_default()[side].push(file);
        }
    }
    versions
}

/// Whether the contents differ; `None` if one was not read.
fn is_changed([old, new]: &[Vec<&OtherFile>; 2]) -> Option<bool> {
    if old.is_empty() || new.is_empty() {
        return Some(true);
    }
    let contents = |files: &[&OtherFile]| {
        let mut all: Vec<ContentHash> = files.iter().map(|file| file.content).collect::<Option<_>>()?;
        all.sort_unstable();
        Some(all)
    };
    Some(contents(old)? != contents(new)?)
}

fn has_address(files: &[&OtherFile]) -> bool {
    files.iter().all(|file| file.address.is_some())
}

/// Returns the extension of a path, or the name of a file without one. Files of a kind are one cause, so that many
/// images do not hide a script.
fn kind(path: &str) -> String {
    let path = SitePath::new(path);
    match path.extension() {
        Some(extension) if !path.stem().is_empty() && extension.len() <= 12 => {
            format!(".{}", extension.to_lowercase())
        }
        _ => path.name().to_owned(),
    }
}

/// Reports the pages whose bytes differ although nothing that is listed does. `explained` are the indexes of pairs with
/// another cause.
pub(crate) fn byte_causes(
    (base, new): (&SiteFacts, &SiteFacts),
    again: Option<&SiteFacts>,
    pairs: &[PagePair<'_>],
    explained: &BTreeSet<u32>,
) -> Option<ReviewCause> {
    let by_address = |site| -> HashMap<&str, &PageFacts> { SiteFacts::by_address(site) };
    let volatile: HashSet<&str> = again.map_or_else(HashSet::new, |again| {
        let others = by_address(again);
        let differs =
            |page: &&PageFacts| others.get(&*page.address).is_some_and(|other| other.content != page.content);
        new.pages.iter().filter(differs).map(|page| &*page.address).collect()
    });
    let differing = pairs.iter().enumerate().filter(|(index, pair)| {
        pair.base.content != pair.new.content && !explained.contains(&(*index as u32))
    });
    let mut addresses: Vec<&str> = differing.map(|(_, pair)| &*pair.new.address).collect();
    let old = by_address(base);
    let redirects = new.pages.iter().filter(|page| page.redirect.is_some()).filter(|page| {
        let before = old.get(&*page.address).filter(|before| before.redirect == page.redirect);
        before.is_some_and(|before| before.content != page.content)
    });
    addresses.extend(redirects.map(|page| &*page.address));
    addresses.retain(|address| !volatile.contains(address));
    if addresses.is_empty() {
        return None;
    }
    let verb = if addresses.len() == 1 { "differs" } else { "differ" };
    let title = format!("{} {verb} in bytes only", count(addresses.len(), "file"));
    Some(ReviewCause::of_pages(CauseKind::Bytes, title, addresses))
}
