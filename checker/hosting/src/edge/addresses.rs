//! Addresses that no bucket can answer.

use crate::error::HostingError;
use sitegate_check::internal::contract::Contract;

/// Refuses clean URLs where nothing can look for `page.html`.
pub(super) fn refuse_clean_urls(contract: &Contract) -> Result<(), HostingError> {
    match contract.site.clean_urls {
        Some(true) => Err(HostingError::Unsupported(
            "site.clean-urls: a bucket does not answer `/page` with `page.html`; export `page/index.html`"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}
