//! Removes unusual keys from a bucket's listings, so that foreign objects do not break them.
//!
//! `object_store` rejects a whole page of a listing if one key has an empty segment, a `.` or a control
//! character. It also reads the folder marker `terms/` as `terms`. None of these keys can be ours, so such
//! entries are removed from the response before it is parsed.

use std::borrow::Cow;

use async_trait::async_trait;
use memchr::memmem;
use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService};
use object_store::path::Path;

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
    use super::{is_plain, without_odd_keys};

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
