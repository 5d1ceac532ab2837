//! Looks up addresses in the inventories of other parts of the site.

use std::sync::OnceLock;

use sitegate_address::hashed_name::is_hashed;
use sitegate_address::inventory::{AnchorSet, AnswerKind, Inventory, InventoryAddress};
use sitegate_address::percent::{decode, decode_lossy};
use url::Url;

use super::suggestion::SuggestionIndex;
use crate::contract::PartSettings;
use crate::walk::Tree;
use sitegate_address::{SitePath, UrlReference};
use sitegate_host::redirects::{Redirects, follow};

/// The folder of the pages that Sphinx makes of source code (`sphinx.ext.viewcode`). `objects.inv` does not list them.
const SOURCE_CODE: &str = "_modules";

/// The parts of the site that other repositories publish.
#[derive(Default)]
pub struct Parts {
    parts: Vec<Part>,
}

/// One part.
pub struct Part {
    /// Its address as the contract has it.
    pub at: String,
    /// Its origin, if it is not the site's own.
    origin: Option<Url>,
    /// Its decoded path, without the leading slash, with a trailing one (or empty).
    path: String,
    /// Its inventory; `None` if it is not available.
    pub inventory: Option<PartInventory>,
}

/// The inventory of a part, prepared for look-ups.
pub struct PartInventory {
    /// The inventory.
    pub inventory: Inventory,
    redirects: Redirects,
    suggestions: OnceLock<(Tree, SuggestionIndex)>,
}

/// The answer of a part to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartAnswer<'p> {
    /// Not known: the inventory is not available, does not list such files, or a redirect leaves the inventory.
    Unknown,
    /// A page or file, with its decoded path.
    Found(&'p str, &'p InventoryAddress),
    /// Nothing has this decoded path.
    Missing,
}

impl Part {
    /// Creates a part. `inventory` is `None` if it is not available.
    pub fn new(settings: &PartSettings, inventory: Option<Inventory>) -> Part {
        let path = decode_lossy(settings.path.trim_start_matches('/')).into_owned();
        let inventory = inventory.map(PartInventory::new);
        Part { at: settings.at.clone(), origin: settings.origin.clone(), path, inventory }
    }

    /// Looks up a decoded path without its leading slash.
    /// `adds_html` is whether the site's own host adds `.html` to paths.
    pub fn answer(&self, path: &str, adds_html: bool) -> PartAnswer<'_> {
        let Some(inventory) = &self.inventory else { return PartAnswer::Unknown };
        // The hosts of other origins are not known.
        inventory.answer(path, adds_html || self.origin.is_some())
    }

    /// Returns whether an anchor exists in the part; `None` if that is not known.
    pub fn has_anchor(&self, address: &InventoryAddress, anchor: &str) -> Option<bool> {
        let inventory = &self.inventory.as_ref()?.inventory;
        match (address.has_anchor(anchor), &address.kind, inventory.anchors) {
            (true, ..) => Some(true),
            (false, AnswerKind::Page, AnchorSet::All | AnchorSet::Linked | AnchorSet::Headings) => {
                Some(false)
            }
            _ => None,
        }
    }

    /// Whether the inventory lists all anchors.
    pub fn has_all_anchors(&self) -> bool {
        self.inventory.as_ref().is_some_and(|inventory| inventory.inventory.anchors == AnchorSet::All)
    }

    /// Suggests an address for a decoded path that is missing.
    pub fn suggest(&self, path: &str) -> Option<String> {
        let (tree, suggestions) = self.inventory.as_ref()?.suggestions();
        let found = suggestions.suggest(tree, path.as_bytes())?;
        Some(format!("/{}", SitePath::new(found.path()).without_index()))
    }
}

impl PartInventory {
    fn new(inventory: Inventory) -> PartInventory {
        let redirects =
            Redirects::of_pairs(inventory.iter().filter_map(|(path, address)| match &address.kind {
                AnswerKind::Redirect { to, .. } => Some((path, &**to)),
                _ => None,
            }));
        PartInventory { inventory, redirects, suggestions: OnceLock::new() }
    }

    /// Returns the pages and files as those of an export, for suggestions.
    fn suggestions(&self) -> &(Tree, SuggestionIndex) {
        self.suggestions.get_or_init(|| {
            let files = self
                .inventory
                .iter()
                .filter(|(_, address)| !matches!(address.kind, AnswerKind::Redirect { .. }));
            let tree = Tree::of_paths(
                files.map(|(path, _)| SitePath::new(path.trim_start_matches('/')).with_index()),
            );
            let index = SuggestionIndex::new(&tree);
            (tree, index)
        })
    }

    fn answer(&self, path: &str, adds_html: bool) -> PartAnswer<'_> {
        let file = |at: &str| {
            let found = variants(at, adds_html).into_iter().flatten();
            let mut found = found.filter_map(|variant| self.inventory.entry(&variant));
            found.find(|(_, address)| !matches!(address.kind, AnswerKind::Redirect { .. }))
        };
        let redirect = |at: &String| self.redirects.find(at).filter(|_| file(at).is_none());
        let mut paths = follow(format!("/{path}"), |at| path_in_inventory(&redirect(at)?.1));
        let first = paths.next().unwrap_or_default();
        let last = paths.last();
        let end = last.as_ref().unwrap_or(&first);
        match file(end) {
            Some((answered, address)) => PartAnswer::Found(answered, address),
            // A destination outside of the inventory may exist.
            None if last.is_some() || redirect(end).is_some() || !self.lists(end) => PartAnswer::Unknown,
            None => PartAnswer::Missing,
        }
    }

    /// Whether the inventory would list a path if it existed. That of a check lists all files but those with a content hash
    /// in their name. Those of other tools list pages, apart from the pages that Sphinx makes of source code.
    fn lists(&self, path: &str) -> bool {
        let file = SitePath::new(path);
        let is_number = |extension: &str| extension.bytes().all(|byte| byte.is_ascii_digit());
        // `/docs/v1.2` may be a page.
        let is_page = file.is_page() || file.extension().is_none_or(is_number);
        match self.inventory.anchors {
            AnchorSet::Listed => is_page && !file.folders().any(|folder| folder == SOURCE_CODE),
            AnchorSet::Linked | AnchorSet::Headings | AnchorSet::All => file.is_page() || !is_hashed(path),
        }
    }
}

impl Parts {
    /// Creates the parts. The longest path comes first.
    pub fn new(mut parts: Vec<Part>) -> Parts {
        parts.sort_by_key(|part| std::cmp::Reverse(part.path.len()));
        Parts { parts }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the parts.
    pub fn iter(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter()
    }

    /// Returns the part of the site's own origin to which a path belongs: decoded, without its leading slash.
    pub fn own(&self, path: &[u8]) -> Option<&Part> {
        self.parts.iter().find(|part| part.origin.is_none() && part.contains(path))
    }

    /// Returns the address of a URL for an inventory: a path and a fragment, or the whole URL if the part has another
    /// origin. `None` if no part contains it.
    pub fn address(&self, url: &Url, is_own: bool) -> Option<String> {
        let (part, _) = self.of_url(url, is_own)?;
        let fragment = url.fragment().filter(|fragment| !fragment.is_empty());
        let path = if part.origin.is_some() {
            format!("{}{}", url.origin().ascii_serialization(), url.path())
        } else {
            url.path().to_owned()
        };
        Some(fragment.map_or(path.clone(), |fragment| format!("{path}#{fragment}")))
    }

    /// Returns the part of a URL, and its decoded path without the leading slash. `is_own` is whether the URL is on the
    /// site's own origin.
    pub fn of_url(&self, url: &Url, is_own: bool) -> Option<(&Part, String)> {
        let path = decode(url.path().trim_start_matches('/'))?;
        let has_origin = |part: &&Part| match &part.origin {
            None => is_own,
            Some(origin) => origin.origin() == url.origin(),
        };
        let part = self.parts.iter().filter(has_origin).find(|part| part.contains(path.as_bytes()))?;
        Some((part, path.into_owned()))
    }
}

impl Part {
    fn contains(&self, path: &[u8]) -> bool {
        let folder = self.path.as_bytes();
        path.starts_with(folder) || folder.strip_suffix(b"/") == Some(path)
    }
}

/// Returns the decoded path of a redirect's destination. A destination on another host is in no inventory, and one with a
/// fragment of its own replaces that of the link.
fn path_in_inventory(to: &str) -> Option<String> {
    let to = UrlReference::new(to);
    let path =
        to.path().strip_prefix('/').filter(|path| !path.starts_with('/') && to.fragment().is_none())?;
    Some(format!("/{}", decode(path)?))
}

/// Returns the addresses that hosts answer with the same file: with or without a slash or `index.html` at the end, and
/// with or without `.html` if the host adds it.
fn variants(path: &str, adds_html: bool) -> [Option<String>; 4] {
    let name = SitePath::new(path).name();
    let slash = match path.strip_suffix('/') {
        // A host answers 404 for a file with a slash.
        Some(bare) => SitePath::new(bare).extension().is_none().then(|| bare.to_owned()),
        None => Some(format!("{path}/")),
    };
    let index = match SitePath::new(path).index_folder() {
        Some(folder) => Some(folder.to_owned()),
        None => name.is_empty().then(|| SitePath::new(path).with_index()),
    };
    let html = match path.strip_suffix(".html") {
        _ if !adds_html || name.is_empty() => None,
        Some(bare) => Some(bare.to_owned()),
        None => Some(format!("{path}.html")),
    };
    [Some(path.to_owned()), slash, index, html]
}
