//! `size-budget`: a file that is larger than the contract allows.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use super::{Category, FileView, Paths, Rule, RuleInfo, build_from};
use crate::diagnostic::{Diagnostic, Location, Severity};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "size-budget",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a file is larger than its budget",
    why: "Weight grows by a little each release; a budget says when it is too much. `budgets` maps \
          patterns of paths to bytes, as one number or as `raw` and `gzip`: what is stored, and what \
          is sent. Every budget that matches counts. Without budgets the rule finds nothing.",
    bad: "[rules.size-budget.budgets]\n\"/**/*.js\" = { gzip = 50_000 }\n(assets/app.js is 61,204 bytes by gzip)",
    good: "assets/app.js is 48,310 bytes by gzip",
    build: build_from::<SizeBudget>,
};

/// The budgets, by patterns of paths.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SizeBudget {
    budgets: BTreeMap<String, Budget>,
    #[serde(skip)]
    compiled: Vec<(Paths, Budget)>,
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

impl Rule for SizeBudget {
    fn load(&mut self, _folder: &Path) -> Result<(), String> {
        self.files = Paths::new(self.budgets.keys().map(String::as_str))?;
        for (pattern, budget) in &self.budgets {
            self.compiled.push((Paths::new([pattern.as_str()])?, *budget));
        }
        Ok(())
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
        for (_, budget) in self.compiled.iter().filter(|(paths, _)| paths.contain(path)) {
            let limits = match *budget {
                Budget::Raw(raw) => Limits { raw: Some(raw), gzip: None },
                Budget::Both(limits) => limits,
            };
            if let Some(raw) = limits.raw {
                report(view.content.len(), raw, "");
            }
            if let Some(gzip) = limits.gzip {
                report(*gzipped.get_or_insert_with(|| gzip_size(view.content)), gzip, " by gzip");
            }
        }
    }
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
