//! A file of a host's configuration, and settings of the contract that a host does not have. Replaces `'auto'` in the
//! policies of a contract, within the limits of a host.

use std::path::Path;

use sitegate_check::{Contract, has_hashes_per_page, resolve_auto_hashes};
use sitegate_host::{Host, TrailingSlash};

use crate::error::ServerError;

/// A file of a host's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// The name that the host looks for.
    pub name: &'static str,
    /// The content.
    pub text: String,
}

impl ConfigFile {
    pub(super) fn new(name: &'static str, text: String) -> ConfigFile {
        ConfigFile { name, text }
    }
}

/// Reports a setting that a host cannot express, and why.
pub(super) fn unsupported(setting: &str, host: &str, reason: &str) -> ServerError {
    ServerError::Unsupported(format!("{setting} cannot be expressed on {host}: {reason}"))
}

/// Rejects a base path: these configurations are for a site at the root of its host.
pub(super) fn refuse_base_path(config: &Contract, host: &str) -> Result<(), ServerError> {
    match config.site.base_path.as_str() {
        "/" => Ok(()),
        _ => Err(unsupported("site.base-path", host, "the configuration is for the root of a host")),
    }
}

/// Rejects a 404 page with another name than the host looks for.
pub(super) fn own_not_found_page(config: &Contract, host: &str) -> Result<(), ServerError> {
    match config.site.not_found_file() {
        "404.html" => Ok(()),
        other => Err(unsupported(&format!("site.not-found = \"{other}\""), host, "it serves 404.html")),
    }
}

/// Whether `/dir/` redirects to `/dir`.
pub(super) fn strips_slash(config: &Contract) -> bool {
    config.site.trailing_slash == TrailingSlash::Never
}

/// Rejects clean URLs, for hosts that do not look for `page.html`.
pub(super) fn reject_clean_urls(contract: &Contract) -> Result<(), ServerError> {
    match contract.site.clean_urls {
        Some(true) => Err(ServerError::Unsupported(
            "site.clean-urls: a bucket does not serve `page.html` at `/page`; export `page/index.html`"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

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
