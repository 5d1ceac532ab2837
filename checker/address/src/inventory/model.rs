//! Represents an inventory, and the error of one that cannot be used.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// An inventory that cannot be used. The message never quotes the file, since it may be any file.
#[derive(Debug, thiserror::Error)]
#[error("{}{reason}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct InventoryError {
    /// Line of the error, from 1, if it has one.
    pub line: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl InventoryError {
    pub(crate) fn new(reason: impl Into<String>) -> InventoryError {
        InventoryError { line: None, reason: reason.into() }
    }

    pub(crate) fn at(line: usize, reason: impl Into<String>) -> InventoryError {
        InventoryError { line: Some(line), reason: reason.into() }
    }
}

/// Maximum number of addresses and anchors in an inventory. Together with [`MAX_SIZE`](super::MAX_SIZE) it bounds the memory for
/// one inventory to about 400 MiB.
pub const MAX_ENTRIES: usize = 3_000_000;

/// The addresses that a site answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Scheme, host and port of the site, without a trailing slash; `None` if it is not known.
    pub origin: Option<String>,
    /// The anchors that it contains.
    pub anchors: AnchorSet,
    addresses: BTreeMap<Box<str>, InventoryAddress>,
    /// Number of addresses, anchors and links.
    entries: usize,
}

/// The anchors that an inventory contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnchorSet {
    /// Some: a page may have more.
    #[default]
    Listed,
    /// Those of headings, terms, sections and figures, and all others that a link of the site uses.
    Linked,
    /// Those of headings, terms, sections and figures.
    Headings,
    /// All.
    All,
}

/// One address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InventoryAddress {
    /// The answer of the site.
    pub kind: AnswerKind,
    /// Ids that a fragment can refer to, decoded, sorted, each once.
    anchors: Vec<Box<str>>,
    /// Links of this page to other parts: URLs, sorted, each once.
    links: Vec<Box<str>>,
    /// Whether search engines may not show the page, because of `noindex`.
    pub is_noindex: bool,
    /// Line of the file that it was read from, from 1.
    pub line: u32,
}

/// The answer of a site to an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// A page.
    Page,
    /// Another file.
    File,
    /// A redirect to this path or URL. The address may be a pattern, as in a `_redirects` file.
    Redirect {
        /// How the site redirects.
        via: Via,
        /// The destination, as written: a path with a leading slash, or a URL.
        to: Box<str>,
    },
}

/// How a site redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// By an HTTP status. Browsers keep the fragment.
    Status(u16),
    /// By a page with `<meta http-equiv="refresh">`. Browsers drop the fragment.
    Refresh,
    /// By such a page, with a script that keeps the fragment.
    Script,
}

impl Via {
    /// Whether a fragment of the old address applies to the new one.
    pub fn keeps_fragment(self) -> bool {
        !matches!(self, Via::Refresh)
    }
}

impl InventoryAddress {
    /// Creates an address without anchors and links.
    pub fn new(kind: AnswerKind) -> InventoryAddress {
        InventoryAddress { kind, anchors: Vec::new(), links: Vec::new(), is_noindex: false, line: 0 }
    }

    /// Sets whether the page has `noindex`.
    #[must_use]
    pub fn noindex(self, is_noindex: bool) -> InventoryAddress {
        InventoryAddress { is_noindex, ..self }
    }

    /// Adds anchors and links. They may be in any order.
    #[must_use]
    pub fn with(self, anchors: Vec<Box<str>>, links: Vec<Box<str>>) -> InventoryAddress {
        InventoryAddress { anchors: sorted(anchors), links: sorted(links), ..self }
    }

    /// Returns the anchors, decoded, in order.
    pub fn anchors(&self) -> impl ExactSizeIterator<Item = &str> {
        self.anchors.iter().map(AsRef::as_ref)
    }

    /// Whether the page has an anchor (decoded).
    pub fn has_anchor(&self, anchor: &str) -> bool {
        self.anchors.binary_search_by(|own| (**own).cmp(anchor)).is_ok()
    }

    /// Returns the links to other parts, in order.
    pub fn links(&self) -> impl ExactSizeIterator<Item = &str> {
        self.links.iter().map(AsRef::as_ref)
    }

    /// Whether it is a pattern: a redirect of many addresses.
    pub fn is_pattern(&self, path: &str) -> bool {
        matches!(self.kind, AnswerKind::Redirect { .. }) && (path.contains('*') || path.contains("/:"))
    }

    fn entries(&self) -> usize {
        1 + self.anchors.len() + self.links.len()
    }
}

fn sorted(mut texts: Vec<Box<str>>) -> Vec<Box<str>> {
    texts.sort_unstable();
    texts.dedup();
    texts.shrink_to_fit();
    texts
}

impl Inventory {
    /// Whether it states which pages have `noindex`: a check made it, which reads the pages.
    pub fn states_noindex(&self) -> bool {
        self.anchors != AnchorSet::Listed
    }

    /// Creates an inventory without addresses.
    pub fn new(origin: Option<String>, anchors: AnchorSet) -> Inventory {
        Inventory { origin, anchors, ..Inventory::default() }
    }

    /// Adds an address, by its decoded path with a leading slash. The anchors and links of an address that is added twice
    /// are joined, and a page or a file counts more than a redirect.
    ///
    /// # Errors
    /// If the inventory becomes too large.
    pub fn add(&mut self, path: &str, address: InventoryAddress) -> Result<(), InventoryError> {
        match self.addresses.entry(path.into()) {
            Entry::Vacant(entry) => {
                self.entries += address.entries();
                entry.insert(address);
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                self.entries -= known.entries();
                let is_answered = matches!(known.kind, AnswerKind::Page | AnswerKind::File);
                let InventoryAddress { kind, anchors, links, is_noindex, line } = address;
                let mut joined = InventoryAddress {
                    kind: if is_answered { known.kind.clone() } else { kind },
                    anchors: std::mem::take(&mut known.anchors),
                    links: std::mem::take(&mut known.links),
                    is_noindex: known.is_noindex && is_noindex,
                    line: known.line.min(line),
                };
                joined.anchors.extend(anchors);
                joined.links.extend(links);
                joined.anchors = sorted(joined.anchors);
                joined.links = sorted(joined.links);
                self.entries += joined.entries();
                *known = joined;
            }
        }
        self.check_size()
    }

    /// Adds an address of a file without sorting its anchors and links, so that a file with many anchors of one address
    /// is read in linear time. [`Inventory::sort`] must follow.
    ///
    /// # Errors
    /// If the inventory becomes too large.
    pub(crate) fn push(&mut self, path: &str, address: InventoryAddress) -> Result<(), InventoryError> {
        self.entries += address.anchors.len() + address.links.len();
        match self.addresses.entry(path.into()) {
            Entry::Vacant(entry) => {
                self.entries += 1;
                entry.insert(address);
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                known.anchors.extend(address.anchors);
                known.links.extend(address.links);
                known.line = known.line.min(address.line);
                known.is_noindex &= address.is_noindex;
                if matches!(known.kind, AnswerKind::Redirect { .. }) {
                    known.kind = address.kind;
                }
            }
        }
        self.check_size()
    }

    /// Sorts the anchors and links of all addresses.
    pub(crate) fn sort(&mut self) {
        for address in self.addresses.values_mut() {
            address.anchors = sorted(std::mem::take(&mut address.anchors));
            address.links = sorted(std::mem::take(&mut address.links));
        }
        self.entries = self.addresses.values().map(InventoryAddress::entries).sum();
    }

    fn check_size(&self) -> Result<(), InventoryError> {
        if self.entries <= MAX_ENTRIES {
            return Ok(());
        }
        let message =
            format!("it has more than {MAX_ENTRIES} addresses and anchors; split the site into parts");
        Err(InventoryError::new(message))
    }

    /// Adds the addresses of another inventory.
    ///
    /// # Errors
    /// If both have an origin and these differ, or the result becomes too large.
    pub fn join(&mut self, other: Inventory) -> Result<(), InventoryError> {
        if let (Some(own), Some(its)) = (&self.origin, &other.origin)
            && own != its
        {
            return Err(InventoryError::new(format!("it is of {its}, and another one of {own}")));
        }
        self.anchors = match (self.addresses.is_empty(), self.anchors == other.anchors) {
            (true, _) | (_, true) => other.anchors,
            // Of both, the fewer anchors.
            _ if [self.anchors, other.anchors].contains(&AnchorSet::Listed) => AnchorSet::Listed,
            _ => AnchorSet::Headings,
        };
        self.origin = self.origin.take().or(other.origin);
        other.addresses.into_iter().try_for_each(|(path, address)| self.add(&path, address))
    }

    /// Returns an address, by its decoded path with a leading slash.
    pub fn get(&self, path: &str) -> Option<&InventoryAddress> {
        self.addresses.get(path)
    }

    /// Returns an address with its path.
    pub fn entry(&self, path: &str) -> Option<(&str, &InventoryAddress)> {
        self.addresses.get_key_value(path).map(|(path, address)| (&**path, address))
    }

    /// Returns all addresses in the order of their paths, which are decoded.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &InventoryAddress)> {
        self.addresses.iter().map(|(path, address)| (&**path, address))
    }

    /// Returns the addresses whose paths begin with a prefix.
    pub fn below<'i>(&'i self, prefix: &'i str) -> impl Iterator<Item = (&'i str, &'i InventoryAddress)> {
        let from = (std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded);
        let paths = self.addresses.range::<str, _>(from).map(|(path, address)| (&**path, address));
        paths.take_while(move |(path, _)| path.starts_with(prefix))
    }

    /// Keeps the addresses whose paths begin with a prefix.
    pub fn retain_below(&mut self, prefix: &str) {
        self.addresses.retain(|path, _| path.starts_with(prefix));
        self.entries = self.addresses.values().map(InventoryAddress::entries).sum();
    }

    /// Number of addresses.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Whether it has no address.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }
}
