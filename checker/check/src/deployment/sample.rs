//! The part of an export that is looked at to learn where it lives: a few pages and files at its root, and of each the
//! beginning.

use std::fs::File;
use std::io::{self, Read};

use rayon::prelude::*;

use crate::parse::{self, Facts, Format, Page, Source};
use crate::resolve::answer::NOT_FOUND;
use crate::walk::{FileId, Tree};

/// Pages that are read, evenly spread over the sorted paths, beside the home page and the not-found page.
const PAGES: usize = 64;

/// XML files at the root that are read: sitemaps and feeds.
const DOCUMENTS: usize = 8;

/// Bytes that are read of each.
const BYTES: u64 = 256 << 10;

/// The file in which a platform is told the site's domain.
const CNAME: &[u8] = b"CNAME";

/// What was read.
pub(super) struct Sample {
    /// Pages, in the order of paths.
    pub pages: Vec<(FileId, Facts)>,
    /// `robots.txt`, and XML files at the root, in the order of paths.
    pub documents: Vec<(FileId, Facts)>,
    /// What `CNAME` says.
    pub cname: Option<String>,
}

impl Sample {
    /// Reads the sample of an export.
    pub fn read(tree: &Tree) -> Sample {
        let facts = |&file: &FileId| Some((file, facts(tree, file)?));
        let cname = tree.find(CNAME).and_then(|file| beginning(tree, file).ok());
        Sample {
            pages: pages(tree).par_iter().filter_map(facts).collect(),
            documents: documents(tree).par_iter().filter_map(facts).collect(),
            cname: cname.and_then(|bytes| domain(&bytes)),
        }
    }

    /// The files that would be read.
    pub fn files(tree: &Tree) -> Vec<FileId> {
        pages(tree).into_iter().chain(documents(tree)).chain(tree.find(CNAME)).collect()
    }
}

/// The pages that are read, in the order of paths.
fn pages(tree: &Tree) -> Vec<FileId> {
    let pages: Vec<FileId> = tree.ids().filter(|&id| Format::of(tree.path(id)) == Format::Html).collect();
    let mut chosen: Vec<FileId> = match pages.len() {
        0..=PAGES => pages,
        count => (0..PAGES).map(|at| pages[at * (count - 1) / (PAGES - 1)]).collect(),
    };
    chosen.extend(["index.html", NOT_FOUND].iter().filter_map(|name| tree.find(name.as_bytes())));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The other files that are read, in the order of paths.
fn documents(tree: &Tree) -> Vec<FileId> {
    tree.ids()
        .filter(|&id| !tree.path(id).contains(&b'/'))
        .filter(|&id| matches!(Format::of(tree.path(id)), Format::Xml | Format::Robots))
        .take(DOCUMENTS)
        .collect()
}

/// What the beginning of a file says, as far as it can be read.
fn facts(tree: &Tree, file: FileId) -> Option<Facts> {
    let mut page = Page::new(Source::decoded(beginning(tree, file).ok()?));
    match Format::of(tree.path(file)) {
        Format::Html => parse::parse_html(&mut page, &[]).ok()?,
        Format::Robots => parse::parse_robots(&mut page),
        // It may well end before its elements do: what stands before is kept.
        _ => parse::parse_xml(&mut page).unwrap_or(()),
    }
    Some(page.facts)
}

fn beginning(tree: &Tree, file: FileId) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(tree.disk_path(file))?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The one domain that a `CNAME` file names.
fn domain(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let is_domain = text.contains('.')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    is_domain.then(|| text.to_ascii_lowercase())
}
