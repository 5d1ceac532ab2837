//! Judges what visitors get, after every write to a store. It shares no code with the program.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::site::{Expected, Pages};

/// Prefix of the target state, which visitors do not get.
pub const STATE: &str = ".sitegate/";

/// Objects at other keys than those of the live version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    None,
    /// Assets and scripts of earlier versions, for open tabs.
    Assets,
    /// Files of a version whose manifest was lost.
    Any,
}

/// The objects that may be at the keys of a target, and those that are there.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// The objects of all versions that were ever published here, by key.
    allowed: Arc<HashMap<String, Vec<Arc<Expected>>>>,
    /// The versions that runs are publishing.
    active: Vec<Arc<Pages>>,
    /// Objects that others wrote.
    foreign: BTreeMap<String, Bytes>,
    /// The objects that visitors get now.
    there: Arc<BTreeMap<String, Arc<Expected>>>,
    /// Keys that are missing for a moment while a file replaces a folder, or a folder a file.
    gaps: BTreeSet<String>,
    is_folder: bool,
    /// Whether a kept content may be an edit by hand, until the run ends.
    pub may_keep_edits: bool,
    /// Whether files of a version remain whose manifest was lost. They may need what is deleted.
    pub has_remains: bool,
}

impl Judge {
    pub fn new(is_folder: bool, foreign: BTreeMap<String, Bytes>) -> Judge {
        Judge { foreign, is_folder, ..Judge::default() }
    }

    /// Allows the objects of a version that a run begins to publish.
    pub fn begin(&mut self, pages: &Arc<Pages>) {
        if self.active.iter().any(|active| Arc::ptr_eq(active, pages)) {
            return;
        }
        for (key, expected) in pages.iter() {
            let there = Arc::make_mut(&mut self.allowed).entry(key.clone()).or_default();
            if !there.contains(expected) {
                there.push(Arc::clone(expected));
            }
        }
        if self.is_folder {
            let keys: BTreeSet<&String> = self.allowed.keys().collect();
            for key in &keys {
                let folder = format!("{key}/");
                let below: Vec<_> = keys.iter().filter(|other| other.starts_with(&folder)).collect();
                if !below.is_empty() {
                    self.gaps.extend(below.into_iter().chain([key]).map(|&key| key.clone()));
                }
            }
        }
        self.active.push(Arc::clone(pages));
    }

    /// Judges a write.
    ///
    /// # Errors
    /// If a visitor gets something that is of no version, or a page before what it needs.
    pub fn write(
        &mut self,
        key: &str,
        body: &Bytes,
        headers: &BTreeMap<String, String>,
    ) -> Result<(), String> {
        if let Some(name) = key.strip_prefix(STATE) {
            return match name.strip_prefix("kept/") {
                Some(digest) if digest != sha256(body) && !self.may_keep_edits => {
                    Err(format!("{key} does not have the content of its name"))
                }
                _ => Ok(()),
            };
        }
        if self.foreign.contains_key(key) {
            return Err(format!("{key}, which others wrote, was replaced"));
        }
        let expected = self.allowed_object(key, body, headers)?;
        Arc::make_mut(&mut self.there).insert(key.to_owned(), Arc::clone(&expected));
        // Everything that a page needs is of its own version when it is switched, and so is all that it links to.
        let mut missing = String::new();
        for pages in self.active.iter().filter(|pages| pages.get(key).is_some_and(|page| page.body == *body))
        {
            let needed = expected.loads.iter().chain(&expected.links);
            // A page in a folder that replaces a file comes after the files of that folder.
            let is_gap = |other: &str| self.gaps.contains(other) && !self.gaps.contains(key);
            let late = needed.filter(|needed| !is_gap(needed)).find(|needed| {
                let (there, wanted) = (self.there.get(*needed), pages.get(*needed));
                there.map(|there| &there.body) != wanted.map(|wanted| &wanted.body)
            });
            match late {
                None => return Ok(()),
                Some(late) => missing.clone_from(late),
            }
        }
        Err(format!("{key} is live before {missing}, which it needs"))
    }

    fn allowed_object(
        &self,
        key: &str,
        body: &Bytes,
        headers: &BTreeMap<String, String>,
    ) -> Result<Arc<Expected>, String> {
        let Some(allowed) = self.allowed.get(key) else { return Err(format!("{key} is of no version")) };
        let same_body = || allowed.iter().filter(|expected| expected.body == *body);
        if let Some(found) = same_body().find(|expected| expected.headers == *headers) {
            return Ok(Arc::clone(found));
        }
        if same_body().next().is_some() {
            return Err(format!("{key} has the headers {headers:?}, which are of no version"));
        }
        let start = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        Err(format!("{key} has a content that no version has there: {start:?}"))
    }

    /// Judges a deletion.
    ///
    /// # Errors
    /// If a page needs the object, or others wrote it.
    pub fn delete(&mut self, key: &str) -> Result<(), String> {
        if key.starts_with(STATE) {
            return Ok(());
        }
        if self.foreign.contains_key(key) {
            return Err(format!("{key}, which others wrote, was deleted"));
        }
        if Arc::make_mut(&mut self.there).remove(key).is_some()
            && !self.gaps.contains(key)
            && !self.has_remains
        {
            let needs = |page: &Expected| page.loads.iter().chain(&page.links).any(|needed| needed == key);
            if let Some((page, _)) = self.there.iter().find(|(_, page)| needs(page)) {
                return Err(format!("{key} was deleted, and {page} needs it"));
            }
        }
        Ok(())
    }

    /// Judges the whole target again, after changes that it did not see.
    ///
    /// # Errors
    /// As [`Judge::write`], except that versions may be mixed.
    pub fn look(&mut self, objects: &[(&String, &Bytes, &BTreeMap<String, String>)]) -> Result<(), String> {
        let mut there = BTreeMap::new();
        for (key, body, headers) in objects {
            match self.foreign.get(*key) {
                Some(foreign) if foreign == *body => {}
                Some(_) => return Err(format!("{key}, which others wrote, was changed")),
                None if key.starts_with(STATE) => {}
                None => drop(there.insert((*key).clone(), self.allowed_object(key, body, headers)?)),
            }
        }
        self.there = Arc::new(there);
        for (key, page) in self.there.iter().filter(|_| !self.has_remains) {
            let mut needed = page.loads.iter().filter(|needed| !self.gaps.contains(*needed));
            if let Some(missing) = needed.find(|needed| !self.there.contains_key(*needed)) {
                return Err(format!("{key} needs {missing}, which is not there"));
            }
        }
        Ok(())
    }

    /// Judges a target whose run reported success: the version is live, and nothing else is left over.
    ///
    /// # Errors
    /// If an object is missing, differs, or is left over.
    pub fn is_live(&self, pages: &Pages, extra: Extra) -> Result<(), String> {
        for (key, expected) in pages {
            match self.there.get(key) {
                // Only the record of a run has its headers, and a listing has none.
                Some(there)
                    if there.body == expected.body
                        && (there.headers == expected.headers || self.has_remains) => {}
                Some(_) => return Err(format!("{key} differs although the version is live")),
                None => return Err(format!("{key} is missing although the version is live")),
            }
        }
        let is_kept = |key: &str| match extra {
            Extra::None => false,
            Extra::Assets => key.starts_with("assets/") || key.starts_with("lib/"),
            Extra::Any => true,
        };
        match self.there.keys().find(|key| !pages.contains_key(*key) && !is_kept(key)) {
            Some(key) => Err(format!("{key} is left over although another version is live")),
            None => Ok(()),
        }
    }

    /// Judges that open tabs of an earlier version find its assets.
    ///
    /// # Errors
    /// If one is missing.
    pub fn has_assets(&self, pages: &Pages) -> Result<(), String> {
        let mut assets = pages.keys().filter(|key| key.starts_with("assets/"));
        match assets.find(|key| !self.there.contains_key(*key)) {
            Some(key) => Err(format!("{key} is missing for open tabs of the version before")),
            None => Ok(()),
        }
    }

    /// Returns the objects that visitors get now.
    pub fn there(&self) -> &Arc<BTreeMap<String, Arc<Expected>>> {
        &self.there
    }

    /// Judges that visitors get the same as before, besides new assets that no page loads yet.
    ///
    /// # Errors
    /// If an object is missing, new or differs.
    pub fn is_unchanged(&self, before: &BTreeMap<String, Arc<Expected>>) -> Result<(), String> {
        for (key, there) in before {
            if self.there.get(key) != Some(there) {
                return Err(format!("{key} was changed, although the run says that nothing was"));
            }
        }
        let mut new =
            self.there.keys().filter(|key| !before.contains_key(*key) && !key.starts_with("assets/"));
        new.next()
            .map_or(Ok(()), |key| Err(format!("{key} is new, although the run says that nothing changed")))
    }
}

pub fn sha256(body: &[u8]) -> String {
    hex(&Sha256::digest(body))
}

pub fn hex(digest: &[u8]) -> String {
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])).collect()
}
