//! A review: what visitors see of a change, by cause. It is complete and serializable; renderers need nothing else.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::DiffPart;

/// The version of the JSON format. New fields may be added without a new version.
pub const SCHEMA_VERSION: u32 = 1;

/// The differences between two builds of a site.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// Version of this format.
    pub schema_version: u32,
    /// Version of the program.
    pub version: String,
    /// The build before the change; null if there is none, so that nothing was compared.
    pub base: Option<ReviewedSite>,
    /// The build with the change.
    pub new: ReviewedSite,
    /// Number of pages with a change that is listed, added pages included.
    pub changed_pages: usize,
    /// The causes, most important first.
    pub causes: Vec<ReviewCause>,
    /// Differences that are not listed, because two builds of one commit have them, too.
    pub noise: Vec<NoiseSummary>,
    /// The smallest found set of pages that shows every changed template, style and script.
    pub look_at: Vec<PageToLookAt>,
    /// The kinds of causes found for which the contract fails the review.
    pub failed: Vec<CauseKind>,
    /// URL of the preview, below which the new pages are.
    pub preview: Option<String>,
    /// What could not be read, so that the review is incomplete.
    pub unread: Vec<String>,
}

/// Maximum number of addresses of a cause.
pub(crate) const EXAMPLES: usize = 3;

/// One of the builds.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedSite {
    /// Its name: the folder, file, target or URL.
    pub name: String,
    /// Number of pages.
    pub pages: usize,
}

/// A cause of changes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReviewCause {
    /// Its kind.
    pub kind: CauseKind,
    /// One line, such as "`footer > p`: changed".
    pub title: String,
    /// Number of pages.
    pub pages: usize,
    /// Addresses of the first pages, below the root of the site.
    pub addresses: Vec<String>,
    /// The changed texts, as words.
    pub texts: Vec<Vec<DiffPart>>,
    /// Number of further texts.
    pub more_texts: usize,
    /// More lines, such as the redirects of addresses.
    pub details: Vec<String>,
}

impl ReviewCause {
    /// Returns a cause without texts, for the pages with these addresses.
    pub(crate) fn of_pages(kind: CauseKind, title: impl Into<String>, addresses: &[String]) -> ReviewCause {
        ReviewCause {
            kind,
            title: title.into(),
            pages: addresses.len(),
            addresses: addresses.iter().take(EXAMPLES).cloned().collect(),
            texts: Vec::new(),
            more_texts: 0,
            details: Vec::new(),
        }
    }
}

/// The kinds of causes, most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// Addresses that no page, file or redirect answers now.
    LostUrl,
    /// Pages that have another address now.
    MovedUrl,
    /// Pages that are redirects now.
    RedirectedUrl,
    /// New addresses.
    AddedUrl,
    /// Pages that search engines may no longer index.
    Noindex,
    /// Pages that search engines may index now.
    Index,
    /// Visible text.
    Text,
    /// Title, description, canonical URL, languages, social cards and structured data.
    Metadata,
    /// Hosts that browsers contact now.
    NewHost,
    /// New inline scripts.
    InlineScript,
    /// Larger scripts, styles, images or fonts of pages.
    Weight,
    /// Dates in the sitemap that contradict the change.
    Lastmod,
}

impl CauseKind {
    /// All kinds.
    pub const ALL: [CauseKind; 12] = [
        CauseKind::LostUrl,
        CauseKind::MovedUrl,
        CauseKind::RedirectedUrl,
        CauseKind::AddedUrl,
        CauseKind::Noindex,
        CauseKind::Index,
        CauseKind::Text,
        CauseKind::Metadata,
        CauseKind::NewHost,
        CauseKind::InlineScript,
        CauseKind::Weight,
        CauseKind::Lastmod,
    ];

    /// Its name in the contract and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            CauseKind::LostUrl => "lost-url",
            CauseKind::MovedUrl => "moved-url",
            CauseKind::RedirectedUrl => "redirected-url",
            CauseKind::AddedUrl => "added-url",
            CauseKind::Noindex => "noindex",
            CauseKind::Index => "index",
            CauseKind::Text => "text",
            CauseKind::Metadata => "metadata",
            CauseKind::NewHost => "new-host",
            CauseKind::InlineScript => "inline-script",
            CauseKind::Weight => "weight",
            CauseKind::Lastmod => "lastmod",
        }
    }

    /// The heading of its section.
    pub fn section(self) -> &'static str {
        match self {
            CauseKind::LostUrl | CauseKind::MovedUrl | CauseKind::RedirectedUrl | CauseKind::AddedUrl => {
                "Addresses"
            }
            CauseKind::Noindex | CauseKind::Index => "Search engines",
            CauseKind::Text => "Texts",
            CauseKind::Metadata => "Metadata",
            CauseKind::NewHost | CauseKind::InlineScript => "Hosts and inline scripts",
            CauseKind::Weight => "Page weight",
            CauseKind::Lastmod => "Sitemap dates",
        }
    }
}

/// Differences that are not listed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NoiseSummary {
    /// The place of the text, or the name of the metadata.
    pub place: String,
    /// Number of pages.
    pub pages: usize,
}

/// A page that shows changes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PageToLookAt {
    /// Its address below the root of the site.
    pub address: String,
    /// The changes that no page before it shows.
    pub shows: Vec<String>,
}

impl Review {
    /// Returns the URL of a page in the preview, or its address.
    pub fn url(&self, address: &str) -> String {
        match &self.preview {
            // Without the slash, an address could change the host: `@other.example`.
            Some(preview) => {
                let path = address.strip_prefix('/').unwrap_or(address);
                format!("{}/{}", preview.trim_end_matches('/'), encoded(path))
            }
            None => address.to_owned(),
        }
    }

    /// Returns the URL of a page of a cause: its address, if the preview does not have it.
    pub(crate) fn url_in(&self, cause: &ReviewCause, address: &str) -> String {
        if cause.kind == CauseKind::LostUrl { address.to_owned() } else { self.url(address) }
    }
}

/// Encodes the characters of a decoded path that end a URL, or a line.
fn encoded(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii() && (c.is_ascii_control() || matches!(c, ' ' | '"' | '#' | '<' | '>')) {
            let _ = write!(url, "%{:02X}", c as u32);
        } else {
            url.push(c);
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::Review;
    use crate::{ReviewOptions, SiteFacts};

    #[test]
    fn addresses_stay_on_the_host_and_the_line() {
        let preview = Some("https://p.example/".to_owned());
        let options = ReviewOptions { preview, ..ReviewOptions::default() };
        let review = Review::without_base(&SiteFacts::default(), &options);
        assert_eq!(review.url("/a/"), "https://p.example/a/");
        assert_eq!(review.url("@x.example/"), "https://p.example/@x.example/");
        assert_eq!(review.url("/a b\n#c"), "https://p.example/a%20b%0A%23c");
    }
}
