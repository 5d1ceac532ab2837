//! JSON, also with comments and trailing commas.

use std::ops::Range;

use sitegate_script::{LiteralPlace, LiteralSyntax, ScriptPart, read_literals};

use super::data_values::{DataKind, add_value};
use crate::reference::SourceScan;
use crate::values::{self, add_sidebar_id, is_sidebar};

/// Finds the references of JSON in a range of the text.
pub(crate) fn json<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    json_of_kind(text, range, DataKind::Data, false, scan);
}

/// Finds the references of a file of JSON.
pub(crate) fn json_file<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    json_of_kind(text, values::without_mark(text), DataKind::Data, is_sidebar(path), scan);
}

/// Finds the references of JSON by its kind. JSON that cannot be parsed is inert.
pub(super) fn json_of_kind<'t>(
    text: &'t str,
    range: Range<usize>,
    kind: DataKind,
    is_sidebar: bool,
    scan: &mut SourceScan<'t>,
) {
    let start = range.start;
    let is_read = read_literals(&text[range.clone()], LiteralSyntax::Json, |part| match part {
        ScriptPart::Literal { range: inside, value, place, keys } => {
            let literal = start + inside.start..start + inside.end;
            let is_value = matches!(place, LiteralPlace::Property | LiteralPlace::Item);
            if is_sidebar && add_sidebar_id(text, literal.clone(), value, place, keys, scan) || !is_value {
                return;
            }
            add_value(text, literal, value, keys.iter().map(String::as_str), kind, scan);
        }
        ScriptPart::Comment(comment) => scan.inert.push(start + comment.start..start + comment.end),
        ScriptPart::Tag { .. } => {}
    });
    if !is_read {
        scan.inert.push(range);
    }
}
