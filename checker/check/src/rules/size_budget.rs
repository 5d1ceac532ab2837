//! `size-budget`: a file, or a page with all that it loads, that is larger than the contract allows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::rule::{Keeps, Registered, Rule, build_from};
use super::wording::list;
use crate::contract::pattern::Paths;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::FileView;
use crate::index::Index;
use crate::parse::Format;
use crate::walk::FileId;
use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;
use serde::Deserialize;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "size-budget",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a file, or a page with all it loads, is larger than its budget",
    why: "Weight grows by a little each release; a budget says when it is too much. `budgets` maps \
          patterns of files to bytes, as one number or as `raw` and `gzip`: what is stored, and what \
          is sent. `pages` does so for pages together with the scripts, styles, pictures and other files \
          of this site that their HTML loads at once, and the style sheets that those import; of \
          alternatives, as in srcset, only `src` counts. Every budget that matches counts. Without \
          budgets the rule finds nothing.",
    bad: "[rules.size-budget]\nbudgets = { \"/**/*.js\" = { gzip = 50_000 } }\npages = { \"/**\" = { gzip = 200_000 } }\n(assets/app.js is 61,204 bytes by gzip)",
    good: "assets/app.js is 48,310 bytes by gzip",
};

pub(super) static RULE: Registered = Registered { info: &INFO, build: build_from::<SizeBudget> };

/// The budgets, by patterns of paths.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SizeBudget {
    budgets: BTreeMap<String, Budget>,
    pages: BTreeMap<String, Budget>,
    #[serde(skip)]
    for_files: Vec<(Paths, Limits)>,
    #[serde(skip)]
    for_pages: Vec<(Paths, Limits)>,
    #[serde(skip)]
    files: Paths,
}

/// Bytes.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "a number of bytes, or { raw = …, gzip = … }")]
enum Budget {
    Raw(usize),
    Both(Limits),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    raw: Option<usize>,
    gzip: Option<usize>,
}

/// Files that a finding about a page names.
const NAMED: usize = 3;

impl Rule for SizeBudget {
    fn load(&mut self, _folder: &dyn Fn(&str) -> PathBuf) -> Result<(), String> {
        self.files = Paths::new(self.budgets.keys().map(String::as_str))?;
        self.for_files = compiled(&self.budgets)?;
        self.for_pages = compiled(&self.pages)?;
        Ok(())
    }

    fn keeps(&self) -> Keeps {
        Keeps { loads: !self.pages.is_empty(), ..Keeps::default() }
    }

    fn files(&self) -> Option<&Paths> {
        (!self.budgets.is_empty()).then_some(&self.files)
    }

    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<Diagnostic>) {
        let path = view.site.tree.path(view.file);
        let mut gzipped = None;
        let mut report = |size: usize, limit: usize, by: &str| {
            if size > limit {
                let message = format!("{} bytes{by}, and the budget is {}", grouped(size), grouped(limit));
                found.push(Diagnostic::new(&INFO, Location::in_file(view.file, 0..0), message));
            }
        };
        for (_, limits) in self.for_files.iter().filter(|(paths, _)| paths.contain(path)) {
            if let Some(raw) = limits.raw {
                report(view.content.len(), raw, "");
            }
            if let Some(gzip) = limits.gzip {
                report(*gzipped.get_or_insert_with(|| gzip_size(view.content)), gzip, " by gzip");
            }
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        let tree = &index.site.tree;
        let with_budget: Vec<(FileId, Vec<FileId>)> = index
            .site
            .pages()
            .filter(|page| self.for_pages.iter().any(|(paths, _)| paths.contain(tree.path(*page))))
            .map(|page| (page, loaded(index, page)))
            .collect();
        let files: BTreeSet<FileId> = with_budget.iter().flat_map(|(_, files)| files).copied().collect();
        let by_gzip = self.for_pages.iter().any(|(_, limits)| limits.gzip.is_some());
        let sizes: HashMap<FileId, (usize, usize)> = files
            .into_par_iter()
            // A file that cannot be read was reported as such.
            .map(|file| (file, sizes(&tree.disk_path(file), by_gzip).unwrap_or_default()))
            .collect();
        for (page, files) in &with_budget {
            for (_, limits) in self.for_pages.iter().filter(|(paths, _)| paths.contain(tree.path(*page))) {
                let mut report = |limit: Option<usize>, by: &str, size: fn(&(usize, usize)) -> usize| {
                    let size = |file: &FileId| sizes.get(file).map_or(0, size);
                    let sum = files.iter().map(size).sum();
                    let Some(limit) = limit.filter(|limit| sum > *limit) else { return };
                    let mut largest = files.clone();
                    largest.sort_by_key(|file| (std::cmp::Reverse(size(file)), *file));
                    let names = largest
                        .iter()
                        .map(|file| format!("{} ({})", tree.display(*file), grouped(size(file))))
                        .collect::<Vec<_>>();
                    let message = format!(
                        "this page with all it loads is {} bytes{by}, and the budget is {}",
                        grouped(sum),
                        grouped(limit)
                    );
                    let diagnostic = Diagnostic::new(&INFO, Location::in_file(*page, 0..0), message);
                    let files = list(names.iter(), NAMED);
                    found.push(diagnostic.help(format!("of {} files, by size: {files}", largest.len())));
                };
                report(limits.raw, "", |(raw, _)| *raw);
                report(limits.gzip, " by gzip", |(_, gzip)| *gzip);
            }
        }
    }
}

fn compiled(budgets: &BTreeMap<String, Budget>) -> Result<Vec<(Paths, Limits)>, String> {
    let compile = |(pattern, budget): (&String, &Budget)| {
        let limits = match *budget {
            Budget::Raw(raw) => Limits { raw: Some(raw), gzip: None },
            Budget::Both(limits) => limits,
        };
        Ok((Paths::new([pattern.as_str()])?, limits))
    };
    budgets.iter().map(compile).collect()
}

/// A page, what it loads, and what its style sheets import.
fn loaded(index: &Index<'_>, page: FileId) -> Vec<FileId> {
    let mut all = vec![page];
    let mut next = 0;
    while let Some(file) = all.get(next) {
        // Only style sheets load on; a page that a page embeds is a page of its own.
        let further = index.loads.get(file).filter(|_| next == 0 || index.site.format(*file) != Format::Html);
        for file in further.into_iter().flatten() {
            if !all.contains(file) {
                all.push(*file);
            }
        }
        next += 1;
    }
    all
}

/// A file's length, and what a host would send of it.
fn sizes(path: &std::path::Path, by_gzip: bool) -> std::io::Result<(usize, usize)> {
    if !by_gzip {
        return Ok((usize::try_from(fs::metadata(path)?.len()).unwrap_or(usize::MAX), 0));
    }
    let content = fs::read(path)?;
    Ok((content.len(), gzip_size(&content).min(content.len())))
}

/// The length of what a host would send, at the usual strength.
fn gzip_size(content: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail; were it to, the file would count as it is stored.
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.map_or(content.len(), |bytes| bytes.len())
}

/// A number with a comma between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
