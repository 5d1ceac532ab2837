//! Fills placeholders of URLs, such as `{branch}`, with text that someone else chooses, and determines the branch of
//! the checkout.

use std::path::Path;
use std::{env, fs};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};
use url::Url;

/// All characters except the unreserved ones (RFC 3986, 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Maximum number of times that a server may decode a path.
const MAX_DECODINGS: usize = 8;

/// Whether a placeholder is in the path or query of a URL only, so that its text selects neither the host nor the
/// scheme, port, user or bucket.
pub(super) fn is_below_host(template: &str, placeholder: &str) -> bool {
    let filled = ["a", "b"].map(|text| Url::parse(&template.replace(placeholder, text)));
    let [Ok(one), Ok(other)] = filled else { return false };
    let authority = |url: &Url| {
        let login = (url.username().to_owned(), url.password().map(str::to_owned));
        (url.scheme().to_owned(), login, url.host_str().map(str::to_owned), url.port())
    };
    authority(&one) == authority(&other) && !one.cannot_be_a_base()
}

/// Fills the placeholder of a template with a name. Returns none if the name could mean another folder there.
pub(super) fn fill(template: &str, placeholder: &str, name: &str) -> Option<String> {
    let encoded = encode_segments(name)?;
    let mut filled = template.split('/').filter(|segment| segment.contains(placeholder));
    let is_safe_there = filled.all(|segment| segment.replace(placeholder, &encoded).split('/').all(is_safe));
    is_safe_there.then(|| template.replace(placeholder, &encoded))
}

/// Encodes a name for the path or query of a URL. Its slashes stay, because services publish the files of the branch
/// `feature/x` in two folders; nothing else in it has a meaning in the URL. Returns none if one of its segments is empty
/// or could mean another folder.
fn encode_segments(name: &str) -> Option<String> {
    let segments = name
        .split('/')
        .map(|segment| is_safe(segment).then(|| utf8_percent_encode(segment, RESERVED).to_string()));
    Some(segments.collect::<Option<Vec<_>>>()?.join("/"))
}

/// Whether a segment is a name, however often a server decodes it: it is not empty, has no separator, and is no dot
/// segment, also in front of a `;` or a NUL that some servers cut off.
fn is_safe(segment: &str) -> bool {
    let mut text = segment.as_bytes().to_vec();
    for _ in 0..MAX_DECODINGS {
        let name = text.split(|byte| matches!(byte, b';' | 0)).next().unwrap_or_default();
        let is_encoded_separator = text.iter().any(|byte| matches!(byte, b'/' | b'\\'));
        if matches!(name.trim_ascii(), b"" | b"." | b"..") || is_encoded_separator {
            return false;
        }
        let decoded: Vec<u8> = percent_decode(&text).collect();
        if decoded == text {
            return true;
        }
        text = decoded;
    }
    false
}

/// Variables of CI services with the branch; that of a pull request comes before the one that it is merged into.
const VARIABLES: [&str; 8] = [
    "GITHUB_HEAD_REF",
    "GITHUB_REF_NAME",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
    "CI_COMMIT_REF_NAME",
    "BITBUCKET_BRANCH",
    "CF_PAGES_BRANCH",
    "VERCEL_GIT_COMMIT_REF",
    "CIRCLE_BRANCH",
];

/// Returns the branch that the CI service names, or else that of the repository that has the folder.
pub(super) fn branch(folder: &Path) -> Option<String> {
    let named = VARIABLES.iter().filter_map(|name| env::var(name).ok()).find(|value| !value.is_empty());
    named.or_else(|| checked_out(folder))
}

/// Reads the branch from `HEAD`; none if a commit is checked out.
fn checked_out(folder: &Path) -> Option<String> {
    let folder = fs::canonicalize(folder).ok()?;
    let git = folder.ancestors().map(|above| above.join(".git")).find(|git| git.exists())?;
    // A work tree has a file that names its folder.
    let linked = fs::read_to_string(&git).ok();
    let linked = linked.as_deref().and_then(|text| text.strip_prefix("gitdir: "));
    let head = linked.map_or(git.clone(), |path| folder.join(path.trim_end())).join("HEAD");
    let head = fs::read_to_string(head).ok()?;
    Some(head.trim_end().strip_prefix("ref: refs/heads/")?.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use proptest::prelude::*;
    use url::Url;

    use super::{checked_out, encode_segments, fill, is_below_host};

    #[test]
    fn a_placeholder_may_be_in_path_and_query_only() {
        let is_allowed = |template: &str| is_below_host(template, "{branch}");
        for allowed in [
            "https://ci.test/{branch}/inv.txt",
            "https://ci.test/blog-{branch}/inv.txt",
            "https://ci.test/inv.txt?of={branch}",
            "s3://bucket/{branch}/",
            "file:///srv/{branch}/",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in [
            "https://{branch}.ci.test/inv.txt",
            "https://ci.{branch}/inv.txt",
            "https://{branch}/inv.txt",
            "https://ci.test{branch}/inv.txt",
            "https://ci.test:80{branch}/inv.txt",
            "https://{branch}@ci.test/inv.txt",
            "https://x:{branch}@ci.test/inv.txt",
            "https:{branch}/inv.txt",
            "https:/{branch}/inv.txt",
            "https:\\\\{branch}\\inv.txt",
            "ht\ttps://{branch}/inv.txt",
            "s3://{branch}/",
            "file://{branch}/srv/",
            "{branch}://ci.test/",
            "{branch}",
            "mailto:{branch}",
        ] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }

    #[test]
    fn encodes_names_and_refuses_dot_segments() {
        for (name, encoded) in [
            ("main", "main"),
            ("feature/x-1.2_~", "feature/x-1.2_~"),
            ("x#y?z", "x%23y%3Fz"),
            ("a&b=c+d;e", "a%26b%3Dc%2Bd%3Be"),
            ("50%", "50%25"),
            ("größe", "gr%C3%B6%C3%9Fe"),
            ("...", "..."),
            ("user@host:1", "user%40host%3A1"),
            ("x\r\ny", "x%0D%0Ay"),
            ("{branch}", "%7Bbranch%7D"),
        ] {
            assert_eq!(encode_segments(name).as_deref(), Some(encoded));
        }
        for refused in [
            "",
            ".",
            "..",
            "../x",
            "x/..",
            "x/./y",
            "/x",
            "x/",
            "x//y",
            "%2e%2e/x",
            "%2E./x",
            ".%2e",
            "%2e",
            "%252e%252e",
            "%25252e.",
            "x%2fy",
            "x%2F..%2Fy",
            "x\\y",
            "x%5cy",
            "..;x",
            "%2e%2e;/x",
            "..\0",
            "..%00",
            ".. ",
            "%20..",
            "%3b",
        ] {
            assert_eq!(encode_segments(refused), None, "{refused:?}");
        }
        let often = format!("%{}2e.", "25".repeat(20));
        assert_eq!(encode_segments(&often), None);
    }

    #[test]
    fn no_dot_segment_arises_from_the_text_around_a_placeholder() {
        for (template, name, filled) in [
            ("https://ci.test/v{branch}/{branch}.txt", "x", Some("https://ci.test/vx/x.txt")),
            ("https://ci.test/a{branch}b/i.txt", "x/y", Some("https://ci.test/ax/yb/i.txt")),
            ("https://ci.test/%{branch}/i.txt", "2e%2e", None),
            ("https://ci.test/.%2{branch}/i.txt", "e", None),
            ("https://ci.test/{branch}/i.txt", "%2e%2e/%2e%2e/evil", None),
        ] {
            assert_eq!(fill(template, "{branch}", name).as_deref(), filled, "{template}");
        }
    }

    proptest! {
        /// However a server decodes and resolves the path, it stays below the folder of the template.
        #[test]
        fn no_name_leaves_its_folder_or_host(
            name in prop_oneof![any::<String>(), "[a./%25eEfF\\\\;#?&@: ]{0,12}"],
        ) {
            let Some(encoded) = encode_segments(&name) else { return Ok(()) };
            let url = Url::parse(&format!("https://ci.test/blog/{encoded}/inv.txt")).unwrap();
            prop_assert_eq!(url.host_str(), Some("ci.test"));
            prop_assert_eq!((url.query(), url.fragment()), (None, None));
            prop_assert_eq!(url.path(), format!("/blog/{encoded}/inv.txt"));
            let mut path = url.path().to_owned();
            for _ in 0..4 {
                path = percent_encoding::percent_decode_str(&path).decode_utf8_lossy().into_owned();
                prop_assert!(path.split(['/', '\\']).all(|segment| segment != ".." && segment != "."), "{}", path);
                prop_assert!(!path[1..].contains("//") , "{}", path);
            }
        }
    }

    #[test]
    fn reads_the_branch_of_a_checkout_and_of_a_work_tree() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir_all(path.join("clone/.git/worktrees/w")).unwrap();
        fs::create_dir_all(path.join("clone/docs")).unwrap();
        fs::create_dir(path.join("w")).unwrap();
        fs::write(path.join("clone/.git/HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        fs::write(path.join("clone/.git/worktrees/w/HEAD"), "ref: refs/heads/y\n").unwrap();
        let git = path.join("clone/.git/worktrees/w");
        fs::write(path.join("w/.git"), format!("gitdir: {}\n", git.display())).unwrap();
        assert_eq!(checked_out(&path.join("clone/docs")).as_deref(), Some("feature/x"));
        assert_eq!(checked_out(&path.join("w")).as_deref(), Some("y"));
        fs::write(path.join("clone/.git/HEAD"), "0123456789abcdef\n").unwrap();
        assert_eq!(checked_out(&path.join("clone")), None);
    }
}
