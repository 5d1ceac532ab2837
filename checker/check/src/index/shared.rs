//! Collects values that must be equal on all pages (`same` in an assertion).

use std::ops::Range;

use crate::contract::Assertion;
use crate::parse::Facts;
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
pub(super) fn collect(
    file: FileId,
    facts: &Facts,
    selected: &[(usize, &Assertion)],
    shared: &mut Vec<SharedValue>,
) {
    for (assertion, stated) in selected {
        for attribute in &stated.same {
            for found in facts.matches.iter().filter(|found| found.assertion == *assertion) {
                let value = found.attributes.iter().find(|(name, _)| name == attribute);
                shared.push(SharedValue {
                    assertion: *assertion,
                    attribute: attribute.clone(),
                    value: value.map(|(_, value)| value.clone()),
                    file,
                    span: found.span.clone(),
                });
            }
        }
    }
}
