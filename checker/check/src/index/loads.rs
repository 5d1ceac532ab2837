//! Determines the files that browsers load together with pages, and measures the files that rules need.
//!
//! Compression takes a hundred times as long as a look at the length. So a file is compressed only if it may be over a
//! limit: its length is, or the sum of the files of a page.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;
use sitegate_address::PathPatterns;

use super::needs::{SizeLimits, SizeNeeds, limits_for};
use super::site::Site;
use super::view::Links;
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
    /// Size with gzip at its default level; `None` if no limit depends on it.
    pub gzip: Option<usize>,
}

impl FileSize {
    /// Returns the number of bytes that hosts send: compressed formats as they are. Without a measured size with gzip,
    /// they send no more than this.
    pub fn sent(&self) -> usize {
        self.gzip.map_or(self.raw, |gzip| gzip.min(self.raw))
    }
}

/// The sizes of files, while they are measured.
struct Measurement<'s> {
    site: &'s Site<'s>,
    sizes: BTreeMap<FileId, FileSize>,
    unreadable: Vec<String>,
}

/// Measures the files that rules need, including those that pages load. Also returns errors of files that cannot be
/// read.
pub(crate) fn measure(
    site: &Site<'_>,
    loads: &Loads,
    needs: &SizeNeeds,
) -> (BTreeMap<FileId, FileSize>, Vec<String>) {
    let limited = |budgets: &[(PathPatterns, SizeLimits)], file: FileId| {
        let mut limits = limits_for(budgets, file, site).peekable();
        limits.peek()?;
        Some(limits.filter_map(|budget| budget.gzip).min())
    };
    let own: BTreeMap<FileId, Option<usize>> =
        site.tree.ids().filter_map(|file| Some((file, limited(&needs.files, file)?))).collect();
    let pages = site.pages().filter_map(|page| Some((page, limited(&needs.pages, page)?)));
    let pages: Vec<(Vec<FileId>, Option<usize>)> =
        pages.map(|(page, limit)| (loads.files_of_page(page, site), limit)).collect();
    let loaded = pages.iter().flat_map(|(files, _)| files);
    let mut measurement = Measurement { site, sizes: BTreeMap::new(), unreadable: Vec::new() };
    measurement.add_raw(own.keys().chain(loaded).copied().collect());
    let may_exceed = |file: FileId, limit: usize, sizes: &BTreeMap<FileId, FileSize>| {
        sizes.get(&file).is_some_and(|size| gzip_bound(size.raw) > limit)
    };
    let large = own.iter().filter_map(|(file, limit)| Some((*file, (*limit)?)));
    let large = large.filter(|(file, limit)| may_exceed(*file, *limit, &measurement.sizes));
    measurement.compress(large.map(|(file, _)| file).collect());
    let with_limit = pages.into_iter().filter_map(|(files, limit)| Some((files, limit?)));
    measurement.compress_pages(with_limit.collect());
    (measurement.sizes, measurement.unreadable)
}

impl Measurement<'_> {
    /// Adds the lengths of files.
    fn add_raw(&mut self, files: BTreeSet<FileId>) {
        let raw = |path: &Path| Ok(FileSize { raw: length(path)?, gzip: None });
        self.add(files, raw);
    }

    /// Adds the sizes of files with gzip.
    fn compress(&mut self, files: BTreeSet<FileId>) {
        self.add(files, compressed_size);
    }

    fn add(&mut self, files: BTreeSet<FileId>, size: impl Fn(&Path) -> io::Result<FileSize> + Sync) {
        let tree = self.site.tree;
        let sizes: Vec<(FileId, io::Result<FileSize>)> =
            files.into_par_iter().map(|file| (file, size(&tree.disk_path(file)))).collect();
        for (file, measured) in sizes {
            match measured {
                Ok(measured) => drop(self.sizes.insert(file, measured)),
                Err(error) => {
                    self.sizes.remove(&file);
                    self.unreadable.push(format!("{}: {error}", tree.display(file)));
                }
            }
        }
    }

    /// Adds the sizes with gzip of the files of pages, until the pages are within their limits for certain: large texts
    /// first. Each round takes twice as many, so that few rounds measure all files of a page that is too large.
    fn compress_pages(&mut self, mut pages: Vec<(Vec<FileId>, usize)>) {
        let text_first = |file: &FileId| {
            let is_text = self.site.format(*file) != Format::Other;
            (!is_text, std::cmp::Reverse(self.sizes.get(file).map_or(0, |size| size.raw)), *file)
        };
        for (files, _) in &mut pages {
            files.sort_by_key(text_first);
        }
        let mut round = 1;
        loop {
            pages.retain(|(files, limit)| {
                files.iter().filter_map(|file| self.sizes.get(file)).map(FileSize::sent).sum::<usize>()
                    > *limit
            });
            let is_open = |file: &&FileId| self.sizes.get(file).is_some_and(|size| size.gzip.is_none());
            let next: BTreeSet<FileId> = pages
                .iter()
                .flat_map(|(files, _)| files.iter().filter(is_open).take(round).copied())
                .collect();
            if next.is_empty() {
                return;
            }
            self.compress(next);
            round *= 2;
        }
    }
}

/// Returns the greatest size that gzip makes of a number of bytes. Blocks that cannot be compressed are stored, with
/// few bytes before each.
fn gzip_bound(raw: usize) -> usize {
    raw.saturating_add(raw / 10 + 128)
}

fn length(path: &Path) -> io::Result<usize> {
    Ok(usize::try_from(File::open(path)?.metadata()?.len()).unwrap_or(usize::MAX))
}

fn compressed_size(path: &Path) -> io::Result<FileSize> {
    let mut encoder = GzEncoder::new(Counter::default(), Compression::default());
    let raw = io::copy(&mut File::open(path)?, &mut encoder)?;
    Ok(FileSize { raw: usize::try_from(raw).unwrap_or(usize::MAX), gzip: Some(encoder.finish()?.bytes) })
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::{compressed_size, gzip_bound};

    #[test]
    fn no_file_is_over_the_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noise");
        for length in [0, 1, 100, 31_000, 200_000] {
            // xorshift: bytes that no compression shortens.
            let mut state = 0x2545_F491_4F6C_DD1D_u64;
            let noise = (0..length).map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.to_le_bytes()[3]
            });
            fs::write(&path, noise.collect::<Vec<u8>>()).unwrap();
            let compressed = compressed_size(&path).unwrap().gzip.unwrap();
            assert!((length..=gzip_bound(length)).contains(&compressed), "{length} {compressed}");
        }
    }
}
