//! A file of a host's configuration, and settings of the contract that a host does not have.

use sitegate_check::Contract;
use sitegate_host::TrailingSlash;

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
