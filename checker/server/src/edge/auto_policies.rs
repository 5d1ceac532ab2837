//! Replaces `'auto'` in the policies of a contract, within the limits of a host.

use std::path::Path;

use sitegate_check::internal::auto_hashes;
use sitegate_check::internal::contract::Contract;

use crate::error::ServerError;
use crate::headers::refuse_long_policy;

/// Limits of a host for policies.
#[derive(Clone, Copy, Debug)]
pub struct PolicyLimits {
    /// The name of the host.
    pub host: &'static str,
    /// Maximum size of a policy in bytes.
    pub max_size: usize,
    /// Whether each page can have its own policy.
    pub has_page_policies: bool,
}

/// Replaces `'auto'` in the policies of a contract by the hashes of the export in `root`.
///
/// # Errors
/// When a page cannot be read, or the host does not accept the policies.
pub fn resolve_auto(contract: &mut Contract, root: &Path, limits: PolicyLimits) -> Result<(), ServerError> {
    let PolicyLimits { host, max_size, has_page_policies } = limits;
    if !has_page_policies && auto_hashes::has_hashes_per_page(contract) {
        return Err(ServerError::Unsupported(format!(
            "Content-Security-Policy: {host} cannot have a policy for each page; use `'auto'` instead of \
             `'auto-per-page'`"
        )));
    }
    let fail = |source| ServerError::Root { root: root.to_path_buf(), source };
    contract.headers = auto_hashes::resolve(contract, root).map_err(fail)?;
    refuse_long_policy(contract, host, max_size)
}
