//! Page facts: what a visitor, a browser and a search engine get from each page of one build.

use serde::{Deserialize, Serialize};

use crate::texts::TextId;

/// The facts of one build of a site. Addresses are paths below the site's root, so that a preview below `/pr-12/` can be
/// compared with the live site.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteFacts {
    /// The pages, in the order of their addresses.
    pub pages: Vec<PageFacts>,
    /// The addresses of other files whose names have no content hash, sorted.
    pub files: Vec<Box<str>>,
    /// The files that pages load.
    pub assets: Vec<AssetFacts>,
    /// HTTP redirects: the address or pattern, and its destination.
    pub redirects: Vec<(Box<str>, Box<str>)>,
    /// The addresses of the sitemaps, with their `lastmod`, if any, sorted.
    pub sitemap: Vec<(Box<str>, Option<TextId>)>,
    /// Files that could not be read, and a crawl that is incomplete.
    pub unread: Vec<String>,
}

/// The facts of one page.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageFacts {
    /// Its address below the site's root, with a leading slash.
    #[serde(rename = "at")]
    pub address: Box<str>,
    /// The destination of its refresh.
    #[serde(rename = "to", default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Box<str>>,
    /// Whether search engines may index it: neither `noindex`, nor excluded by robots.txt.
    #[serde(rename = "ix")]
    pub is_indexable: bool,
    /// Title, description, canonical URL and other metadata: names and values, in the order of the page.
    #[serde(rename = "h")]
    pub head: Vec<(TextId, TextId)>,
    /// The visible text: the place of each block, and its text with white space folded.
    #[serde(rename = "b")]
    pub blocks: Vec<(TextId, TextId)>,
    /// Hosts that browsers contact for the page, each once.
    #[serde(rename = "ho")]
    pub hosts: Vec<TextId>,
    /// Inline scripts, in the order of the page.
    #[serde(rename = "s")]
    pub scripts: Vec<ScriptFacts>,
    /// Loaded files, as sorted indexes of [`SiteFacts::assets`].
    #[serde(rename = "a")]
    pub assets: Vec<u32>,
    /// The size budget of the contract for the page and its files, in bytes.
    #[serde(rename = "bu", default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// Hash of the template: the kinds of places.
    #[serde(rename = "t")]
    pub template: u64,
}

/// An inline script.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScriptFacts {
    /// Hash of its text without dates, numbers and random ids.
    pub hash: u64,
    /// Its beginning.
    pub start: TextId,
    /// Whether a Content-Security-Policy blocks it.
    pub is_blocked: bool,
}

/// A file that pages load.
#[derive(Debug, Serialize, Deserialize)]
pub struct AssetFacts {
    /// Its path without content hashes.
    pub name: TextId,
    /// Its kind.
    pub kind: AssetKind,
    /// Its size in bytes.
    pub size: u64,
    /// Hash of its content: only of scripts and styles, 0 for others.
    pub hash: u64,
    /// Files that it loads, as indexes of [`SiteFacts::assets`].
    pub loads: Vec<u32>,
}

/// The kind of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssetKind {
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// An image.
    Image,
    /// A font.
    Font,
}

impl AssetKind {
    /// All kinds.
    pub const ALL: [AssetKind; 4] = [AssetKind::Script, AssetKind::Style, AssetKind::Image, AssetKind::Font];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AssetKind::Script => "script",
            AssetKind::Style => "style",
            AssetKind::Image => "image",
            AssetKind::Font => "font",
        }
    }
}

impl SiteFacts {
    /// Replaces every text id, in a fixed order.
    ///
    /// # Errors
    /// The first error of `replace`.
    pub(crate) fn replace_texts<E>(
        &mut self,
        mut replace: impl FnMut(TextId) -> Result<TextId, E>,
    ) -> Result<(), E> {
        let mut set = |id: &mut TextId| replace(*id).map(|new| *id = new);
        for page in &mut self.pages {
            for (first, second) in page.head.iter_mut().chain(&mut page.blocks) {
                set(first)?;
                set(second)?;
            }
            page.hosts.iter_mut().try_for_each(&mut set)?;
            page.scripts.iter_mut().try_for_each(|script| set(&mut script.start))?;
        }
        self.assets.iter_mut().try_for_each(|asset| set(&mut asset.name))?;
        self.sitemap.iter_mut().filter_map(|(_, lastmod)| lastmod.as_mut()).try_for_each(set)
    }
}
