//! Lists a bucket page by page. A store may claim any number of pages and objects, so both are bounded. Removes
//! unusual keys from listings, so that foreign objects do not break them.
//!
//! `object_store` rejects a whole page of a listing if one key has an empty segment, a `.` or a control
//! character. It also reads the folder marker `terms/` as `terms`. None of these keys can be ours, so such
//! entries are removed from the response before it is parsed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use memchr::memmem;
use object_store::client::{HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::{ClientOptions, ObjectMeta};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::store::ListingRoom;

use crate::bucket::store_failure::{retry, store_failure};

/// Number of keys to request per page.
const PAGE: usize = 1_000;

/// Maximum number of pages: far more than [`ListingRoom`] allows full ones.
const MAX_PAGES: usize = 10_000;

/// Memory for an object of a listing besides its key, in bytes.
const ENTRY: usize = 200;

/// The listings of a bucket.
pub(crate) struct Listings {
    /// The store.
    pub store: Arc<dyn PaginatedListStore>,
    /// The prefix of the target's keys: empty, or a path that ends with `/`.
    pub prefix: String,
    /// Whether a listing can begin after a key.
    pub has_offsets: bool,
}

impl Listings {
    /// Passes the objects below `prefix` and after `after` to `add`, until it returns false.
    ///
    /// # Errors
    /// When the store does not answer, or its listing is too large or repeats a page.
    pub(crate) async fn each(
        &self,
        prefix: &str,
        after: Option<&str>,
        room: &ListingRoom,
        mut add: impl FnMut(String, &ObjectMeta) -> bool,
    ) -> Result<(), Failure> {
        let prefix = format!("{}{prefix}", self.prefix);
        let offset = after.filter(|_| self.has_offsets).map(|after| format!("{}{after}", self.prefix));
        let mut tokens = HashSet::new();
        let mut token: Option<String> = None;
        loop {
            let page = retry(|| {
                let (offset, page_token) = (offset.clone(), token.clone());
                let options =
                    PaginatedListOptions { offset, page_token, max_keys: Some(PAGE), ..Default::default() };
                self.store.list_paginated(Some(prefix.as_str()).filter(|prefix| !prefix.is_empty()), options)
            });
            let page = page.await.map_err(|error| store_failure(&error, "cannot list the target"))?;
            for entry in &page.result.objects {
                let Some(key) = entry.location.as_ref().strip_prefix(&self.prefix) else { continue };
                room.take(key.len() + ENTRY)?;
                if after.is_none_or(|after| key > after) && !add(key.to_owned(), entry) {
                    return Ok(());
                }
            }
            let Some(next) = page.page_token else { return Ok(()) };
            room.take(next.len())?;
            if tokens.len() == MAX_PAGES || !tokens.insert(next.clone()) {
                let message = "cannot list the target: the store's listing repeats a page, or does not end";
                return Err(Failure::new(FailureKind::Failed, message)
                    .help("check the endpoint, and proxies before it"));
            }
            token = Some(next);
        }
    }
}

/// Connects to a store through the inner connector, and filters its listings.
#[derive(Debug, Default)]
pub(super) struct ListingConnector<C>(pub C);

impl<C: HttpConnector> HttpConnector for ListingConnector<C> {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(ListingService(self.0.connect(options)?)))
    }
}

#[derive(Debug)]
struct ListingService(HttpClient);

#[async_trait]
impl HttpService for ListingService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let is_listing = is_listing(&request);
        let response = self.0.execute(request).await?;
        if !is_listing || !response.status().is_success() {
            return Ok(response);
        }
        let (mut head, body) = response.into_parts();
        let body = body.bytes().await?;
        Ok(match without_odd_keys(&body) {
            None => HttpResponse::from_parts(head, body.into()),
            Some(kept) => {
                head.headers.remove(http::header::CONTENT_LENGTH);
                HttpResponse::from_parts(head, kept.into())
            }
        })
    }
}

/// Whether a request lists objects: `list-type=2` in S3 and Google's XML API, `comp=list` in Azure.
pub(super) fn is_listing(request: &HttpRequest) -> bool {
    let query = request.uri().query().unwrap_or_default();
    request.method() == http::Method::GET
        && query.split('&').any(|pair| matches!(pair, "list-type=2" | "comp=list"))
}

/// The elements of one object and of its key: S3's and Google's, then Azure's.
const ENTRIES: [[&[u8]; 4]; 2] =
    [[b"<Contents>", b"</Contents>", b"<Key", b"</Key>"], [b"<Blob>", b"</Blob>", b"<Name", b"</Name>"]];

/// Returns a listing without unusual keys; none if it has no such key.
fn without_odd_keys(body: &[u8]) -> Option<Vec<u8>> {
    let [open, close, key_open, key_close] =
        ENTRIES.into_iter().find(|[open, ..]| memmem::find(body, open).is_some())?;
    let mut kept = Vec::new();
    let (mut taken, mut at) = (0, 0);
    while let Some(start) = memmem::find(&body[at..], open).map(|found| at + found) {
        let Some(end) = memmem::find(&body[start..], close).map(|found| start + found + close.len()) else {
            break;
        };
        let key = between(&body[start..end], key_open, key_close);
        if key.is_some_and(|key| !is_plain(key)) {
            kept.extend_from_slice(&body[taken..start]);
            taken = end;
        }
        at = end;
    }
    if taken == 0 {
        return None;
    }
    kept.extend_from_slice(&body[taken..]);
    Some(kept)
}

/// Returns the text between the start and end tags of an element. The attributes of a start tag are included,
/// so that Azure's `<Name Encoded="true">`, for names that XML cannot represent, is no plain key.
fn between<'e>(entry: &'e [u8], open: &[u8], close: &[u8]) -> Option<&'e [u8]> {
    let start = memmem::find(entry, open)? + open.len();
    let length = memmem::find(&entry[start..], close)?;
    let text = &entry[start..start + length];
    Some(text.strip_prefix(b">").unwrap_or(text))
}

/// Whether `object_store` returns a key, as escaped in XML, unchanged. All our keys are such.
fn is_plain(key: &[u8]) -> bool {
    let Some(key) = std::str::from_utf8(key).ok().and_then(unescape) else { return false };
    // XML parsers may trim whitespace.
    let is_trimmed = key.trim_matches([' ', '\t', '\r', '\n']) == key;
    is_trimmed && !key.is_empty() && Path::parse(&key).is_ok_and(|path| path.as_ref() == key)
}

/// Resolves the references in the text of an XML element (XML 1.0, 4.1 and 4.6). Returns none for an unknown
/// one.
fn unescape(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return (!text.contains('<')).then_some(Cow::Borrowed(text));
    }
    let mut parts = text.split('&');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let digits = name.strip_prefix('#')?;
                let code = match digits.strip_prefix('x') {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => digits.parse(),
                };
                char::from_u32(code.ok()?)?
            }
        });
        plain.push_str(rest);
    }
    Some(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use object_store::list::{PaginatedListOptions, PaginatedListResult, PaginatedListStore};
    use object_store::path::Path;
    use object_store::{ListResult, ObjectMeta};
    use sitegate_publish::store::ListingRoom;

    use super::{Listings, is_plain, without_odd_keys};

    /// A store whose pages never end.
    struct Endless {
        /// Number of keys in a page, and their length.
        keys: (usize, usize),
        /// Number of different page tokens.
        tokens: usize,
        pages: AtomicUsize,
    }

    #[async_trait]
    impl PaginatedListStore for Endless {
        async fn list_paginated(
            &self,
            _: Option<&str>,
            _: PaginatedListOptions,
        ) -> object_store::Result<PaginatedListResult> {
            let page = self.pages.fetch_add(1, Ordering::Relaxed);
            let object = |number| ObjectMeta {
                location: Path::from(format!("site/{page}-{number}-{}", "k".repeat(self.keys.1))),
                last_modified: std::time::UNIX_EPOCH.into(),
                size: 1,
                e_tag: None,
                version: None,
            };
            let objects = (0..self.keys.0).map(object).collect();
            let result =
                ListResult { common_prefixes: Vec::new(), objects, extensions: http::Extensions::new() };
            Ok(PaginatedListResult { result, page_token: Some((page % self.tokens).to_string()) })
        }
    }

    #[tokio::test]
    async fn endless_listings_are_errors() {
        for (keys, tokens, most, message) in [
            ((1, 1), 1, 2, "repeats a page"),
            ((1, 1), 3, 4, "repeats a page"),
            ((0, 0), usize::MAX, 10_001, "does not end"),
            ((1_000, 1_000), usize::MAX, 230, "more than 256 MiB"),
        ] {
            let store = Arc::new(Endless { keys, tokens, pages: AtomicUsize::new(0) });
            let listings = Listings {
                store: Arc::clone(&store) as Arc<_>,
                prefix: "site/".to_owned(),
                has_offsets: true,
            };
            let ended = listings.each("", None, &ListingRoom::default(), |_, _| true).await;
            let message_found = ended.err().map(|failure| failure.message).unwrap_or_default();
            assert!(message_found.contains(message), "{message_found}");
            let pages = store.pages.load(Ordering::Relaxed);
            assert!(pages <= most, "{pages} pages");
        }
    }

    #[test]
    fn plain_keys_survive_a_listing_unchanged() {
        let long = "k".repeat(1024);
        for key in
            ["index.html", "a b/c", "a%2Fb", "%", "a&amp;b", "d&#228;h", "d&#xe4;h", "\u{f8ff}/ü", &long]
        {
            assert!(is_plain(key.as_bytes()), "{key}");
        }
        let odd =
            ["", "logs//2026/x.gz", "a/./b", "../a", "terms/", "/terms", " a", "a\n", "a&#x1;b", "a&#9;"];
        let worse =
            ["a\u{7f}", "a&#0;b", "a&lt;&b", "a&nbsp;b", "a&#xd800;", "<![CDATA[a]]>", " Encoded=\"true\">a"];
        for key in odd.into_iter().chain(worse) {
            assert!(!is_plain(key.as_bytes()), "{key}");
        }
        assert!(!is_plain(b"caf\xe9"));
    }

    #[test]
    fn removes_only_unusual_keys_from_listings() {
        let entry = |key: &str| format!("<Contents><Key>{key}</Key><Size>1</Size></Contents>");
        let page = |entries: &str| {
            format!("<ListBucketResult>{entries}<IsTruncated>false</IsTruncated></ListBucketResult>")
        };
        let plain = page(&(entry("a") + &entry("b")));
        assert_eq!(without_odd_keys(plain.as_bytes()), None);
        let odd = page(&(entry("a//") + &entry("a") + &entry("logs//x") + &entry("b") + &entry("b/")));
        assert_eq!(without_odd_keys(odd.as_bytes()), Some(plain.into_bytes()));
        let all = page(&(entry("/") + &entry("//")));
        assert_eq!(without_odd_keys(all.as_bytes()), Some(page("").into_bytes()));
        assert_eq!(without_odd_keys(page("").as_bytes()), None);
        let blob = |name: &str| format!("<Blob><Name{name}</Name><Properties/></Blob>");
        let azure = format!("<Blobs>{}{}</Blobs>", blob(" Encoded=\"true\">a%EF%BF%BE"), blob(">a"));
        assert_eq!(
            without_odd_keys(azure.as_bytes()),
            Some(format!("<Blobs>{}</Blobs>", blob(">a")).into_bytes())
        );
        // Truncated XML is left to the parser.
        assert_eq!(without_odd_keys(b"<Contents><Key>a//b</Key>"), None);
    }
}
