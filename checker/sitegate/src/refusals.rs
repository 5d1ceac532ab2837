//! Names the files that a command does not change, with the way out.

use std::env;
use std::io::{self, Write};
use std::path::Path;

use sitegate_base::sanitize::{slashed, visible};
use sitegate_sources::edits::Refusal;

use crate::terminal::YELLOW;

/// Writes a line for each file, which begins with a label.
pub fn write_refusals(refused: &[Refusal], label: &str, out: &mut dyn Write) -> io::Result<()> {
    for refusal in refused {
        let name = shown(&refusal.file);
        writeln!(out, "{YELLOW}{label}{YELLOW:#}  {}: {}", visible(&name), visible(&reason(refusal)))?;
    }
    Ok(())
}

/// Returns the reason of a refusal, with the option that allows the change nevertheless, if there is one.
pub fn reason(refusal: &Refusal) -> String {
    let reason = refusal.reason.to_string();
    if !refusal.reason.can_be_allowed() {
        return reason;
    }
    let joint = if reason.contains("; ") { ", or" } else { ";" };
    format!("{reason}{joint} edit it with --allow-dirty")
}

/// Returns a path from the working directory, with `/`.
pub fn shown(file: &Path) -> String {
    let below = env::current_dir().ok().and_then(|here| file.strip_prefix(here).ok().map(Path::to_path_buf));
    let path = slashed(below.as_deref().unwrap_or(file));
    path.strip_prefix("./").map(str::to_owned).unwrap_or(path)
}
