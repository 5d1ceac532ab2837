//! What browsers load together with pages, and what that weighs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use super::links::Links;
use super::needs::Weighed;
use super::site::Site;
use crate::parse::{Facts, Format};
use crate::resolve::Target;
use crate::walk::FileId;

/// The files that each page, style sheet and script makes a browser load.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    by_file: BTreeMap<FileId, Vec<FileId>>,
}

impl Loads {
    /// Takes in the references of one file.
    pub(super) fn add(&mut self, file: FileId, facts: &Facts, links: &Links) {
        let loaded = links.of(facts).filter(|(reference, _)| reference.kind.is_loaded());
        let mut files: Vec<FileId> = loaded
            .filter_map(|(_, target)| match target {
                Target::File { file: target, .. } if target != file => Some(target),
                _ => None,
            })
            .collect();
        files.sort_unstable();
        files.dedup();
        if !files.is_empty() {
            self.by_file.insert(file, files);
        }
    }

    /// Takes in what a script loads together with itself.
    pub(super) fn add_load(&mut self, file: FileId, target: FileId) {
        if target != file {
            self.by_file.entry(file).or_default().push(target);
        }
    }

    /// Forgets what a file loads.
    pub(super) fn forget(&mut self, file: FileId) {
        self.by_file.remove(&file);
    }

    pub(super) fn merge(&mut self, other: Loads) {
        self.by_file.extend(other.by_file);
    }

    /// A page, what it loads, and what its style sheets and scripts import.
    pub fn with_page(&self, page: FileId, site: &Site<'_>) -> Vec<FileId> {
        let mut all = vec![page];
        let mut known = HashSet::from([page]);
        let mut next = 0;
        while let Some(file) = all.get(next) {
            // Style sheets and scripts load on; a page that a page embeds is a page of its own.
            let further = self.by_file.get(file).filter(|_| next == 0 || site.format(*file) != Format::Html);
            for file in further.into_iter().flatten() {
                if known.insert(*file) {
                    all.push(*file);
                }
            }
            next += 1;
        }
        all
    }
}

/// What a file weighs, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weight {
    /// As it is stored.
    pub raw: usize,
    /// By gzip at its usual strength; 0 where that was not asked for.
    pub gzip: usize,
}

/// Weighs the files that are asked for, and those that the pages load that are asked for. Gives what cannot be read.
pub(crate) fn weigh(
    site: &Site<'_>,
    loads: &Loads,
    weighed: &Weighed,
) -> (HashMap<FileId, Weight>, Vec<String>) {
    let tree = site.tree;
    // Each with whether it is weighed by gzip too: that takes a hundred times as long.
    let own = tree.ids().filter(|&file| weighed.files.contain(tree.path(file)));
    let mut files: BTreeMap<FileId, bool> =
        own.map(|file| (file, weighed.gzip_files.contain(tree.path(file)))).collect();
    for page in site.pages().filter(|&page| weighed.pages.contain(tree.path(page))) {
        let gzip = weighed.gzip_pages.contain(tree.path(page));
        loads.with_page(page, site).into_iter().for_each(|file| *files.entry(file).or_default() |= gzip);
    }
    let weights: Vec<(FileId, io::Result<Weight>)> =
        files.into_par_iter().map(|(file, gzip)| (file, weight(&tree.disk_path(file), gzip))).collect();
    let mut found = HashMap::with_capacity(weights.len());
    let mut unreadable = Vec::new();
    for (file, weight) in weights {
        match weight {
            Ok(weight) => drop(found.insert(file, weight)),
            Err(error) => unreadable.push(format!("{}: {error}", tree.display(file))),
        }
    }
    (found, unreadable)
}

fn weight(path: &Path, gzip: bool) -> io::Result<Weight> {
    if !gzip {
        let length = File::open(path)?.metadata()?.len();
        return Ok(Weight { raw: usize::try_from(length).unwrap_or(usize::MAX), gzip: 0 });
    }
    let mut encoder = GzEncoder::new(Counter::default(), Compression::default());
    let raw = io::copy(&mut File::open(path)?, &mut encoder)?;
    Ok(Weight { raw: usize::try_from(raw).unwrap_or(usize::MAX), gzip: encoder.finish()?.bytes })
}

/// Counts what is written to it.
#[derive(Default)]
struct Counter {
    bytes: usize,
}

impl Write for Counter {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        self.bytes += written.len();
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
