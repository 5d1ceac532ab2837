//! Names of documents in settings of Docusaurus: in sidebars, in a script or in JSON, and in its navigation.

use std::ops::Range;

use sitegate_address::SitePath;
use sitegate_script::LiteralPlace;

use crate::reference::{Manner, SourceScan};
use crate::values::{is_literal, reference};

/// Whether a file has the sidebars of Docusaurus, which name documents by their paths without extensions.
pub(crate) fn is_sidebar(path: &str) -> bool {
    let name = SitePath::new(path).name();
    name.starts_with("sidebars.") || name.ends_with("-sidebars.json")
}

/// Adds a literal of a sidebar if it names a document: an item of a list, or an `id`. Returns whether it does.
pub(crate) fn add_sidebar_id<'t>(
    text: &'t str,
    literal: Range<usize>,
    value: &str,
    place: LiteralPlace<'_>,
    keys: &[String],
    scan: &mut SourceScan<'t>,
) -> bool {
    let key = keys.last().map_or("", String::as_str);
    let is_id = match place {
        LiteralPlace::Item => !matches!(key, "tags" | "keywords"),
        LiteralPlace::Property => key == "id",
        _ => false,
    };
    let is_id = is_id && is_literal(value) && !value.contains(char::is_whitespace);
    if is_id {
        scan.references.push(reference(text, literal, value, Manner::Id));
    }
    is_id
}
