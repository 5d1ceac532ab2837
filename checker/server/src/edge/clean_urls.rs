//! Rejects URLs that no bucket can serve.

use crate::error::ServerError;
use sitegate_check::Contract;

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
