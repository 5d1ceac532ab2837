//! `dropped-file`: files that the host leaves out, or an upload that exceeds its limits.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::Site;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_base::plural::{count, thousands};
use sitegate_host::Host;
use sitegate_host::upload::{DROPPED_NAMES, DroppedNames, UploadNames, upload_limits};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "dropped-file",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "the host does not publish a file, by its name, its size or the number of files",
    why: "The check passes, and the live site answers 404. GitHub Pages drops names with `_` or `~`, and \
          node_modules, from a branch without .nojekyll, and its upload action drops names with `.`, such as \
          .well-known; Cloudflare Pages drops folders node_modules and a folder `functions`; Netlify refuses names \
          with `#` or `?`, and drops those with `.`. Also reported: more files, larger files or a larger \
          site than the host accepts, by the limit of its smallest plan. Names with `.`, `_` or `~` are reported if \
          something refers to them, or if they are below .well-known. Needs `site.host`, or a host that is inferred.",
    bad: r#"sitegate.toml:
  [site]
  host = "github-pages"
index.html:
  <script src="/_app/start.js"></script>
_app/start.js:
  start()"#,
    good: r#"sitegate.toml:
  [site]
  host = "github-pages"
index.html:
  <script src="/_app/start.js"></script>
_app/start.js:
  start()
.nojekyll:
  "#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    let Some(host) = site.settings.host.filter(|_| site.live().is_none()) else { return };
    for row in DROPPED_NAMES.iter().filter(|row| row.host == host) {
        if row.unless.is_none_or(|name| site.tree.find(name.as_bytes()).is_none()) {
            report_names(index, row, found);
        }
    }
    report_limits(site, host, found);
}

/// Reports the names of a row, one finding for each part of a path that is dropped as a whole.
fn report_names(index: &Index<'_>, row: &DroppedNames, found: &mut Vec<RawFinding>) {
    let tree = index.site.tree;
    let mut dropped: BTreeMap<String, (FileId, usize, bool)> = BTreeMap::new();
    for file in tree.ids() {
        let path = tree.display(file);
        if row.except.is_some_and(|folder| path.starts_with(folder)) {
            continue;
        }
        let Some(part) = row.names.dropped_part(&path) else { continue };
        let is_missed = match row.names {
            UploadNames::BeginningWith(_) | UploadNames::UsedBelow(_) => {
                index.usage.has(file, Usage::USED) || path.starts_with(".well-known/")
            }
            UploadNames::Below(_) | UploadNames::With(_) => true,
        };
        let (_, files, missed) = dropped.entry(part.to_owned()).or_insert((file, 0, false));
        *files += 1;
        *missed |= is_missed;
    }
    for (part, (first, files, _)) in dropped.into_iter().filter(|(_, (.., is_missed))| *is_missed) {
        let files = if files == 1 { String::new() } else { format!(" ({})", count(files, "file")) };
        let message = format!("dropped file: `{}`{files}: {}", shorten(&part), row.reason);
        let finding = RawFinding::new(&INFO, first, message).cause(row.reason);
        found.push(finding.help(row.help));
    }
}

fn report_limits(site: &Site<'_>, host: Host, found: &mut Vec<RawFinding>) {
    let (limits, name) = (upload_limits(host), host.title());
    let mut report = |file: FileId, message: String| {
        found.push(RawFinding::new(&INFO, file, message));
    };
    let Some(first) = site.tree.home().or_else(|| site.tree.ids().next()) else { return };
    if let Some(most) = limits.files.filter(|most| site.tree.len() > *most) {
        let (files, most) = (thousands(site.tree.len()), thousands(most));
        report(first, format!("too many files: {files}, but {name} accepts {most} (on its smallest plan)"));
    }
    if limits.file_size.is_none() && limits.total_size.is_none() {
        return;
    }
    let sizes: Vec<u64> = site.tree.ids().into_par_iter().map(|file| site.stored_size(file)).collect();
    let total: u64 = sizes.iter().sum();
    for (file, size) in site.tree.ids().zip(sizes) {
        if let Some(most) = limits.file_size.filter(|most| size > *most) {
            report(
                file,
                format!("too large: {}, but {name} accepts files of {}", mebibytes(size), mebibytes(most)),
            );
        }
    }
    if let Some(most) = limits.total_size.filter(|most| total > *most) {
        let (total, most) = (mebibytes(total), mebibytes(most));
        report(
            first,
            format!("too large: the site has {total}, but {name} accepts {most} (on its smallest plan)"),
        );
    }
}

/// Returns a size in whole MiB, rounded up.
fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}
