//! Finds the files that a release may load.
//!
//! The index of the check knows what pages, style sheets and scripts certainly load, also from the chunk maps of bundlers. A
//! string in a script may be an address, too: `image.src = "/assets/logo-Cw3Dk2Zx.svg"`. A name with a hash is never there by
//! chance, so any file that has it may load the file.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;

use sitegate_address::SitePath;
use sitegate_check::{CheckResult, Tree};
use sitegate_host::media::{content_type, is_text};

use super::asset::ASSET_LIST;

/// Maximum size of a text whose names are searched, in bytes.
const MAX_TEXT: u64 = 32 << 20;

/// Returns the files among `paths` that a checked release may load.
///
/// # Errors
/// If a file cannot be read.
pub fn reached_files<'p>(
    checked: &CheckResult,
    paths: impl Iterator<Item = &'p str>,
) -> io::Result<HashSet<&'p str>> {
    let tree = &checked.tree;
    // Pages may be made by a server, a file may be unreadable, and scripts may compute what they load.
    let is_known = checked.summary.pages > 0 && checked.unreadable.is_empty() && checked.computed.is_empty();
    let mut reached = HashSet::new();
    let mut unknown: HashMap<&str, Vec<&str>> = HashMap::new();
    for path in paths {
        let name = SitePath::new(path).name();
        let is_loaded = tree.find(path.as_bytes()).is_some_and(|id| checked.inbound[id as usize] > 0);
        // Other characters may be written in many ways.
        if is_loaded || !is_known || !name.bytes().all(is_name_byte) {
            reached.insert(path);
        } else {
            unknown.entry(name).or_default().push(path);
        }
    }
    if !unknown.is_empty() {
        add_named(tree, &unknown, &mut reached)?;
    }
    Ok(reached)
}

/// Adds the files whose names are in other files.
fn add_named<'p>(
    tree: &Tree,
    by_name: &HashMap<&str, Vec<&'p str>>,
    reached: &mut HashSet<&'p str>,
) -> io::Result<()> {
    for id in tree.ids().filter(|id| tree.has_content(*id)) {
        let path = tree.display(id);
        let file = tree.disk_path(id);
        let is_searched = path != ASSET_LIST && SitePath::new(&*path).extension() != Some("map");
        if !is_searched || !is_text(&content_type(&path)) || fs::metadata(&file)?.len() > MAX_TEXT {
            continue;
        }
        for name in fs::read(&file)?.split(|byte| !is_name_byte(*byte)) {
            let named = str::from_utf8(name).ok().and_then(|name| by_name.get(name));
            reached.extend(named.into_iter().flatten().filter(|named| **named != path));
        }
    }
    Ok(())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'@')
}
