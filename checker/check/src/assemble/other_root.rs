//! Names the folder to check instead, if most errors are about files that it has.

use crate::deployment::likely_root::LikelyRoot;
use crate::raw_finding::Severity;
use crate::report::finding::{CommonCause, OtherRoot};
use crate::report::result::CheckResult;

/// Returns the other folder, if it has the files of most errors.
pub(super) fn other_root(result: &CheckResult, causes: &[CommonCause]) -> Option<OtherRoot> {
    if result.live.is_some() {
        return None;
    }
    let base_path = &result.deployment.settings.base_path;
    let errors = causes.iter().enumerate().filter(|(_, cause)| cause.severity == Severity::Error);
    let missing: Vec<(usize, &str)> = errors
        .clone()
        .filter(|(_, cause)| cause.thing)
        .filter_map(|(index, cause)| Some((index, cause.cause.strip_prefix(&**base_path)?)))
        .collect();
    let mut paths: Vec<&str> = missing.iter().map(|(_, path)| *path).collect();
    paths.sort_unstable();
    paths.dedup();
    let root = LikelyRoot::find(&paths, base_path, &result.tree)?;
    let found = missing.into_iter().filter(|(_, path)| root.has(path));
    let found: Vec<usize> = found.map(|(index, _)| index).collect();
    let explained: usize = found.iter().map(|index| causes[*index].findings).sum();
    let all: usize = errors.map(|(_, cause)| cause.findings).sum();
    let folder = root.folder.display().to_string();
    (explained * 2 > all).then_some(OtherRoot { folder, causes: found })
}
