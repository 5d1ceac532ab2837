//! Replaces `'auto'` in the policies of a contract, within the limits of a host.

use std::path::Path;

use sitegate_check::{Contract, has_hashes_per_page, resolve_auto_hashes};
use sitegate_host::Host;

use crate::error::ServerError;

/// Replaces `'auto'` in the policies of a contract by the hashes of the export in `root`.
///
/// # Errors
/// When a page cannot be read, or the host does not accept the policies.
pub fn resolve_auto(contract: &mut Contract, root: &Path, host: Host) -> Result<(), ServerError> {
    if !host.facts().has_page_policies && has_hashes_per_page(contract) {
        return Err(ServerError::Unsupported(format!(
            "Content-Security-Policy: {} cannot have a policy for each page; use `'auto'` instead of \
             `'auto-per-page'`",
            host.title()
        )));
    }
    let fail = |source| ServerError::Root { root: root.to_path_buf(), source };
    contract.headers = resolve_auto_hashes(contract, root).map_err(fail)?;
    refuse_long_policy(contract, host)
}

/// Rejects a policy with hashes that is longer than a host accepts.
fn refuse_long_policy(contract: &Contract, host: Host) -> Result<(), ServerError> {
    let limit = host.facts().max_policy.unwrap_or(usize::MAX);
    for value in contract.policies() {
        if value.len() > limit {
            return Err(ServerError::Unsupported(format!(
                "Content-Security-Policy: with its hashes it has {} bytes, and {} accepts at most {limit}; move \
                 inline code to files, or give pages their own entries of [[headers]]",
                value.len(),
                host.title()
            )));
        }
    }
    Ok(())
}
