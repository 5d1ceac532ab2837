//! Compares the addresses that the site must keep with those that it has.

use sitegate_address::inventory::{AnswerKind, InventoryAddress};

use crate::index::Index;
use crate::index::site::Site;
use crate::parse::Format;
use crate::raw_finding::{DocumentId, Location};
use crate::resolve::Target;
use crate::resolve::inventories::Permalinks;
use crate::walk::FileId;
use sitegate_address::SitePath;
use sitegate_address::extension::is_one_of;
use sitegate_address::percent::escape_path;

/// Extensions of files that pages load.
const ASSETS: [&str; 18] = [
    "avif", "css", "eot", "gif", "ico", "jpeg", "jpg", "js", "map", "mjs", "otf", "png", "svg", "ttf",
    "wasm", "webp", "woff", "woff2",
];

/// An address that the site must keep.
pub(crate) struct KeptAddress<'s> {
    /// The decoded path.
    pub path: &'s str,
    /// Its entry in the list.
    pub address: &'s InventoryAddress,
    /// The list.
    list: &'s Permalinks,
    /// Whether search engines are meant to show the page: a sitemap lists it, or an inventory has it without `noindex`.
    pub is_for_search: bool,
}

/// The present state of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptState {
    /// It resolves to this page or file.
    Kept {
        /// The file.
        file: FileId,
        /// Whether a redirect page drops the fragment on the way.
        drops_fragment: bool,
    },
    /// It exists, but its anchors cannot be compared: it redirects to another site, or to an anchor of its own.
    Elsewhere,
    /// It does not exist.
    Lost,
}

/// Returns the addresses that the site must keep, without those that may be gone. Several lists may have one address.
pub(crate) fn kept_addresses<'s>(site: &'s Site<'_>) -> impl Iterator<Item = KeptAddress<'s>> {
    let addresses = site.permalinks.iter().flat_map(|list| {
        let addresses = list.inventory.iter();
        addresses.map(move |(path, address)| {
            let is_for_search = list.is_for_search(address);
            KeptAddress { path, address, list, is_for_search }
        })
    });
    addresses.filter(|kept| {
        let is_asset = kept.address.kind == AnswerKind::File && is_asset(kept.path);
        let is_covered = !kept.address.is_pattern(kept.path) && !is_asset;
        is_covered && kept.path.starts_with(&site.settings.base_path) && !site.may_be_gone(kept.path)
    })
}

/// Whether a file is only loaded by pages, by its name. Others do not link to it.
fn is_asset(path: &str) -> bool {
    SitePath::new(path).extension().is_some_and(|extension| is_one_of(extension.as_bytes(), &ASSETS))
}

impl KeptAddress<'_> {
    /// Resolves the address.
    pub(super) fn state(&self, index: &Index<'_>) -> KeptState {
        let site = index.site;
        let (base, address) = (site.resolver.root(), escape_path(self.path));
        match site.resolver.resolve(&base, &address, &mut Vec::new()) {
            Target::Missing(_) => KeptState::Lost,
            Target::File { file, .. } if site.format(file) == Format::Html => {
                if site.resolver.has_own_fragment(&base, &address) {
                    return KeptState::Elsewhere;
                }
                let is_redirect = index.pages.get(file).is_some_and(|page| page.redirects);
                KeptState::Kept { file, drops_fragment: is_redirect && !index.dangling.keeps_fragment(file) }
            }
            _ => KeptState::Elsewhere,
        }
    }

    /// Returns the list that names it, with the line if it is a text.
    pub fn listed_at(&self) -> String {
        match self.address.line {
            line if line > 0 && self.list.has_lines => format!("{}:{line}", self.list.name),
            _ => self.list.name.clone(),
        }
    }

    /// Returns the location of a finding: the file that the address had.
    pub fn location(&self, site: &Site<'_>) -> Location {
        address_location(site, self.path)
    }
}

/// Returns the location of a finding about a decoded address that may not exist: the file that a host would answer with.
pub(super) fn address_location(site: &Site<'_>, address: &str) -> Location {
    let below = address.strip_prefix(&site.settings.base_path).unwrap_or(address);
    DocumentId::Path(SitePath::new(below).with_index().into()).into()
}
