//! Collects the addresses of one file: resolves them against the site's root, and leaves out those of other origins.

use crate::percent;
use url::Url;

use crate::inventory::model::{AnswerKind, Inventory, InventoryAddress, InventoryError};

/// An origin for sites whose origin is not known.
const UNKNOWN_ORIGIN: &str = "http://unknown.invalid/";

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct ReadSettings {
    /// The URL of the site's root: relative addresses are below it, and URLs of other origins are left out. Without it,
    /// the first URL in the file decides.
    pub root: Option<Url>,
    /// The number of requests from which an address in an access log counts; 0 means the default, 10.
    pub min_requests: u32,
}

/// The addresses of a file so far.
pub(super) struct Addresses {
    /// The URL that relative addresses are resolved against.
    base: Url,
    /// Whether the origin of the base is the site's.
    has_origin: bool,
    inventory: Inventory,
    /// Number of URLs of other origins.
    foreign: usize,
    /// Whether no address is no error.
    pub may_be_empty: bool,
}

impl Addresses {
    pub fn read(
        settings: &ReadSettings,
        read: impl FnOnce(&mut Addresses) -> Result<(), InventoryError>,
    ) -> Result<Inventory, InventoryError> {
        let root = settings.root.clone().or_else(|| Url::parse(UNKNOWN_ORIGIN).ok());
        let Some(root) = root else { unreachable!("a constant URL parses") };
        let mut addresses = Addresses {
            base: root,
            has_origin: settings.root.is_some(),
            inventory: Inventory::default(),
            foreign: 0,
            may_be_empty: false,
        };
        read(&mut addresses)?;
        let Addresses { base, has_origin, mut inventory, foreign, may_be_empty } = addresses;
        let origin = base.origin().ascii_serialization();
        if inventory.is_empty() && !may_be_empty {
            return Err(InventoryError::new(match foreign {
                0 => "it contains no address".to_owned(),
                1 => format!("its URL is not on {origin}"),
                _ => format!("none of its {foreign} URLs is on {origin}"),
            }));
        }
        inventory.origin = has_origin.then_some(origin);
        inventory.sort();
        Ok(inventory)
    }

    /// Sets the root that a file names, unless the caller knows it.
    pub fn set_root(&mut self, root: &str) {
        if !self.has_origin
            && let Ok(url) = Url::parse(root)
            && matches!(url.scheme(), "http" | "https")
        {
            (self.base, self.has_origin) = (url, true);
        }
    }

    /// Whether a host, perhaps with a port, may be the site's.
    pub fn may_have_host(&self, host: &str) -> bool {
        let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        let name = name.map_or(host, |(name, _)| name);
        !self.has_origin || self.base.host_str().is_none_or(|own| own.eq_ignore_ascii_case(name))
    }

    /// Adds a page by its URL, or by its address relative to the root. Its fragment is an anchor.
    pub fn add(&mut self, reference: &str, line: usize) -> Result<(), InventoryError> {
        self.add_address(reference, line, AnswerKind::Page)
    }

    fn add_address(&mut self, reference: &str, line: usize, kind: AnswerKind) -> Result<(), InventoryError> {
        let is_absolute = reference.contains("://");
        if is_absolute && !self.has_origin {
            let origin = Url::parse(reference).map(|url| url.origin().ascii_serialization());
            self.set_root(&origin.unwrap_or_default());
        }
        let url = self.base.join(reference).map_err(|_| InventoryError::at(line, "this is not a URL"))?;
        if url.origin() != self.base.origin() {
            self.foreign += 1;
            return Ok(());
        }
        // A URL that is not UTF-8 is no address of a page.
        let decoded = |text: &str| percent::decode(text).map(Box::<str>::from);
        let Some(path) = decoded(url.path()) else { return Ok(()) };
        let fragment = url.fragment().filter(|fragment| !fragment.is_empty() && !fragment.starts_with(":~:"));
        let anchors = fragment.and_then(decoded).into_iter().collect();
        let mut address = InventoryAddress::new(kind).with(anchors, Vec::new());
        address.line = u32::try_from(line).unwrap_or(u32::MAX);
        self.inventory.push(&path, address)
    }
}
