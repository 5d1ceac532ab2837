//! Locates the imports that were not followed.

use crate::contract::Contract;
use crate::raw_finding::{DocumentId, Location};
use crate::report::finding::ImportPlace;
use crate::report::finding_reader::FindingReader;
use crate::report::result::CheckResult;

/// Maximum number of locations.
const LOCATIONS: usize = 20;

/// Returns the locations of the first imports whose URL is computed.
pub(super) fn computed_imports(result: &CheckResult, contract: &Contract) -> Vec<ImportPlace> {
    let mut reader = FindingReader::new(result, contract);
    let locate = |&(file, offset): &(u32, u32)| {
        let position = reader.start(&Location::in_file(file, offset..offset));
        ImportPlace {
            file: reader.name(&DocumentId::File(file)),
            line: position.line as u32,
            column: position.column as u32,
        }
    };
    result.computed.iter().take(LOCATIONS).map(locate).collect()
}
