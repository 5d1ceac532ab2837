//! A review: what visitors see of a change, by cause. It is complete and serializable; renderers need nothing else.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::DiffPart;

/// Maximum number of addresses, files or redirects of a cause that is a list of them.
pub(crate) const LISTED: usize = 20;

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
    /// Number of files that both builds have, but whose contents were not compared: those of a live site.
    #[serde(default)]
    pub not_compared: usize,
}

/// The place of files that also differ between two builds of one commit.
pub(crate) const FILES_NOISE: &str = "files";

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
    /// Number of pages; of a list, the number of its addresses, files or redirects.
    pub pages: usize,
    /// Addresses of the first pages or files, below the root of the site.
    pub addresses: Vec<String>,
    /// The changed texts, as words.
    pub texts: Vec<Vec<DiffPart>>,
    /// Number of further texts.
    pub more_texts: usize,
    /// More lines, such as the redirects of addresses.
    pub details: Vec<String>,
}

impl ReviewCause {
    /// Whether it is about redirects or headers of the site, and not about pages.
    pub(crate) fn is_of_site(&self) -> bool {
        self.addresses.is_empty() && matches!(self.kind, CauseKind::Target | CauseKind::Policy)
    }

    /// Returns a cause without texts, for the pages with these addresses.
    pub(crate) fn of_pages(
        kind: CauseKind,
        title: impl Into<String>,
        addresses: impl IntoIterator<Item = impl ToString>,
    ) -> ReviewCause {
        let mut rest = addresses.into_iter();
        let first: Vec<String> = rest.by_ref().take(EXAMPLES).map(|address| address.to_string()).collect();
        ReviewCause {
            kind,
            title: title.into(),
            pages: first.len() + rest.count(),
            addresses: first,
            texts: Vec::new(),
            more_texts: 0,
            details: Vec::new(),
        }
    }

    /// Returns a cause that is a list of addresses or of lines: each counts.
    pub(crate) fn of_list(
        kind: CauseKind,
        title: impl Into<String>,
        mut addresses: Vec<String>,
        mut details: Vec<String>,
    ) -> ReviewCause {
        let pages = addresses.len().max(details.len());
        addresses.truncate(LISTED);
        details.truncate(LISTED);
        let none: [&str; 0] = [];
        ReviewCause { pages, addresses, details, ..ReviewCause::of_pages(kind, title, none) }
    }

    /// Returns it if it has pages.
    pub(crate) fn if_any(self) -> Option<ReviewCause> {
        (self.pages > 0).then_some(self)
    }
}

/// Declares [`CauseKind`] from one list: its kinds, their names in the contract and in JSON, and the headings of their
/// sections.
macro_rules! cause_kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $section:literal,)*) => {
        /// The kinds of causes, most important first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum CauseKind {
            $($(#[$doc])* #[serde(rename = $name)] $kind,)*
        }

        impl CauseKind {
            /// All kinds.
            pub const ALL: [CauseKind; [$($name),*].len()] = [$(CauseKind::$kind),*];

            /// Its name in the contract and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(CauseKind::$kind => $name,)*
                }
            }

            /// The heading of its section.
            pub fn section(self) -> &'static str {
                match self {
                    $(CauseKind::$kind => $section,)*
                }
            }
        }
    };
}

cause_kinds! {
    /// Addresses that no page, file or redirect answers now.
    LostUrl "lost-url" "Addresses",
    /// Pages that have another address now.
    MovedUrl "moved-url" "Addresses",
    /// Pages that are redirects now.
    RedirectedUrl "redirected-url" "Addresses",
    /// New addresses.
    AddedUrl "added-url" "Addresses",
    /// Pages that search engines may no longer index.
    Noindex "noindex" "Search engines",
    /// Pages that search engines may index now.
    Index "index" "Search engines",
    /// Content security policies and other headers, integrity, event handlers, and similar attributes.
    Policy "policy" "Policies",
    /// Hosts that links, forms and redirects newly point to.
    TargetHost "target-host" "Targets",
    /// Addresses that links, forms, redirects and loaded files point to.
    Target "target" "Targets",
    /// Visible text.
    Text "text" "Texts",
    /// Title, description, canonical URL, languages, social cards and structured data.
    Metadata "metadata" "Metadata",
    /// Other attributes, such as `alt` and `hidden`, and contents that are neither text nor scripts.
    Attribute "attribute" "Attributes",
    /// Ids that links may point to, and that no longer exist.
    LostAnchor "lost-anchor" "Anchors lost",
    /// Hosts that browsers contact now.
    NewHost "new-host" "Hosts and inline scripts",
    /// New and removed inline scripts.
    InlineScript "inline-script" "Hosts and inline scripts",
    /// Other files that were changed, added or removed.
    File "file" "Files",
    /// Larger scripts, styles, images or fonts of pages.
    Weight "weight" "Page weight",
    /// Dates in the sitemap that contradict the change.
    Lastmod "lastmod" "Sitemap dates",
    /// Pages of which only bytes differ that are not compared otherwise: comments, white space, classes.
    Bytes "bytes" "Bytes only",
}

/// Differences that are not listed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NoiseSummary {
    /// The place of the text, the name of the metadata, or the kind of noise.
    pub place: String,
    /// Number of pages, or of files.
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
        let is_elsewhere = matches!(cause.kind, CauseKind::LostUrl | CauseKind::File);
        if is_elsewhere { address.to_owned() } else { self.url(address) }
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
