//! Determines the files that browsers load together with pages, and their sizes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use super::links::Links;
use super::needs::SizeNeeds;
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
    /// Adds the references of one file.
    pub(super) fn add(&mut self, file: FileId, facts: &Facts, links: &Links) {
        let loaded = links.with_targets(facts).filter(|(reference, _)| reference.kind.is_loaded());
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

    /// Adds a file that a script loads together with itself.
    pub(super) fn add_load(&mut self, file: FileId, target: FileId) {
        if target != file {
            self.by_file.entry(file).or_default().push(target);
        }
    }

    /// Removes the loads of a file.
    pub(super) fn forget(&mut self, file: FileId) {
        self.by_file.remove(&file);
    }

    pub(super) fn merge(&mut self, other: Loads) {
        self.by_file.extend(other.by_file);
    }

    /// Returns a page, the files it loads, and the files that its style sheets and scripts import.
    pub fn files_of_page(&self, page: FileId, site: &Site<'_>) -> Vec<FileId> {
        self.files_from(vec![page], site)
    }

    /// Returns a page, some files that it loads, and the files that they all load.
    pub fn files_from(&self, page_and_files: Vec<FileId>, site: &Site<'_>) -> Vec<FileId> {
        let mut all = page_and_files;
        let mut known: HashSet<FileId> = all.iter().copied().collect();
        let mut next = 0;
        while let Some(file) = all.get(next) {
            // Style sheets and scripts load further files; an embedded page counts as a separate page.
            let loads_more = next == 0 || site.format(*file) != Format::Html;
            let loads = if loads_more { self.by_file.get(file) } else { None };
            for target in loads.into_iter().flatten() {
                if known.insert(*target) {
                    all.push(*target);
                }
            }
            next += 1;
        }
        all
    }
}

/// The size of a file, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSize {
    /// Size as stored.
    pub raw: usize,
    /// Size with gzip at its default level; 0 if not needed.
    pub gzip: usize,
}

/// Measures the files that rules need, including those that pages load. Also returns errors of files that cannot be
/// read.
pub(crate) fn measure(
    site: &Site<'_>,
    loads: &Loads,
    needs: &SizeNeeds,
) -> (HashMap<FileId, FileSize>, Vec<String>) {
    let tree = site.tree;
    // Each with whether gzip is measured: that takes a hundred times as long.
    let own = tree.ids().filter(|&file| needs.files.has_file(tree.path(file)));
    let mut files: BTreeMap<FileId, bool> =
        own.map(|file| (file, needs.gzip_files.has_file(tree.path(file)))).collect();
    for page in site.pages().filter(|&page| needs.pages.has_file(tree.path(page))) {
        let gzip = needs.gzip_pages.has_file(tree.path(page));
        loads.files_of_page(page, site).into_iter().for_each(|file| *files.entry(file).or_default() |= gzip);
    }
    let sizes: Vec<(FileId, io::Result<FileSize>)> =
        files.into_par_iter().map(|(file, gzip)| (file, file_size(&tree.disk_path(file), gzip))).collect();
    let mut by_file = HashMap::with_capacity(sizes.len());
    let mut unreadable = Vec::new();
    for (file, file_size) in sizes {
        match file_size {
            Ok(file_size) => drop(by_file.insert(file, file_size)),
            Err(error) => unreadable.push(format!("{}: {error}", tree.display(file))),
        }
    }
    (by_file, unreadable)
}

fn file_size(path: &Path, gzip: bool) -> io::Result<FileSize> {
    if !gzip {
        let length = File::open(path)?.metadata()?.len();
        return Ok(FileSize { raw: usize::try_from(length).unwrap_or(usize::MAX), gzip: 0 });
    }
    let mut encoder = GzEncoder::new(Counter::default(), Compression::default());
    let raw = io::copy(&mut File::open(path)?, &mut encoder)?;
    Ok(FileSize { raw: usize::try_from(raw).unwrap_or(usize::MAX), gzip: encoder.finish()?.bytes })
}

/// Counts the bytes written to it.
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
