//! Collects values that must be equal on all pages (`same` in an assertion).

use std::ops::Range;

use crate::index::view::FileView;
use crate::walk::FileId;

/// A value that an assertion requires to be equal on all pages.
#[derive(Clone, Debug)]
pub struct SharedValue {
    /// Index of the assertion in the contract.
    pub assertion: usize,
    /// Name of the attribute.
    pub attribute: String,
    /// Its value; `None` if the element does not have it.
    pub value: Option<String>,
    /// The page.
    pub file: FileId,
    /// The start tag there.
    pub span: Range<u32>,
}

/// Collects the values of a page.
pub(super) fn collect(view: &FileView<'_>, shared: &mut Vec<SharedValue>) {
    for (assertion, stated) in view.assertions() {
        for attribute in &stated.same {
            for found in view.matches(assertion) {
                let value = found.attributes.iter().find(|(name, _)| name == attribute);
                shared.push(SharedValue {
                    assertion,
                    attribute: attribute.clone(),
                    value: value.map(|(_, value)| value.clone()),
                    file: view.file,
                    span: found.span.clone(),
                });
            }
        }
    }
}
