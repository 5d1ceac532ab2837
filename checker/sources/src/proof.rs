//! Proves edits of references: each changes one reference, and nothing else that is one.

use std::ops::Range;

use crate::reference::{SourceOptions, SourceReference, decoded_reference};
use crate::scan::scan;

/// Whether a text has the same references after its edits, apart from those that contain an edit, and each of these is
/// the new text. `before` are its references; edits are sorted and disjoint.
///
/// A new text may end a reference too early, or begin another one: a parenthesis in Markdown, a quote in an attribute.
pub fn keeps_references(
    (path, text): (&str, &str),
    before: &[SourceReference<'_>],
    edits: &[(Range<usize>, &str)],
    options: SourceOptions,
) -> bool {
    let mut new = String::with_capacity(text.len());
    let mut end = 0;
    for (range, replacement) in edits {
        let Some(kept) = text.get(end..range.start) else { return false };
        new.extend([kept, replacement]);
        end = range.end;
    }
    new.push_str(text.get(end..).unwrap_or_default());
    let after = scan(path, &new, options).references;
    let mut edits = edits.iter().peekable();
    let mut shift = 0_isize;
    let keeps = |(old, found): (&SourceReference<'_>, &SourceReference<'_>)| {
        let start = old.range.start.wrapping_add_signed(shift);
        let mut is_edited = false;
        while let Some((range, replacement)) = edits.next_if(|(range, _)| range.start < old.range.end) {
            if range.start < old.range.start || range.end > old.range.end {
                return false;
            }
            shift += replacement.len() as isize - range.len() as isize;
            is_edited = true;
        }
        let is_same_place =
            found.range == (start..old.range.end.wrapping_add_signed(shift)) && found.manner == old.manner;
        let is_as_expected = if is_edited {
            decoded_reference(&found.target) == decoded_reference(&new[found.range.clone()])
        } else {
            found.target == old.target
        };
        is_same_place && is_as_expected
    };
    after.len() == before.len() && before.iter().zip(&after).all(keeps) && edits.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::keeps_references;
    use crate::reference::SourceOptions;
    use crate::scan::scan;

    #[track_caller]
    fn keeps(path: &str, text: &str, old: &str, new: &str) -> bool {
        let start = text.find(old).unwrap_or_default();
        let before = scan(path, text, SourceOptions::default()).references;
        keeps_references((path, text), &before, &[(start..start + old.len(), new)], SourceOptions::default())
    }

    #[test]
    fn an_edit_changes_one_reference() {
        let text = "[a](x.md) `x.txt` <b title=\"y\" href='z.md'>";
        assert!(keeps("a.md", text, "x.md", "v/w.md"));
        assert!(keeps("a.md", text, "z.md", "v/w.md"));
        assert!(!keeps("a.md", text, "x.md", "x).md"), "ends the reference");
        assert!(!keeps("a.md", text, "z.md", "z' src='w"), "begins another one");
        assert!(!keeps("a.md", text, "x.txt", "w.txt"), "is in code");
        assert!(!keeps("a.md", text, "y", "w"), "is no reference");
    }
}
