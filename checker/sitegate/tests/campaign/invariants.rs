//! Checks the invariants of a target against the published releases, without code of the program.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::release::{Expected, Release, assets_of, has_headers};
use crate::s3::server::Objects;
use crate::s3::signature::hex;

/// Prefix of the target state.
pub const STATE_PREFIX: &str = ".sitegate/";

/// All content that may ever be at the keys of a target.
#[derive(Debug, Default)]
pub struct AllowedContent {
    /// Content of the releases by key.
    contents: BTreeMap<String, Vec<Expected>>,
    /// Foreign objects, which must not change.
    pub foreign: Objects,
    in_bucket: bool,
}

impl AllowedContent {
    pub fn new(in_bucket: bool) -> AllowedContent {
        AllowedContent { in_bucket, ..AllowedContent::default() }
    }

    /// Allows the content of a release from now on.
    pub fn add(&mut self, release: &Release) {
        for (key, expected) in release.expected(self.in_bucket) {
            let there = self.contents.entry(key).or_default();
            if !there.contains(&expected) {
                there.push(expected);
            }
        }
    }

    /// Checks what must hold at every moment: foreign objects are unchanged, each key has the exact content of one of the
    /// releases, and each page has its assets.
    pub fn assert_sound(&self, objects: &Objects) -> Result<(), String> {
        self.assert_foreign_unchanged(objects)?;
        for (key, stored) in public_objects(objects) {
            self.is_allowed(key, &stored.body)?;
            for asset in assets_of(&stored.body) {
                if !objects.contains_key(&asset) {
                    return Err(format!("`{key}` needs `{asset}`, which is not there"));
                }
            }
        }
        Ok(())
    }

    /// Checks that a content is allowed at a key.
    pub fn is_allowed(&self, key: &str, body: &[u8]) -> Result<(), String> {
        if self.foreign.contains_key(key) || is_half_written(key) {
            return Ok(());
        }
        let Some(possible) = self.contents.get(key) else { return Err(format!("`{key}` is of no release")) };
        if possible.iter().any(|expected| expected.is(key, body)) {
            return Ok(());
        }
        let start = String::from_utf8_lossy(&body[..body.len().min(120)]).into_owned();
        Err(format!("`{key}` has a content that no release has there: {start:?}"))
    }

    fn assert_foreign_unchanged(&self, objects: &Objects) -> Result<(), String> {
        for (key, stored) in &self.foreign {
            match objects.get(key) {
                None => return Err(format!("`{key}`, which others put there, was deleted")),
                Some(there) if there.body != stored.body => {
                    return Err(format!("`{key}`, which others put there, was overwritten"));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Checks what must hold when a run reports a release as live: all its objects exist, with their headers. Assets of other
    /// releases may exist, too, unless `alone`.
    pub fn is_live(&self, objects: &Objects, release: &Release, alone: bool) -> Result<(), String> {
        let expected = release.expected(self.in_bucket);
        let name = &release.name;
        for (key, expected) in &expected {
            if self.foreign.contains_key(key) {
                continue;
            }
            let Some(there) = objects.get(key) else { return Err(format!("{name} is live without `{key}`")) };
            if !expected.is(key, &there.body) {
                return Err(format!("{name} is live, and `{key}` has another content"));
            }
            if !has_headers(there, expected) {
                return Err(format!("{name} is live, and `{key}` has the headers {:?}", there.headers));
            }
        }
        // Servers send compressed variants instead of their files, so outdated variants must not remain.
        let answers = |key: &str| {
            [".br", ".gz"]
                .iter()
                .any(|end| key.strip_suffix(end).is_some_and(|key| expected.contains_key(key)))
        };
        let mut left = public_objects(objects).map(|(key, _)| key).filter(|key| {
            !expected.contains_key(*key) && !self.foreign.contains_key(*key) && !key.starts_with("assets/")
        });
        match left.find(|key| alone || answers(key)) {
            Some(key) => Err(format!("{name} is live, and `{key}` is still there")),
            None => self.assert_sound(objects),
        }
    }
}

/// Returns the objects that visitors can request: all but the target state.
pub fn public_objects(objects: &Objects) -> impl Iterator<Item = (&String, &crate::s3::server::Stored)> {
    objects.iter().filter(|(key, _)| !key.starts_with(STATE_PREFIX))
}

/// Whether a key is of a temporary file, which a killed publisher leaves behind until the next run.
fn is_half_written(key: &str) -> bool {
    key.rsplit_once('#')
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Checks the target state when no run is active: kept contents match the digests in their names.
pub fn assert_kept_contents_match(objects: &Objects) -> Result<(), String> {
    for (key, stored) in objects {
        let Some(digest) = key.strip_prefix(STATE_PREFIX).and_then(|name| name.strip_prefix("kept/")) else {
            continue;
        };
        // Other names are foreign.
        if digest.len() == 64 && hex(&Sha256::digest(&stored.body)) != digest {
            return Err(format!("`{key}` does not hold the content of its name"));
        }
    }
    Ok(())
}

/// Returns all objects except compressed variants.
pub fn without_compressed_variants(objects: &Objects) -> Objects {
    let is_form = |key: &str| {
        let plain = [".br", ".gz"].iter().find_map(|ending| key.strip_suffix(ending));
        plain.is_some_and(|plain| objects.contains_key(plain))
    };
    objects
        .iter()
        .filter(|(key, _)| !is_form(key))
        .map(|(key, stored)| (key.clone(), stored.clone()))
        .collect()
}

/// Checks that visitors see the same as before. New assets that no page uses yet are allowed.
pub fn assert_unchanged(before: &Objects, after: &Objects) -> Result<(), String> {
    for (key, stored) in public_objects(before) {
        match after.get(key) {
            None => return Err(format!("`{key}` is gone")),
            Some(there) if there != stored => return Err(format!("`{key}` was changed")),
            Some(_) => {}
        }
    }
    match public_objects(after)
        .find(|(key, _)| !before.contains_key(*key) && !key.starts_with("assets/") && !is_half_written(key))
    {
        Some((key, _)) => Err(format!("`{key}` is new")),
        None => Ok(()),
    }
}
