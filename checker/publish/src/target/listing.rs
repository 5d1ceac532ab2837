//! Listings without the keys that cannot be ours: a bucket is listed whole whatever others call their objects.
//!
//! `object_store` fails on a whole page of a listing where one key has an empty segment, a `.` or a control character,
//! and reads `terms/`, a folder's marker, as `terms`. So such entries are taken out of the answer before it is read.

use std::borrow::Cow;

use async_trait::async_trait;
use memchr::memmem;
use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService};
use object_store::path::Path;

/// Connects to a store as the inner connector does, and leaves foreign keys of odd forms out of its listings.
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

/// Whether objects are asked for: `list-type=2` in S3 and Google's XML API, `comp=list` in Azure.
fn is_listing(request: &HttpRequest) -> bool {
    let query = request.uri().query().unwrap_or_default();
    request.method() == http::Method::GET
        && query.split('&').any(|pair| matches!(pair, "list-type=2" | "comp=list"))
}

/// The elements that hold one object each, with the element that holds its key: S3's and Google's, then Azure's.
const ENTRIES: [[&[u8]; 4]; 2] =
    [[b"<Contents>", b"</Contents>", b"<Key", b"</Key>"], [b"<Blob>", b"</Blob>", b"<Name", b"</Name>"]];

/// A listing without the entries whose keys are of odd forms; none where it has no such entry.
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

/// What stands between the start tag of an element and its end tag. A tag with attributes is part of it, so that
/// Azure's `<Name Encoded="true">`, for names that XML cannot hold, is no plain key.
fn between<'e>(entry: &'e [u8], open: &[u8], close: &[u8]) -> Option<&'e [u8]> {
    let start = memmem::find(entry, open)? + open.len();
    let length = memmem::find(&entry[start..], close)?;
    let text = &entry[start..start + length];
    Some(text.strip_prefix(b">").unwrap_or(text))
}

/// Whether a key, as XML has it, is one that `object_store` gives back as it is. Ours all are.
fn is_plain(key: &[u8]) -> bool {
    let Some(key) = std::str::from_utf8(key).ok().and_then(unescape) else { return false };
    // A reader of XML may cut off the space around a text.
    let is_trimmed = key.trim_matches([' ', '\t', '\r', '\n']) == key;
    is_trimmed && !key.is_empty() && Path::parse(&key).is_ok_and(|path| path.as_ref() == key)
}

/// The text of an XML element with its references resolved (XML 1.0, 4.1 and 4.6); none where one is unknown.
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
    fn a_key_is_plain_only_if_it_comes_back_as_it_is() {
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
    fn only_entries_with_odd_keys_leave_a_listing() {
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
        // What ends too early is left to the one who reads it.
        assert_eq!(without_odd_keys(b"<Contents><Key>a//b</Key>"), None);
    }
}
