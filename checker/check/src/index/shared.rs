//! Values that the contract wants to be the same on every page.

use std::ops::Range;

use crate::contract::Assertion;
use crate::parse::Facts;
use crate::walk::FileId;

/// A value that an assertion wants to be the same everywhere.
#[derive(Clone, Debug)]
pub struct SharedValue {
    /// The assertion, by its place in the contract.
    pub assertion: usize,
    /// The attribute.
    pub attribute: String,
    /// Its value; `None` where the element does not have it.
    pub value: Option<String>,
    /// The page.
    pub file: FileId,
    /// The start tag there.
    pub span: Range<u32>,
}

/// The values that a page brings to the comparison.
pub(super) fn values(
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
