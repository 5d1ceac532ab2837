//! Addresses that no bucket can answer.

use std::io;

use sitegate_check::contract::Contract;

/// Refuses clean URLs where nothing can look for `page.html`.
pub(super) fn refuse_clean_urls(contract: &Contract) -> io::Result<()> {
    match contract.site.clean_urls {
        Some(true) => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "site.clean-urls: a bucket does not answer `/page` with `page.html`; export `page/index.html`",
        )),
        _ => Ok(()),
    }
}
