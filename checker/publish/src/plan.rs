//! Computes the plan of a publish: what to write, back up and delete, and whether the guards allow it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use sitegate_address::SitePath;
use sitegate_base::file_name::folded;

use crate::failure::{Failure, FailureKind};
use crate::release::manifest::{
    Lineage, Object, ObjectRole, ReleaseManifest, Retained, content_digest, is_page,
};
use crate::store::{FileIdentity, StoredObject};
use crate::target_state::state::{RunRecord, Stage, State, Tagged};

/// The change to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It does not exist yet.
    New,
    /// Its content changes.
    Content,
    /// Only its headers change.
    Headers,
    /// No change.
    Same,
}

/// The limits of a plan, as the user set them.
#[derive(Clone, Copy, Debug)]
pub struct PlanLimits {
    /// Number of earlier releases to keep for rollback. Their hashed assets stay.
    pub keep: usize,
    /// Maximum number of pages and files to delete.
    pub max_deletes: usize,
    /// Whether to replace objects that were changed by hand.
    pub overwrite_drift: bool,
    /// Whether to replace objects that sitegate did not write.
    pub adopt: bool,
    /// Whether pages may disappear.
    pub allow_gone: bool,
    /// Whether a bucket may get placeholders such as example.com.
    pub allow_placeholders: bool,
}

impl Default for PlanLimits {
    fn default() -> Self {
        PlanLimits {
            keep: 5,
            max_deletes: 50,
            overwrite_drift: false,
            adopt: false,
            allow_gone: false,
            allow_placeholders: false,
        }
    }
}

/// Maximum number of names in a warning.
const MAX_NAMES: usize = 10;

/// Everything that a publish will do.
#[derive(Debug)]
pub struct Plan {
    /// The release that will be live.
    pub manifest: ReleaseManifest,
    /// The change to each of its objects, in their order.
    pub changes: Vec<Change>,
    /// The current entity tags of the objects, by key.
    pub etags: BTreeMap<String, String>,
    /// Contents to back up before they are replaced, for rollback.
    pub backups: Vec<Backup>,
    /// Their digests.
    backup_digests: BTreeSet<String>,
    /// Keys to delete after everything else.
    pub deletes: Vec<String>,
    /// Pages that will disappear.
    pub gone: Vec<String>,
    /// Objects that were changed or deleted by hand.
    pub drift: Vec<String>,
    /// Objects that would be replaced and that sitegate did not write.
    pub foreign: Vec<String>,
    /// Precompressed variants of files of the release that sitegate did not write, and that differ from these files.
    pub(crate) foreign_variants: Vec<String>,
    /// Files to remove before files of the release can be written.
    pub(crate) path_conflicts: PathConflicts,
    /// Immutable objects (cached by browsers for a year) whose content changes.
    pub mutated: Vec<String>,
    /// The release that was live before.
    pub previous: Option<String>,
    /// Whether the plan completes an interrupted switch.
    pub resumes: bool,
    /// Whether the live release has the same objects, in place or not, and was not verified yet.
    pub(crate) repeats_unverified: bool,
    /// Whether the live release is the same, and in place. Files that it no longer has may remain to be deleted.
    pub is_live: bool,
    /// Whether there is nothing to do.
    pub is_noop: bool,
}

/// A content to back up before it is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Its key.
    pub key: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether the store's entity tag proves the content. Otherwise it must be read.
    pub certain: bool,
}

/// Whether the object at a key has this content; none if that is unknown.
pub(crate) fn content_matches(
    present: &StoredObject,
    object: &Object,
    etags: &BTreeMap<String, Tagged>,
) -> Option<bool> {
    if present.size != object.size {
        return Some(false);
    }
    if let Some(sha256) = &present.sha256 {
        return Some(*sha256 == object.sha256);
    }
    let etag = present.etag.as_ref()?;
    match etags.get(&object.key) {
        Some(written) if written.etag == *etag => Some(written.sha256 == object.sha256),
        _ if *etag == object.md5 => Some(true),
        Some(_) => Some(false),
        None => {
            let is_md5 = etag.len() == 32 && etag.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_md5.then_some(false)
        }
    }
}

impl Plan {
    /// Compares a release with the target.
    pub(crate) fn new(
        mut manifest: ReleaseManifest,
        state: &State,
        present: &BTreeMap<String, StoredObject>,
        lineage: Lineage,
    ) -> Plan {
        let known = BTreeMap::new();
        let etags = state.last.as_ref().map_or(&known, |last| &last.etags);
        let live = state.live.as_ref();
        let earlier: Vec<&ReleaseManifest> = live.into_iter().chain(&state.unfinished).collect();
        let owned: BTreeSet<&str> = earlier.iter().flat_map(|release| release.keys()).collect();
        let is_consistent = state.unfinished.is_empty();
        let mut plan = Plan {
            changes: Vec::with_capacity(manifest.objects.len()),
            etags: BTreeMap::new(),
            backups: Vec::new(),
            backup_digests: BTreeSet::new(),
            deletes: Vec::new(),
            gone: Vec::new(),
            drift: Vec::new(),
            foreign: Vec::new(),
            foreign_variants: Vec::new(),
            path_conflicts: PathConflicts::find(&manifest, present, &owned),
            mutated: Vec::new(),
            previous: live.map(|live| live.release.clone()),
            resumes: state.interrupted().next().is_some(),
            repeats_unverified: false,
            is_live: false,
            is_noop: false,
            manifest: manifest.clone(),
        };
        for object in &manifest.objects {
            let there = present.get(&object.key);
            let old = live.and_then(|live| live.find(&object.key));
            // A file under a conflicting name is ours, too. It is written again under the new name.
            let has_conflict = plan.path_conflicts.blocks(&object.key);
            plan.changes.push(match change(object, there, old, &earlier, is_consistent, etags) {
                Change::Same if has_conflict => Change::Content,
                change => change,
            });
            let is_owned = has_conflict || owned.contains(object.key.as_str());
            plan.compare_object(object, there, is_owned, state, etags);
        }
        manifest.retained = plan.collect_retained(&manifest, state, present, etags);
        plan.back_up_conflicts(&mut manifest, state, present);
        for old in &mut manifest.retained {
            if let Some(heir) = lineage.heirs.get(&old.release) {
                old.release.clone_from(heir);
            }
        }
        (manifest.history, manifest.rolled_back) = (lineage.history, lineage.rolled_back);
        plan.deletes = manifest
            .retained
            .iter()
            .filter(|old| !old.is_for_open_tabs() || !manifest.history.contains(&old.release))
            .map(|old| old.key.clone())
            .collect();
        plan.gone.sort();
        // Of a run without a release that was killed, nothing remains to be switched.
        let has_ended =
            |last: &RunRecord| last.stage != Stage::Publishing || last.release.is_none() && !state.held;
        let finished = state.last.as_ref().is_some_and(has_ended) && is_consistent;
        let has_live_content = live.is_some_and(|live| live.objects == manifest.objects);
        // Fewer kept releases need a new record: a rollback to one of the others would lack the deleted files.
        let is_kept = |name: &String| {
            let mut kept = std::iter::once(&manifest.release).chain(&manifest.history);
            let content = content_digest(name);
            kept.any(|kept| kept == name || content.is_some() && content_digest(kept) == content)
        };
        let keeps_all = live.is_some_and(|live| live.history.iter().all(is_kept));
        plan.is_live = finished
            && plan.changes.iter().all(|change| *change == Change::Same)
            && has_live_content
            && (plan.deletes.is_empty() || keeps_all);
        plan.repeats_unverified = has_live_content && state.pending().verify.is_some();
        plan.is_noop = plan.is_live && plan.deletes.is_empty();
        plan.manifest = manifest;
        plan
    }

    /// Compares an object with what is at its key, and with the live release's object there.
    fn compare_object(
        &mut self,
        object: &Object,
        there: Option<&StoredObject>,
        is_owned: bool,
        state: &State,
        etags: &BTreeMap<String, Tagged>,
    ) {
        let is_consistent = state.unfinished.is_empty();
        let old = state.live.as_ref().and_then(|live| live.find(&object.key));
        let Some(there) = there else {
            if old.is_some() && is_consistent {
                self.drift.push(format!("deleted  {}", object.key));
            }
            return;
        };
        if let Some(etag) = &there.etag {
            self.etags.insert(object.key.clone(), etag.clone());
        }
        let is_new_content = content_matches(there, object, etags) == Some(true);
        if !is_owned && !is_new_content {
            self.foreign.push(object.key.clone());
        }
        let Some(old) = old else { return };
        if is_consistent && !is_new_content && content_matches(there, old, etags) == Some(false) {
            self.drift.push(format!("changed  {}", object.key));
        }
        if object.sha256 == old.sha256 {
            return;
        }
        match old.role {
            ObjectRole::Asset if object.role == ObjectRole::Asset => self.mutated.push(object.key.clone()),
            _ => self.back_up(old, there, state, etags),
        }
    }

    /// Returns the existing keys of earlier releases that this one does not have.
    fn collect_retained(
        &mut self,
        manifest: &ReleaseManifest,
        state: &State,
        present: &BTreeMap<String, StoredObject>,
        etags: &BTreeMap<String, Tagged>,
    ) -> Vec<Retained> {
        let mut retained: BTreeMap<&str, Retained> = BTreeMap::new();
        let is_consistent = state.unfinished.is_empty();
        for (manifest_before, is_live) in
            state.live.iter().map(|live| (live, true)).chain(state.unfinished.iter().map(|m| (m, false)))
        {
            for old in &manifest_before.objects {
                if manifest.find(&old.key).is_some() {
                    continue;
                }
                if is_live && old.role == ObjectRole::Page && is_page(&old.path) {
                    self.gone.push(old.key.clone());
                }
                let Some(there) = present.get(&old.key) else { continue };
                if is_live && old.role != ObjectRole::Asset {
                    if is_consistent && content_matches(there, old, etags) == Some(false) {
                        self.drift.push(format!("changed  {}", old.key));
                    }
                    self.back_up(old, there, state, etags);
                }
                retained.entry(&old.key).or_insert_with(|| Retained {
                    key: old.key.clone(),
                    role: old.role,
                    release: manifest_before.release.clone(),
                    is_for_scripts: old.role == ObjectRole::File && old.script_depth.is_some(),
                });
            }
            for old in &manifest_before.retained {
                if manifest.find(&old.key).is_none() && present.contains_key(&old.key) {
                    retained.entry(&old.key).or_insert_with(|| old.clone());
                }
            }
        }
        retained.into_values().collect()
    }

    /// Backs up all files that conflict with new ones, including assets.
    fn back_up_conflicts(
        &mut self,
        manifest: &mut ReleaseManifest,
        state: &State,
        present: &BTreeMap<String, StoredObject>,
    ) {
        let path_conflicts = self.path_conflicts.keys();
        for key in &path_conflicts {
            let Some(StoredObject { size, sha256: Some(sha256), .. }) = present.get(*key) else { continue };
            let is_stored = state.backups.get(sha256) == Some(size);
            if !is_stored && self.backup_digests.insert(sha256.clone()) {
                self.backups.push(Backup {
                    key: (*key).to_owned(),
                    sha256: sha256.clone(),
                    size: *size,
                    certain: true,
                });
            }
        }
        manifest.retained.retain(|old| !path_conflicts.contains(old.key.as_str()));
    }

    fn back_up(
        &mut self,
        old: &Object,
        there: &StoredObject,
        state: &State,
        etags: &BTreeMap<String, Tagged>,
    ) {
        let certain = match content_matches(there, old, etags) {
            // A run that was interrupted did not record the tags of what it wrote, maybe of the same content with other
            // headers. So it is read.
            Some(false) if !state.unfinished.is_empty() && there.size == old.size => None,
            certain => certain,
        };
        if certain != Some(false)
            && !state.is_backed_up(old)
            && self.backup_digests.insert(old.sha256.clone())
        {
            // A damaged backup is replaced only by what was read and compared.
            let certain = certain == Some(true) && !state.backups.contains_key(&old.sha256);
            self.backups.push(Backup {
                key: old.key.clone(),
                sha256: old.sha256.clone(),
                size: there.size,
                certain,
            });
        }
    }

    /// Whether the plan backs up this content.
    pub(crate) fn will_back_up(&self, sha256: &str) -> bool {
        self.backup_digests.contains(sha256)
    }

    /// Returns precompressed variants that the release does not have. A server would serve them instead of the
    /// changed files, so they are deleted first.
    pub(crate) fn stale_variants(&self) -> impl Iterator<Item = &str> {
        let variants = self.manifest.retained.iter().filter(|old| old.role == ObjectRole::Variant);
        variants.map(|old| old.key.as_str())
    }

    /// Returns the keys to delete: first pages, then the files that they needed.
    pub(crate) fn ordered_deletes(&self) -> [Vec<String>; 2] {
        let pages = self.manifest.retained.iter().filter(|old| old.role == ObjectRole::Page);
        let pages: BTreeSet<&str> = pages.map(|old| old.key.as_str()).collect();
        let (pages, others) = self.deletes.iter().cloned().partition(|key| pages.contains(key.as_str()));
        [pages, others]
    }

    /// Returns the release that is live after the plan is executed: the previous one if it is the same.
    pub(crate) fn live_name(&self) -> &str {
        match &self.previous {
            Some(previous) if self.is_live => previous,
            _ => &self.manifest.release,
        }
    }

    /// Returns a warning about precompressed variants that sitegate did not write.
    pub(crate) fn variant_warning(&self) -> Option<String> {
        let all = &self.foreign_variants;
        let names = all.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
        let more = all.len().saturating_sub(MAX_NAMES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        (!all.is_empty()).then(|| {
            format!(
                "servers may serve these files instead of those of the release, and sitegate did not write them: \
                 {names}{more}; delete them"
            )
        })
    }

    /// Returns the number of objects with this change.
    pub fn count(&self, change: Change) -> usize {
        self.changes.iter().filter(|found| **found == change).count()
    }

    /// Returns the objects to write, with their changes.
    pub fn writes(&self) -> impl Iterator<Item = (&Object, Change)> {
        let all = self.manifest.objects.iter().zip(self.changes.iter().copied());
        all.filter(|(_, change)| *change != Change::Same)
    }

    /// Returns the number of bytes to send.
    pub fn bytes(&self) -> u64 {
        self.writes().map(|(object, _)| object.size).sum()
    }

    /// Checks the plan against the guards.
    ///
    /// # Errors
    /// [`FailureKind::Guard`], with the option that allows it.
    pub(crate) fn check_guards(&self, limits: &PlanLimits) -> Result<(), Failure> {
        let stop = |message: &str, names: &[String], help: &str| {
            Err(Failure::new(FailureKind::Guard, message).names(names.iter().cloned()).help(help))
        };
        if self.manifest.objects.is_empty() {
            return stop("the release is empty", &[], "build the export, check it, and publish again");
        }
        if !self.mutated.is_empty() {
            let help = "their Cache-Control says `immutable`, so browsers would keep the old content; \
                        rename them, or set another Cache-Control under [[headers]]";
            return stop("immutable files have new content", &self.mutated, help);
        }
        if !self.path_conflicts.foreign.is_empty() {
            let message = "these files are where the release needs a folder, or in a folder where it needs a file, \
                           and sitegate did not write them";
            let help = "move them away, or choose another target";
            return stop(message, &self.path_conflicts.foreign, help);
        }
        if !self.foreign.is_empty() && !limits.adopt {
            let message = "these objects would be replaced, and sitegate did not write them";
            return stop(message, &self.foreign, "choose another target, or use --adopt to replace them");
        }
        if !self.foreign_variants.is_empty() {
            let message = "servers may serve these files instead of those of the release, and sitegate did not write them";
            let help = "delete them, or let sitegate write them with --precompress and --adopt";
            return stop(message, &self.foreign_variants, help);
        }
        if !self.drift.is_empty() && !limits.overwrite_drift {
            let help = "someone changed the target by hand; use --overwrite-drift to replace the changes";
            return stop("the target differs from the last publish", &self.drift, help);
        }
        if !self.gone.is_empty() && !limits.allow_gone {
            let help = "their URLs would return 404; add redirects under [[redirects]] in sitegate.toml, or use \
                        --allow-gone";
            return stop("pages of the live release would disappear", &self.gone, help);
        }
        let retained = self.manifest.retained.iter();
        let counted: BTreeSet<&str> = retained
            .filter(|old| matches!(old.role, ObjectRole::File | ObjectRole::Page))
            .map(|old| old.key.as_str())
            .collect();
        let counts = |key: &&String| counted.contains(key.as_str());
        let deletes: Vec<String> = self.deletes.iter().filter(counts).cloned().collect();
        if deletes.len() > limits.max_deletes {
            let message =
                format!("{} objects would be deleted; the limit is {}", deletes.len(), limits.max_deletes);
            return stop(&message, &deletes, "is this the right folder? If so, use --max-deletes N");
        }
        Ok(())
    }
}

fn change(
    object: &Object,
    there: Option<&StoredObject>,
    old: Option<&Object>,
    earlier: &[&ReleaseManifest],
    is_consistent: bool,
    etags: &BTreeMap<String, Tagged>,
) -> Change {
    let Some(there) = there else { return Change::New };
    let content = content_matches(there, object, etags);
    let is_folder = there.sha256.is_some();
    let same_headers = is_folder || {
        let mut known = earlier.iter().filter_map(|manifest| manifest.find(&object.key)).peekable();
        known.peek().is_some() && known.all(|found| found.headers == object.headers)
    };
    let trusted = is_consistent && old.is_some_and(|old| old.sha256 == object.sha256);
    let same_content = content == Some(true) || content.is_none() && trusted;
    match (same_content, same_headers) {
        (true, true) => Change::Same,
        (true, false) => Change::Headers,
        (false, _) => Change::Content,
    }
}

/// The files that must be removed before the files of a release can be written, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathConflicts {
    /// For each blocked key, the keys of files of earlier releases that block it.
    pub ours: BTreeMap<String, Vec<String>>,
    /// The keys of blocking files that sitegate did not write.
    pub foreign: Vec<String>,
}

impl PathConflicts {
    /// Compares the keys of a release with a folder's files. A bucket can contain both `a` and `a/b`.
    pub(crate) fn find(
        manifest: &ReleaseManifest,
        present: &BTreeMap<String, StoredObject>,
        owned: &BTreeSet<&str>,
    ) -> PathConflicts {
        let mut found = PathConflicts::default();
        // Only files in a folder have a digest.
        let files = present.iter().filter(|(_, present)| present.sha256.is_some());
        let others: BTreeSet<&str> =
            files.map(|(key, _)| key.as_str()).filter(|key| manifest.find(key).is_none()).collect();
        let one_file = same_files(&others, present);
        let mut foreign = BTreeSet::new();
        for object in &manifest.objects {
            let key = object.key.as_str();
            let above = SitePath::new(key).ancestors().filter_map(|folder| others.get(folder).copied());
            let start = format!("{key}/");
            let after = (Bound::Included(start.as_str()), Bound::Unbounded);
            let below = others.range::<str, _>(after).take_while(|other| other.starts_with(&start)).copied();
            let folded_alike = present.get(key).and_then(|there| one_file.get(there.file.as_ref()?));
            let colliding_keys =
                folded_alike.into_iter().flatten().copied().filter(|other| folded(other) == folded(key));
            let conflicts: Vec<&str> = above.chain(below).chain(colliding_keys).collect();
            foreign.extend(conflicts.iter().filter(|other| !owned.contains(*other)));
            if !conflicts.is_empty() {
                found.ours.insert(key.to_owned(), conflicts.into_iter().map(str::to_owned).collect());
            }
        }
        found.foreign = foreign.into_iter().map(str::to_owned).collect();
        found
    }

    /// Whether files must be removed before this key can be written.
    pub(crate) fn blocks(&self, key: &str) -> bool {
        self.ours.contains_key(key)
    }

    /// Returns the keys of all files to remove.
    pub(crate) fn keys(&self) -> BTreeSet<&str> {
        self.ours.values().flatten().map(String::as_str).collect()
    }
}

/// Groups keys by the file that they name. On a case-insensitive file system a file has several names: deleting
/// `About.html` after writing `about.html` deletes the new file.
fn same_files<'o>(
    others: &BTreeSet<&'o str>,
    present: &'o BTreeMap<String, StoredObject>,
) -> HashMap<&'o FileIdentity, Vec<&'o str>> {
    let mut found: HashMap<&FileIdentity, Vec<&str>> = HashMap::new();
    for other in others {
        if let Some(file) = present.get(*other).and_then(|there| there.file.as_ref()) {
            found.entry(file).or_default().push(other);
        }
    }
    found
}
