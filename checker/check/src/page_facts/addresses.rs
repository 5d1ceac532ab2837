//! Addresses of files and URL paths below the root of the site.

use crate::index::site::Site;
use crate::walk::FileId;
use sitegate_address::percent::escape_path;

/// Returns an address below the root of the site, from a decoded URL path.
pub(super) fn below_root(path: &str, base_path: &str) -> Box<str> {
    let below = path.strip_prefix(base_path).unwrap_or_else(|| path.trim_start_matches('/'));
    format!("/{below}").into()
}

/// Returns the address of a file below the root of the site.
pub(super) fn address(site: &Site<'_>, file: FileId) -> Box<str> {
    let served = site.resolver.served_path(&site.tree.display(file));
    escape_path(&below_root(&served, &site.settings.base_path)).into()
}
