//! Headers and names shared by hosts, edge configurations and publishing.

use hyper::header::{HeaderName, HeaderValue};
use sitegate_check::internal::contract::Contract;

use crate::error::HostingError;

/// The prefix of the target state.
pub const STATE: &str = sitegate_base::file_name::STATE_FOLDER;

/// Cache-Control of files with a content hash in their name.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of all other files: cached, but revalidated each time.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// The headers that an object store can send. All others must be set at the edge.
pub const STORED: [&str; 5] =
    ["cache-control", "content-disposition", "content-encoding", "content-language", "content-type"];

/// Rejects invalid headers of a contract: in a host's configuration they could inject lines.
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
