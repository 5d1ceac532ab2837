//! The plan: what a publish would write, keep and delete, and whether it may.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::failure::{Exit, Failure};
use crate::memory::state::{Stage, State, Tagged};
use crate::obstacles::Obstacles;
use crate::release::lineage::Lineage;
use crate::release::manifest::{Object, ObjectRole, ReleaseManifest, Retained, is_page};
use crate::target::Present;

/// What happens to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is not there yet.
    New,
    /// Its content changes.
    Content,
    /// Only its headers change.
    Headers,
    /// Nothing.
    Same,
}

/// What the user allows a plan to do.
#[derive(Clone, Copy, Debug)]
pub struct PlanLimits {
    /// How many earlier releases can be rolled back to; their hashed assets stay.
    pub keep: usize,
    /// How many pages and files may be deleted.
    pub max_deletes: usize,
    /// Whether objects that were changed by hand may be replaced.
    pub overwrite_drift: bool,
    /// Whether objects that no publish wrote may be replaced.
    pub adopt: bool,
    /// Whether pages may vanish.
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

/// Everything that a publish will do.
#[derive(Debug)]
pub struct Plan {
    /// The release that will be live.
    pub manifest: ReleaseManifest,
    /// What happens to each of its objects, in their order.
    pub changes: Vec<Change>,
    /// The entity tags that the objects have now, by key.
    pub etags: BTreeMap<String, String>,
    /// Contents to keep for a rollback before they are replaced.
    pub keeps: Vec<Keep>,
    /// Their digests.
    keeping: BTreeSet<String>,
    /// Keys to delete when all else is done.
    pub deletes: Vec<String>,
    /// Pages that will be gone.
    pub gone: Vec<String>,
    /// Objects that were changed or deleted by hand.
    pub drift: Vec<String>,
    /// Objects in the way that no publish wrote.
    pub foreign: Vec<String>,
    /// What must go before files of the release can come, where the target cannot hold both.
    pub(crate) obstacles: Obstacles,
    /// Objects that browsers keep for a year, whose content changes all the same.
    pub mutated: Vec<String>,
    /// The release that was live before.
    pub previous: Option<String>,
    /// Whether an interrupted switch is completed.
    pub resumes: bool,
    /// Whether there is nothing to do.
    pub nothing: bool,
}

/// A content to keep before it is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Where it is.
    pub key: String,
    /// What it is.
    pub sha256: String,
    /// Whether the store's entity tag says so; else it must be read.
    pub certain: bool,
}

/// Whether what is at a key is an object's content; none where that cannot be known.
pub(crate) fn matches(present: &Present, object: &Object, etags: &BTreeMap<String, Tagged>) -> Option<bool> {
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
    /// Compares a release with what is there.
    pub(crate) fn new(
        mut manifest: ReleaseManifest,
        state: &State,
        present: &HashMap<String, Present>,
        lineage: Lineage,
    ) -> Plan {
        let known = BTreeMap::new();
        let etags = state.last.as_ref().map_or(&known, |last| &last.etags);
        let live = state.live.as_ref();
        let earlier: Vec<&ReleaseManifest> = live.into_iter().chain(&state.unfinished).collect();
        let owned: BTreeSet<&str> = earlier.iter().flat_map(|release| release.keys()).collect();
        let settled = state.unfinished.is_empty();
        let mut plan = Plan {
            changes: Vec::with_capacity(manifest.objects.len()),
            etags: BTreeMap::new(),
            keeps: Vec::new(),
            keeping: BTreeSet::new(),
            deletes: Vec::new(),
            gone: Vec::new(),
            drift: Vec::new(),
            foreign: Vec::new(),
            obstacles: Obstacles::find(&manifest, present, &owned),
            mutated: Vec::new(),
            previous: live.map(|live| live.release.clone()),
            resumes: !settled,
            nothing: false,
            manifest: manifest.clone(),
        };
        for object in &manifest.objects {
            let there = present.get(&object.key);
            let old = live.and_then(|live| live.find(&object.key));
            // What stands there under another name is ours, too, and is written anew under this one.
            let is_obstructed = plan.obstacles.are_before(&object.key);
            plan.changes.push(match change(object, there, old, &earlier, settled, etags) {
                Change::Same if is_obstructed => Change::Content,
                change => change,
            });
            let is_owned = is_obstructed || owned.contains(object.key.as_str());
            plan.compare(object, there, is_owned, state, etags);
        }
        manifest.retained = plan.leave(&manifest, state, present, etags);
        plan.keep_obstacles(&mut manifest, state, present);
        for old in &mut manifest.retained {
            if let Some(heir) = lineage.heirs.get(&old.release) {
                old.release.clone_from(heir);
            }
        }
        (manifest.history, manifest.left) = (lineage.history, lineage.left);
        plan.deletes = manifest
            .retained
            .iter()
            .filter(|old| !old.is_for_open_tabs() || !manifest.history.contains(&old.release))
            .map(|old| old.key.clone())
            .collect();
        plan.gone.sort();
        let finished = state.last.as_ref().is_some_and(|last| last.stage != Stage::Publishing) && settled;
        plan.nothing = finished
            && plan.deletes.is_empty()
            && plan.changes.iter().all(|change| *change == Change::Same)
            && live.is_some_and(|live| live.objects == manifest.objects);
        plan.manifest = manifest;
        plan
    }

    /// Compares an object of the release with what is at its key, and with what the live release has there.
    fn compare(
        &mut self,
        object: &Object,
        there: Option<&Present>,
        is_owned: bool,
        state: &State,
        etags: &BTreeMap<String, Tagged>,
    ) {
        let settled = state.unfinished.is_empty();
        let old = state.live.as_ref().and_then(|live| live.find(&object.key));
        let Some(there) = there else {
            if old.is_some() && settled {
                self.drift.push(format!("deleted  {}", object.key));
            }
            return;
        };
        if let Some(etag) = &there.etag {
            self.etags.insert(object.key.clone(), etag.clone());
        }
        let is_new_content = matches(there, object, etags) == Some(true);
        if !is_owned && !is_new_content {
            self.foreign.push(object.key.clone());
        }
        let Some(old) = old else { return };
        if settled && !is_new_content && matches(there, old, etags) == Some(false) {
            self.drift.push(format!("changed  {}", object.key));
        }
        if object.sha256 == old.sha256 {
            return;
        }
        match old.role {
            ObjectRole::Asset if object.role == ObjectRole::Asset => self.mutated.push(object.key.clone()),
            _ => self.keep(old, there, state, etags),
        }
    }

    /// What earlier releases left behind: keys that this one does not have and that are there.
    fn leave(
        &mut self,
        manifest: &ReleaseManifest,
        state: &State,
        present: &HashMap<String, Present>,
        etags: &BTreeMap<String, Tagged>,
    ) -> Vec<Retained> {
        let mut retained: BTreeMap<&str, Retained> = BTreeMap::new();
        let settled = state.unfinished.is_empty();
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
                    if settled && matches(there, old, etags) == Some(false) {
                        self.drift.push(format!("changed  {}", old.key));
                    }
                    self.keep(old, there, state, etags);
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

    /// Keeps all that goes before others can come: also assets, which otherwise stay for open tabs.
    fn keep_obstacles(
        &mut self,
        manifest: &mut ReleaseManifest,
        state: &State,
        present: &HashMap<String, Present>,
    ) {
        let obstacles = self.obstacles.keys();
        let mut known: BTreeSet<&str> = self.keeps.iter().map(|keep| keep.sha256.as_str()).collect();
        known.extend(state.kept.iter().map(String::as_str));
        let lost = obstacles.iter().filter_map(|key| Some((key, present.get(*key)?.sha256.as_deref()?)));
        let lost: Vec<Keep> = lost
            .filter(|(_, sha256)| known.insert(sha256))
            .map(|(key, sha256)| Keep { key: (*key).to_owned(), sha256: sha256.to_owned(), certain: true })
            .collect();
        manifest.retained.retain(|old| !obstacles.contains(old.key.as_str()));
        self.keeping.extend(lost.iter().map(|keep| keep.sha256.clone()));
        self.keeps.extend(lost);
    }

    fn keep(&mut self, old: &Object, there: &Present, state: &State, etags: &BTreeMap<String, Tagged>) {
        let certain = matches(there, old, etags);
        if certain != Some(false)
            && !state.kept.contains(&old.sha256)
            && self.keeping.insert(old.sha256.clone())
        {
            let certain = certain == Some(true);
            self.keeps.push(Keep { key: old.key.clone(), sha256: old.sha256.clone(), certain });
        }
    }

    /// Whether a content that is in place now is kept before it goes.
    pub(crate) fn will_keep(&self, sha256: &str) -> bool {
        self.keeping.contains(sha256)
    }

    /// Compressed forms that have no place in the release. A server would answer with them for the files that they
    /// stand beside, so they go before those change.
    pub(crate) fn stale(&self) -> impl Iterator<Item = &str> {
        let variants = self.manifest.retained.iter().filter(|old| old.role == ObjectRole::Variant);
        variants.map(|old| old.key.as_str())
    }

    /// What is deleted when all else is done: pages, and after them what they needed.
    pub(crate) fn ordered_deletes(&self) -> [Vec<String>; 2] {
        let pages = self.manifest.retained.iter().filter(|old| old.role == ObjectRole::Page);
        let pages: BTreeSet<&str> = pages.map(|old| old.key.as_str()).collect();
        let (pages, others) = self.deletes.iter().cloned().partition(|key| pages.contains(key.as_str()));
        [pages, others]
    }

    /// The release that is live when the plan is carried out: where there is nothing to do, the one that was.
    pub(crate) fn live_name(&self) -> &str {
        match &self.previous {
            Some(previous) if self.nothing => previous,
            _ => &self.manifest.release,
        }
    }

    /// How many objects have this change.
    pub fn count(&self, change: Change) -> usize {
        self.changes.iter().filter(|found| **found == change).count()
    }

    /// The objects that are written, with what happens to them.
    pub fn writes(&self) -> impl Iterator<Item = (&Object, Change)> {
        let all = self.manifest.objects.iter().zip(self.changes.iter().copied());
        all.filter(|(_, change)| *change != Change::Same)
    }

    /// How many bytes are sent.
    pub fn bytes(&self) -> u64 {
        self.writes().map(|(object, _)| object.size).sum()
    }

    /// Stops a plan that does what nobody asked for.
    ///
    /// # Errors
    /// [`Exit::Guard`], with the option that lets it pass.
    pub(crate) fn guard(&self, limits: &PlanLimits) -> Result<(), Failure> {
        let stop = |message: &str, names: &[String], help: &str| {
            Err(Failure::new(Exit::Guard, message).names(names.iter().cloned()).help(help))
        };
        if self.manifest.objects.is_empty() {
            return stop("the release is empty", &[], "build the export, check it, and publish again");
        }
        if !self.mutated.is_empty() {
            let help = "their Cache-Control says `immutable`, so browsers would keep the old content; \
                        give them a new name, or another Cache-Control under [[headers]]";
            return stop("files that browsers keep for a year change their content", &self.mutated, help);
        }
        if !self.obstacles.foreign.is_empty() {
            let message = "these stand where the release has a folder, or in a folder where it has a file, and no \
                           publish of sitegate wrote them";
            let help = "move them away, or choose another target";
            return stop(message, &self.obstacles.foreign, help);
        }
        if !self.foreign.is_empty() && !limits.adopt {
            let message = "these would be replaced, and no publish of sitegate wrote them";
            return stop(message, &self.foreign, "choose another target, or say --adopt to replace them");
        }
        if !self.drift.is_empty() && !limits.overwrite_drift {
            let help =
                "someone changed the target by hand; say --overwrite-drift to put the release in place";
            return stop("the target is not as the last publish left it", &self.drift, help);
        }
        if !self.gone.is_empty() && !limits.allow_gone {
            let help = "addresses that worked would answer 404; name their new ones under [[redirects]] \
                        in sitegate.toml, or say --allow-gone";
            return stop("pages of the live release are gone", &self.gone, help);
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
            return stop(&message, &deletes, "is this the right folder? if so, say --max-deletes N");
        }
        Ok(())
    }
}

fn change(
    object: &Object,
    there: Option<&Present>,
    old: Option<&Object>,
    earlier: &[&ReleaseManifest],
    settled: bool,
    etags: &BTreeMap<String, Tagged>,
) -> Change {
    let Some(there) = there else { return Change::New };
    let content = matches(there, object, etags);
    let is_folder = there.sha256.is_some();
    let same_headers = is_folder || {
        let mut known = earlier.iter().filter_map(|manifest| manifest.find(&object.key)).peekable();
        known.peek().is_some() && known.all(|found| found.headers == object.headers)
    };
    let trusted = settled && old.is_some_and(|old| old.sha256 == object.sha256);
    let same_content = content == Some(true) || content.is_none() && trusted;
    match (same_content, same_headers) {
        (true, true) => Change::Same,
        (true, false) => Change::Headers,
        (false, _) => Change::Content,
    }
}
