//! Reads the part of an export that its deployment is inferred from: the beginnings of some pages and of files at the
//! root.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;

use rayon::prelude::*;

use crate::parse::{self, Facts, Format, Page};
use crate::walk::{FileId, Tree};
use sitegate_address::INDEX;
use sitegate_host::answer::NOT_FOUND;

/// Maximum number of pages to read, spread evenly over the sorted paths, besides the home page and the not-found page.
const PAGES: usize = 64;

/// Maximum number of XML files at the root to read: sitemaps and feeds.
const DOCUMENTS: usize = 8;

/// Maximum number of bytes to read of each file.
const BYTES: u64 = 256 << 10;

/// File that names the site's domain for the host.
const CNAME: &[u8] = b"CNAME";

/// The facts of the sampled files.
pub(super) struct Sample {
    /// Pages, in the order of paths.
    pub pages: Vec<(FileId, Facts)>,
    /// `robots.txt`, and XML files at the root, in the order of paths.
    pub documents: Vec<(FileId, Facts)>,
    /// The domain in `CNAME`.
    pub cname: Option<String>,
}

impl Sample {
    /// Reads the sample of an export.
    pub fn read(tree: &Tree) -> Sample {
        let facts = |&file: &FileId| Some((file, facts(tree, file)?));
        let cname = tree.find(CNAME).and_then(|file| beginning(tree, file).ok());
        Sample {
            pages: pages(tree, tree.ids()).par_iter().filter_map(facts).collect(),
            documents: documents(tree).par_iter().filter_map(facts).collect(),
            cname: cname.and_then(|bytes| domain(&bytes)),
        }
    }

    /// Reads a sample of the pages below a folder.
    pub fn below(tree: &Tree, folder: &[u8]) -> Sample {
        let pages = pages(tree, tree.below(folder));
        let pages = pages.par_iter().filter_map(|&file| Some((file, facts(tree, file)?))).collect();
        Sample { pages, documents: Vec::new(), cname: None }
    }

    /// Returns the files of the sample.
    pub fn files(tree: &Tree) -> Vec<FileId> {
        pages(tree, tree.ids()).into_iter().chain(documents(tree)).chain(tree.find(CNAME)).collect()
    }
}

/// Returns the pages of a sample of some files, in the order of paths.
fn pages(tree: &Tree, files: Range<FileId>) -> Vec<FileId> {
    let all = files.clone();
    let pages: Vec<FileId> = all.filter(|&id| Format::of(tree.path(id)) == Format::Html).collect();
    let mut chosen: Vec<FileId> = match pages.len() {
        0..=PAGES => pages,
        count => (0..PAGES).map(|at| pages[at * (count - 1) / (PAGES - 1)]).collect(),
    };
    let named = [INDEX, NOT_FOUND].iter().filter_map(|name| tree.find(name.as_bytes()));
    chosen.extend(named.filter(|file| files.contains(file)));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Returns the other files of the sample, in the order of paths.
fn documents(tree: &Tree) -> Vec<FileId> {
    tree.ids()
        .filter(|&id| !tree.path(id).contains(&b'/'))
        .filter(|&id| matches!(Format::of(tree.path(id)), Format::Xml | Format::Robots))
        .take(DOCUMENTS)
        .collect()
}

/// Parses the beginning of a file. Returns `None` if it cannot be read.
fn facts(tree: &Tree, file: FileId) -> Option<Facts> {
    let mut page = Page::of_file(tree.path(file), beginning(tree, file).ok()?);
    match Format::of(tree.path(file)) {
        Format::Html => parse::parse_html(&mut page, &[]).ok()?,
        Format::Robots => parse::parse_robots(&mut page),
        // The text may end before its elements do: facts up to there count.
        _ => parse::parse_xml(&mut page).unwrap_or(()),
    }
    Some(page.facts)
}

fn beginning(tree: &Tree, file: FileId) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(tree.disk_path(file))?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the domain of a `CNAME` file, if it has exactly one.
fn domain(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let is_domain = text.contains('.')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    is_domain.then(|| text.to_ascii_lowercase())
}
