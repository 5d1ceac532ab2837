//! Recognizes a content to which an edge added a block, by the content's digest alone: crawler rules before a
//! `robots.txt`, a script before `</body>`.

use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;

use super::expectation::ExpectedContent;
use crate::visitor::SiteBody;

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
pub(super) fn find_addition(body: &SiteBody, content: ExpectedContent<'_>) -> Option<Addition> {
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
    let ends = block.iter().filter(|byte| **byte == b'\n').count();
    Some(Addition { lines: ends + usize::from(!block.ends_with(b"\n")) })
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

    use super::super::expectation::ExpectedContent;
    use super::{Addition, find_addition};
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
