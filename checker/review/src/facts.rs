//! Page facts: what a visitor, a browser and a search engine get from each page of one build. Their lists have a
//! limited number of entries, so that a small file cannot take much memory.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use sitegate_base::plural::thousands;

use crate::texts::TextId;

/// The facts of one build of a site. Addresses are paths below the site's root, so that a preview below `/pr-12/` can be
/// compared with the live site.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteFacts {
    /// The pages, in the order of their addresses.
    #[serde(deserialize_with = "at_most::<1_000_000, _, _>")]
    pub pages: Vec<PageFacts>,
    /// The other files, sorted by path.
    #[serde(deserialize_with = "at_most::<3_000_000, _, _>")]
    pub files: Vec<OtherFile>,
    /// The files that pages load.
    #[serde(deserialize_with = "at_most::<1_000_000, _, _>")]
    pub assets: Vec<AssetFacts>,
    /// Redirects and rewrites: the address or pattern, its destination, the status, and whether it comes before files.
    #[serde(deserialize_with = "at_most::<1_000_000, _, _>")]
    pub redirects: Vec<(Box<str>, Box<str>, u16, bool)>,
    /// The headers that `_headers` sets: path pattern, name in lower case, and value.
    #[serde(deserialize_with = "at_most::<1_000_000, _, _>")]
    pub headers: Vec<(Box<str>, Box<str>, Box<str>)>,
    /// The addresses of the sitemaps, with their `lastmod`, if any, sorted.
    #[serde(deserialize_with = "at_most::<3_000_000, _, _>")]
    pub sitemap: Vec<(Box<str>, Option<TextId>)>,
    /// External links with their fragments, sorted. A review does not need them, so only files of facts have them.
    #[serde(deserialize_with = "at_most::<1_000_000, _, _>")]
    pub links: Vec<Box<str>>,
    /// Files that could not be read, and a crawl that is incomplete.
    #[serde(deserialize_with = "at_most::<10_000, _, _>")]
    pub unread: Vec<String>,
    /// Whether files that no page refers to are missing, and headers: of a live site.
    pub is_partial: bool,
    /// Whether the host answers `/page` with `page.html`.
    #[serde(default)]
    pub adds_html: bool,
}

/// The facts of one page.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageFacts {
    /// Its address below the site's root, with a leading slash.
    #[serde(rename = "at")]
    pub address: Box<str>,
    /// The addresses that links use, if not only `address`: a host may also answer `/page` with `page.html`.
    #[serde(rename = "ln", default, skip_serializing_if = "Vec::is_empty")]
    pub linked_as: Vec<Box<str>>,
    /// The destination of its refresh.
    #[serde(rename = "to", default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Box<str>>,
    /// The search engines that may index it, a bit for each: neither `noindex`, nor excluded by robots.txt.
    #[serde(rename = "ix")]
    pub crawlers: u8,
    /// Title, description, canonical URL and other metadata: names and values, in the order of the page.
    #[serde(rename = "h")]
    pub head: Vec<(TextId, TextId)>,
    /// The visible text: the place of each block, and its text with white space folded.
    #[serde(rename = "b")]
    pub blocks: Vec<(TextId, TextId)>,
    /// Markup that browsers show by default: the index of a block, its kind, such as `<h1>`, and its text with inline
    /// markup. Blocks without any are left out.
    #[serde(rename = "m", default, skip_serializing_if = "Vec::is_empty")]
    pub markup: Vec<(u32, TextId, TextId)>,
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
    /// Attributes, and contents that are neither text nor scripts: the place of each, its name, and its value.
    #[serde(rename = "av")]
    pub attributes: Vec<(TextId, TextId, TextId)>,
    /// Ids and names that links may point to, each with the index of the block that it is in, or before.
    #[serde(rename = "an")]
    pub anchors: Vec<(TextId, u32)>,
    /// The structure around each block, and after the last one: a list of tags.
    #[serde(rename = "o")]
    pub outline: Vec<TextId>,
    /// Texts of blocks with `time` elements, each with the text around their dates.
    #[serde(rename = "ti", default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<(TextId, TextId)>,
    /// Hash of its bytes without noise: without dates of `time` elements, nonces, and hashes in names of files.
    #[serde(rename = "c")]
    pub content: ContentHash,
    /// Hash of the nonces, and hash of the names of files with hashes.
    #[serde(rename = "n")]
    pub noise: [u64; 2],
}

/// Hash of bytes that visitors get: the first half of a SHA-256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(u128);

impl ContentHash {
    /// Returns the hash of a SHA-256 in hexadecimal digits.
    pub fn from_hex(sha256: &str) -> Option<ContentHash> {
        u128::from_str_radix(sha256.get(..32)?, 16).ok().map(ContentHash)
    }

    /// Returns the hash of a SHA-256, of which the first 16 bytes count.
    pub fn new(sha256: &[u8]) -> ContentHash {
        ContentHash(sha256.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }
}

/// Its first eight hexadecimal digits.
impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:08x}", self.0 >> 96)
    }
}

/// A file that is no page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherFile {
    /// Its path below the root of the site, without a leading slash.
    #[serde(rename = "p")]
    pub path: Box<str>,
    /// Its address, if people may link to it: no code, no font, and no name with a content hash.
    #[serde(rename = "at", default, skip_serializing_if = "Option::is_none")]
    pub address: Option<Box<str>>,
    /// The hash of its content; `None` if it was not read.
    #[serde(rename = "h")]
    pub content: Option<ContentHash>,
}

/// An inline script.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScriptFacts {
    /// Hash of its text without hashes in names of files.
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
    /// Returns the pages by their addresses.
    pub(crate) fn by_address(&self) -> HashMap<&str, &PageFacts> {
        self.pages.iter().map(|page| (&*page.address, page)).collect()
    }

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
            for (first, second) in page.head.iter_mut().chain(&mut page.blocks).chain(&mut page.times) {
                set(first)?;
                set(second)?;
            }
            for (_, kind, marked) in &mut page.markup {
                set(kind)?;
                set(marked)?;
            }
            for (place, name, value) in &mut page.attributes {
                set(place)?;
                set(name)?;
                set(value)?;
            }
            let anchors = page.anchors.iter_mut().map(|(id, _)| id);
            page.hosts.iter_mut().chain(&mut page.outline).chain(anchors).try_for_each(&mut set)?;
            page.scripts.iter_mut().try_for_each(|script| set(&mut script.start))?;
        }
        self.assets.iter_mut().try_for_each(|asset| set(&mut asset.name))?;
        self.sitemap.iter_mut().filter_map(|(_, lastmod)| lastmod.as_mut()).try_for_each(set)
    }
}

/// Begins the message about a list with too many entries.
pub(crate) const TOO_MANY: &str = "too many entries: ";

/// Returns the message about a list with too many entries.
pub(crate) fn too_many(name: &str, most: usize) -> String {
    format!("{TOO_MANY}{} {name}", thousands(most))
}

/// Reads a list of at most `MOST` entries, so that a small file cannot take much memory.
fn at_most<'de, const MOST: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct AtMost<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for AtMost<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut all = Vec::new();
            while let Some(next) = seq.next_element()? {
                if all.len() == MOST {
                    return Err(serde::de::Error::custom(too_many("entries of a list", MOST)));
                }
                all.push(next);
            }
            Ok(all)
        }
    }

    deserializer.deserialize_seq(AtMost::<T, MOST>(PhantomData))
}
