//! Replaces a text in some files and moves one, as an editor would: `rename OLD NEW FROM TO FILE…`. Prints the patch.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use sitegate_sources::edits::{ApplyMode, ApplyOptions, NewContent, SourceChanges, apply};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "an example")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [old, new, from, to, files @ ..] = &arguments[..] else {
        return Err("usage: rename OLD NEW FROM TO FILE…".into());
    };
    let mut changes = SourceChanges::default();
    changes.rename(from, to);
    for file in files {
        let text = fs::read_to_string(file)?;
        let edited = text.replace(old.as_str(), new);
        changes.edit(file, NewContent::Whole { old: text.into_bytes(), new: edited.into_bytes() });
    }
    let options = ApplyOptions { project: PathBuf::new(), allow_unsaved: false };
    let applied = apply(&changes, ApplyMode::Patch, &options)?;
    print!("{}", applied.patch);
    for refusal in &applied.refused {
        eprintln!("{} {}", refusal.file.display(), refusal.reason);
    }
    Ok(())
}
