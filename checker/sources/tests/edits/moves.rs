//! Tests that moves stay in the project, and happen completely or not at all.

use std::fs;
use std::path::Path;

use sitegate_sources::edits::{ApplyMode, Refusal, SourceChanges};

use crate::repository::{commit, contents, git, replacement, repository, run};

/// Moves a path, and returns the reasons against it. If there are any, nothing has changed.
fn rename(folder: &Path, from: &str, to: &str) -> String {
    let before = contents(folder);
    let mut changes = SourceChanges::default();
    changes.rename(folder.join(from), folder.join(to));
    let applied = run(folder, &changes, ApplyMode::WriteAll, false);
    assert_eq!(contents(folder) == before, !applied.is_written);
    let line = |refusal: &Refusal| {
        let file = refusal.file.strip_prefix(folder).unwrap_or(&refusal.file);
        format!("{} {}", file.display(), refusal.reason)
    };
    applied.refused.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(unix)]
#[test]
fn destinations_outside_of_the_project_are_refused() {
    let site = repository(&[("docs/a.md", "a\n"), ("docs/b.md", "b\n"), (".gitignore", "build/\n")]);
    let folder = site.path();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.join("docs/link")).unwrap();
    let library = repository(&[("x.md", "x\n")]);
    git(folder, &["submodule", "--quiet", "add", library.path().to_str().unwrap(), "lib"]);
    commit(folder);
    let absolute = outside.path().join("a.md");
    for (from, to, expected) in [
        ("docs/a.md", "docs/b.md", "docs/b.md exists; name a path that does not"),
        ("docs/a.md", "docs/A.md", "docs/A.md differs only in letter case"),
        ("docs/a.md", "docs/link/a.md", "docs/link/a.md is below the symbolic link `docs/link`"),
        ("docs/a.md", "../a.md", "is outside of the project"),
        ("docs/a.md", absolute.to_str().unwrap(), "is outside of the project"),
        ("docs/a.md", ".git/a.md", ".git/a.md is in a folder of Git"),
        ("docs/a.md", "build/a.md", "build/a.md would be ignored by Git"),
        ("docs/a.md", "lib/a.md", "lib/a.md is in another repository; move it by hand"),
        ("lib/x.md", "docs/x.md", "is in another repository; move it by hand"),
        ("lib", "docs/lib", "is in another repository"),
    ] {
        let reasons = rename(folder, from, to);
        assert!(reasons.contains(expected), "{from} {to}: {reasons}");
    }
    assert_eq!(rename(folder, "docs/a.md", "docs/deep/er/c.md"), "");
    assert!(outside.path().read_dir().unwrap().next().is_none());
}

#[test]
fn sparse_checkouts_are_refused() {
    let site = repository(&[("docs/a.md", "a\n"), ("other/b.md", "b\n")]);
    git(site.path(), &["sparse-checkout", "set", "docs"]);
    let reasons = rename(site.path(), "docs/a.md", "docs/d.md");
    assert!(reasons.contains("cannot be moved in a sparse checkout"), "{reasons}");
}

#[test]
fn nothing_is_moved_if_a_file_is_refused() {
    let site = repository(&[("docs/a.md", "a\n"), ("b.md", "old\n"), ("gen.md", "@generated old\n")]);
    let folder = site.path();
    let mut changes = SourceChanges::default();
    changes.rename(folder.join("docs"), folder.join("new/docs"));
    changes.edit(folder.join("b.md"), replacement(folder, "b.md"));
    changes.edit(folder.join("gen.md"), replacement(folder, "gen.md"));
    fs::write(folder.join("b.md"), "old, edited\n").unwrap();
    let before = contents(folder);
    assert!(!run(folder, &changes, ApplyMode::WriteAll, false).is_written);
    assert_eq!(contents(folder), before);
    git(folder, &["checkout", "--quiet", "."]);
    let applied = run(folder, &changes, ApplyMode::WriteAll, false);
    assert!(
        applied.is_written && applied.refused[0].reason.is_generated(),
        "generated files follow from others"
    );
    assert_eq!(fs::read_to_string(folder.join("gen.md")).unwrap(), "@generated old\n");
    assert!(folder.join("new/docs/a.md").exists() && !folder.join("docs").exists());
}
