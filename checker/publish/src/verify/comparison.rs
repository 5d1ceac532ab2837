//! Compares an answer of a live site with the expected one: status, headers, body, redirect.
//!
//! Recognizes a content to which an edge added a block, by the digest of the content alone: crawler rules before a
//! `robots.txt`, a script before `</body>`.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_base::host_name;
use sitegate_base::plural::count;
use sitegate_check::{Contract, unlike_headers};
use sitegate_host::headers::STORED;
use sitegate_host::media;
use sitegate_host::redirect_page::{SCRIPT_HASH, allows_script, redirect_page};
use url::Url;

use super::expectation::{Expectation, ExpectedAnswer, ExpectedContent, ExpectedFile};
use crate::target_state::pending::{CONTENT, HEADER};
use crate::visitor::{SiteAnswer, SiteBody};

/// Number of bytes that a body may have besides the expected ones, to find out what an edge adds.
const MAX_ADDED: u64 = 64 << 10;

/// The difference between an answer and the expected one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Mismatch {
    #[error("returns {found} instead of {expected}")]
    Status { found: u16, expected: u16 },
    #[error("`{name}` is `{found}` instead of `{expected}`")]
    Header { name: String, found: String, expected: String },
    #[error("the content differs from {path}{}", describe(*added))]
    Content { path: String, added: Option<Addition> },
    #[error("redirects to `{found}` instead of {expected}")]
    Redirect { found: String, expected: String },
    #[error("does not redirect to {0}")]
    NoRedirect(String),
    #[error("the policy blocks the script that keeps the fragment: add {SCRIPT_HASH} to script-src")]
    BlockedScript,
}

fn describe(added: Option<Addition>) -> String {
    added.map_or_else(String::new, |added| format!(": {} added", count(added.lines, "line")))
}

impl Mismatch {
    /// Returns the kind of the difference, which is the same as long as the same edge makes it.
    pub(super) fn kind(&self) -> String {
        match self {
            Mismatch::Status { found, .. } => format!("status {found}"),
            Mismatch::Header { name, .. } => format!("{HEADER}{name}"),
            Mismatch::Content { .. } => CONTENT.to_owned(),
            Mismatch::Redirect { found, .. } => format!("redirect {found}"),
            Mismatch::NoRedirect(_) => "no redirect".to_owned(),
            Mismatch::BlockedScript => "blocked script".to_owned(),
        }
    }

    /// Describes what an edge does that makes the difference.
    pub(super) fn as_edge(&self) -> String {
        match self {
            Mismatch::Status { found, expected } => {
                format!("the edge answers {found} instead of {expected}")
            }
            Mismatch::Header { name, found, .. } if found.is_empty() => {
                format!("the edge removes the header `{name}`")
            }
            Mismatch::Header { name, found, .. } => format!("the edge sends `{name}: {found}`"),
            Mismatch::Content { added: Some(added), .. } => {
                format!("the edge adds {}", count(added.lines, "line"))
            }
            Mismatch::Content { .. } => "the edge changes the content".to_owned(),
            Mismatch::Redirect { found, .. } => format!("the edge redirects to {found}"),
            Mismatch::NoRedirect(_) => "the edge changes the redirect page".to_owned(),
            Mismatch::BlockedScript => "the edge blocks the script of the redirect page".to_owned(),
        }
    }
}

impl Expectation<'_> {
    /// Returns the maximum number of bytes of the body that a comparison needs.
    pub(super) fn limit(&self) -> u64 {
        match &self.expected {
            ExpectedAnswer::File { file, .. } | ExpectedAnswer::FileOrRedirect { file, .. } => {
                file.contents.iter().map(|content| content.size).max().unwrap_or(0) + MAX_ADDED
            }
            ExpectedAnswer::Redirect { to } => redirect_page(to).len() as u64,
            ExpectedAnswer::Status(_) => 0,
        }
    }

    /// Returns the differences between an answer and the expected one. If the status differs, nothing else is
    /// compared.
    pub(super) fn compare(&self, answer: &SiteAnswer, config: &Contract) -> Vec<Mismatch> {
        let location = answer.header("location");
        let join = |to: &str| Url::parse(&self.url).and_then(|url| host_name::join(&url, to)).ok();
        let resolve = |to: &str| join(to).map(|url| with_uppercase_escapes(url.as_str()));
        let target = location.and_then(resolve);
        let found = location.unwrap_or_default().to_owned();
        let is_redirect = answer.is_redirect();
        let redirects_to = |expected: &str, is_right: bool| {
            let expected = expected.to_owned();
            if is_right { Vec::new() } else { vec![Mismatch::Redirect { found, expected }] }
        };
        match &self.expected {
            ExpectedAnswer::Status(status) => unlike_status(answer, *status),
            ExpectedAnswer::File { file, status } => unlike_file(answer, file, *status, config),
            ExpectedAnswer::Redirect { to } if location.is_some() => {
                redirects_to(to, is_redirect && target.is_some() && target == resolve(to))
            }
            ExpectedAnswer::Redirect { to } => {
                let status = unlike_status(answer, 200);
                let page = redirect_page(to);
                if !status.is_empty() {
                    status
                } else if !answer.body.is(page.len() as u64, &hex(&Sha256::digest(&page))) {
                    vec![Mismatch::NoRedirect((*to).to_owned())]
                } else if blocks_script(answer) {
                    vec![Mismatch::BlockedScript]
                } else {
                    Vec::new()
                }
            }
            ExpectedAnswer::FileOrRedirect { file, .. } if !is_redirect => {
                unlike_file(answer, file, 200, config)
            }
            // Servers write a plain `+`.
            ExpectedAnswer::FileOrRedirect { to, .. } => {
                redirects_to(to, target.is_some_and(|url| url.replace("%2B", "+") == *to))
            }
        }
    }
}

/// Whether the policies of an answer block the script of a redirect page.
fn blocks_script(answer: &SiteAnswer) -> bool {
    answer.all("content-security-policy").any(|policy| !allows_script(policy))
}

fn unlike_status(answer: &SiteAnswer, expected: u16) -> Vec<Mismatch> {
    match answer.status {
        found if found == expected => Vec::new(),
        found => vec![Mismatch::Status { found, expected }],
    }
}

fn unlike_file(
    answer: &SiteAnswer,
    file: &ExpectedFile<'_>,
    status: u16,
    config: &Contract,
) -> Vec<Mismatch> {
    let status = unlike_status(answer, status);
    if !status.is_empty() {
        return status;
    }
    let mut found = unlike_file_headers(answer, file, config);
    if !file.contents.iter().any(|content| answer.body.is(content.size, content.sha256)) {
        let added = file.contents.iter().find_map(|content| find_addition(&answer.body, *content));
        found.push(Mismatch::Content { path: file.path.to_owned(), added });
    }
    found
}

/// Returns a URL with escapes in capital letters: `%c3` and `%C3` are the same (RFC 3986, 6.2.2.1), and Apache writes the
/// former.
fn with_uppercase_escapes(url: &str) -> String {
    let mut parts = url.split('%');
    let mut normal = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take(2).filter(u8::is_ascii_hexdigit).count();
        normal.push('%');
        normal.push_str(&part[..digits].to_ascii_uppercase());
        normal.push_str(&part[digits..]);
    }
    normal
}

/// Compares the media type and the headers that the contract sets.
fn unlike_file_headers(answer: &SiteAnswer, file: &ExpectedFile<'_>, config: &Contract) -> Vec<Mismatch> {
    let mut set = config.headers_for(file.path);
    let is_type_set = set.keys().any(|name| name.eq_ignore_ascii_case("content-type"));
    if let Some(stored) = file.stored_headers {
        replace_stored(&mut set, stored);
    }
    let header = |name: &str| answer.header(name).unwrap_or_default();
    let mut found: Vec<Mismatch> = unlike_headers(&set, header)
        .map(|unlike| Mismatch::Header {
            name: unlike.name,
            found: unlike.found,
            expected: unlike.wanted.to_owned(),
        })
        .collect();
    let essence = |value: &str| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (media_type, wanted) = (header("content-type"), media::content_type(file.path));
    let same = essence(media_type) == essence(&wanted)
        || essence(media_type).ends_with("/xml") && essence(&wanted).ends_with("/xml")
        || essence(media_type).ends_with("/javascript") && essence(&wanted).ends_with("/javascript");
    // Few servers know the types of names without an extension, and few clients of them insist. For an unknown type, Apache
    // and Caddy send none.
    let is_generic = matches!(essence(media_type).as_str(), "" | "application/octet-stream" | "text/plain");
    let is_named = media::type_of_name(file.path).is_some();
    let same = same || is_generic && (is_named || media::known_content_type(file.path).is_none());
    if !same && !is_type_set {
        let (name, media_type) = ("content-type".to_owned(), media_type.to_owned());
        found.push(Mismatch::Header { name, found: media_type, expected: wanted.to_string() });
    }
    found
}

/// Replaces the headers that a store sends by those of an earlier release, as far as the contract sets them.
fn replace_stored<'h>(set: &mut BTreeMap<&'h str, &'h str>, stored: &'h BTreeMap<String, String>) {
    set.retain(|name, value| {
        let name = name.to_ascii_lowercase();
        if !STORED.contains(&name.as_str()) {
            return true;
        }
        let earlier = stored.get(&name);
        *value = earlier.map_or("", String::as_str);
        earlier.is_some()
    });
}

/// The tags before or after which edges insert blocks: Cloudflare's analytics before `</body>`, banners after `<head>`.
const TAGS: [&[u8]; 5] = [b"<head>", b"</head>", b"<body>", b"</body>", b"</html>"];

/// Maximum number of places to try in a body.
const MAX_PLACES: usize = 24;

/// A block that was added to a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Addition {
    /// The number of its lines, at least one.
    pub lines: usize,
}

/// Returns the block in a body that the content does not have. All other bytes are those of the content.
fn find_addition(body: &SiteBody, content: ExpectedContent<'_>) -> Option<Addition> {
    let bytes = body.kept.as_deref().filter(|_| !body.is_cut)?;
    let size = usize::try_from(content.size).ok()?;
    let added = bytes.len().checked_sub(size).filter(|added| *added > 0)?;
    let is_at = |at: &usize| {
        let mut hash = Sha256::new();
        hash.update(&bytes[..*at]);
        hash.update(&bytes[at + added..]);
        hex(&hash.finalize()) == content.sha256
    };
    let at = [0, size].into_iter().chain(places(bytes, added)).filter(|at| *at <= size).find(is_at)?;
    let block = &bytes[at..at + added];
    let parts = block.split(|byte| *byte == b'\n').count();
    Some(Addition { lines: parts - usize::from(block.ends_with(b"\n")) })
}

/// Returns the places of a block of this size before and after tags.
fn places(bytes: &[u8], added: usize) -> Vec<usize> {
    let mut places = Vec::new();
    for tag in TAGS {
        let found = bytes.windows(tag.len()).enumerate().filter(|(_, at)| at.eq_ignore_ascii_case(tag));
        for (at, _) in found {
            places.extend(at.checked_sub(added));
            places.push(at + tag.len());
        }
    }
    places.truncate(MAX_PLACES);
    places
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};
    use sitegate_base::hex::hex;

    use super::{Addition, find_addition};
    use crate::verify::expectation::ExpectedContent;
    use crate::visitor::SiteBody;

    fn lines(content: &str, answer: &str) -> Option<usize> {
        let sha256 = hex(&Sha256::digest(content));
        let content = ExpectedContent { size: content.len() as u64, sha256: &sha256 };
        let body = SiteBody::read(answer.as_bytes(), u64::MAX);
        find_addition(&body, content).map(|Addition { lines }| lines)
    }

    #[test]
    fn finds_what_edges_add() {
        let page = "<html><head><title>A</title></head>\n<body><p>B</body></html>";
        let with = |tag: &str, block: &str| page.replacen(tag, block, 1);
        assert_eq!(lines("User-agent: *\n", "# managed\nAllow: /\n\nUser-agent: *\n"), Some(3));
        assert_eq!(lines(page, &format!("{page}<!-- cached -->")), Some(1));
        assert_eq!(lines(page, &with("</body>", "<script>\nx\n</script></body>")), Some(3));
        assert_eq!(lines(page, &with("<head>", "<HEAD><meta name=a>")), None, "another tag");
        assert_eq!(lines(page, &with("<head>", "<head><meta name=a>")), Some(1));
        assert_eq!(lines("", "all\nof\nit"), Some(3));
    }

    #[test]
    fn finds_nothing_in_other_contents() {
        let page = "<html><body>one</body></html>";
        for answer in ["<html><body>two</body></html>", "<html><body>one more</body></html>x", "", "<html>"] {
            assert_eq!(lines(page, answer), None, "{answer}");
        }
        assert_eq!(lines(page, page), None);
        let twice = format!("<script></script>{}", page.replace("</body>", "<i></i></body>"));
        assert_eq!(lines(page, &twice), None, "two blocks");
    }
}
