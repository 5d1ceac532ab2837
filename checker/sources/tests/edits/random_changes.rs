//! Random repositories and changes.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use sitegate_sources::edits::{ApplyMode, Edit, NewContent, Replacement, SourceChanges};

use crate::repository::{commit, contents, git, repository, run, write};

const NAMES: [&str; 4] = ["docs/a b.md", "docs/caf\u{e9}.md", "other/\"q\".md", "other/x.md"];

/// The state of a file: committed, changed since, or read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Committed,
    Changed,
    ReadOnly,
}

/// A text in parts: what stays, what is replaced, and the replacement.
type Parts = Vec<(String, String, String)>;

fn files() -> impl Strategy<Value = Vec<(Parts, State)>> {
    let part = ("[a-zé ]{0,8}(\r?\n){0,2}", "[a-z]{1,4}", "[A-Z ]{0,5}\n?");
    let states = [State::Committed, State::Committed, State::Committed, State::Changed, State::ReadOnly];
    prop::collection::vec((prop::collection::vec(part, 1..5), prop::sample::select(states.to_vec())), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// With a move of a folder, too: each file is old or new, as the result says, no other file is there, and `git apply`
    /// makes the same of the patch.
    #[test]
    fn files_are_old_or_new_and_the_patch_is_what_is_written(files in files(), is_move: bool) {
        let site = repository(&[("docs/kept.md", "kept\n")]);
        let folder = site.path();
        let (mut expected, mut changes) = (BTreeMap::new(), SourceChanges::default());
        for ((parts, state), name) in files.iter().zip(NAMES) {
            let (mut old, mut new, mut replacements) = (String::new(), String::new(), Vec::new());
            for (kept, before, after) in parts {
                old += kept;
                new += kept;
                let edit = Edit { start: old.len(), end: old.len() + before.len(), new: after.clone() };
                replacements.push(Replacement { edit, old: before.clone() });
                old += before;
                new += after;
            }
            write(folder, name, &old);
            changes.edit(folder.join(name), NewContent::Replacements(replacements));
            expected.insert(name, (old, new, *state));
        }
        commit(folder);
        for (name, (old, new, state)) in &mut expected {
            match state {
                State::Committed => {}
                State::Changed => {
                    old.push_str("changed");
                    new.push_str("changed");
                    write(folder, name, old);
                }
                State::ReadOnly => {
                    let mut permissions = fs::metadata(folder.join(*name)).unwrap().permissions();
                    permissions.set_readonly(true);
                    fs::set_permissions(folder.join(*name), permissions).unwrap();
                }
            }
        }
        if is_move {
            changes.rename(folder.join("docs"), folder.join("moved/docs"));
        }
        let before = contents(folder);
        let patched = run(folder, &changes, ApplyMode::Patch, false);
        prop_assert_eq!(&contents(folder), &before, "a patch changes nothing");
        let mode = if is_move { ApplyMode::WriteAll } else { ApplyMode::WriteEach };
        let applied = run(folder, &changes, mode, false);
        let is_refused = |state: State| state != State::Committed;
        let is_moved = is_move && expected.values().all(|(_, _, state)| !is_refused(*state));
        prop_assert_eq!(applied.refused.len(), patched.refused.len());
        prop_assert_eq!(applied.refused.is_empty(), expected.values().all(|(_, _, state)| !is_refused(*state)));
        for (name, (old, new, state)) in &expected {
            let path = if is_moved { name.replace("docs/", "moved/docs/") } else { (*name).to_owned() };
            let is_new = if is_move { is_moved } else { !is_refused(*state) };
            let present = fs::read_to_string(folder.join(&path)).unwrap();
            prop_assert_eq!(&present, if is_new { new } else { old }, "{}", path);
        }
        let after = contents(folder);
        prop_assert_eq!(after.len(), before.len(), "no other file");
        if applied.refused.is_empty() {
            git(folder, &["reset", "--quiet", "--hard"]);
            git(folder, &["clean", "--quiet", "-fd"]);
            fs::write(folder.join(".git/test.patch"), &patched.patch).unwrap();
            git(folder, &["apply", ".git/test.patch"]);
            prop_assert_eq!(contents(folder), after);
        }
    }
}
