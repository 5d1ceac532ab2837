//! Headers and names that hosts, edges and publishing agree on.

use hyper::header::{HeaderName, HeaderValue};
use sitegate_check::internal::contract::Contract;

use crate::error::HostingError;

/// Everything that sitegate keeps in a target lies below this prefix.
pub const STATE: &str = sitegate_base::file_name::MEMORY;

/// Cache-Control of files whose name changes with their content.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of everything else: kept, but asked about each time.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// The headers that an object store can answer with; all others are the edge's work.
pub const STORED: [&str; 5] =
    ["cache-control", "content-disposition", "content-encoding", "content-language", "content-type"];

/// Refuses headers of a contract that HTTP does not allow: in a host's configuration they could end a line, and begin
/// another.
///
/// # Errors
/// When there is such a header; the message names it.
pub fn refuse_invalid(contract: &Contract) -> Result<(), HostingError> {
    for (name, value) in contract.headers.iter().flat_map(|rule| &rule.set) {
        let known = HeaderName::try_from(name.as_str()).is_ok() && HeaderValue::try_from(value).is_ok();
        if !known {
            let (name, value) = (name.clone(), value.clone());
            return Err(HostingError::InvalidHeader { contract: contract.name(), name, value });
        }
    }
    Ok(())
}
