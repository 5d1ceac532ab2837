//! Locates the imports that were not followed.

use crate::contract::Contract;
use crate::raw_finding::{DocumentId, Location};
use crate::report::document_names::DocumentNames;
use crate::report::finding::ImportPlace;
use crate::report::locator::FindingLocator;
use crate::report::result::CheckResult;

/// Maximum number of locations.
const LOCATIONS: usize = 20;

/// Returns the locations of the first imports whose URL is computed.
pub(super) fn computed_imports(result: &CheckResult, contract: &Contract) -> Vec<ImportPlace> {
    let (mut locator, names) = (FindingLocator::new(result, contract), DocumentNames::new(result, contract));
    let locate = |&(file, offset): &(u32, u32)| {
        let position = locator.start(&Location::in_file(file, offset..offset));
        ImportPlace {
            file: names.name(&DocumentId::File(file)),
            line: position.line,
            column: position.column,
        }
    };
    result.computed.iter().take(LOCATIONS).map(locate).collect()
}
