//! Detects secrets and private files: by name, and keys and tokens by content.
//!
//! Documentation shows examples of keys and tokens. So pages and other prose are not searched, a private key must be the
//! whole file, and a token must look random.

use std::io::{self, Read};
use std::sync::LazyLock;

use memchr::{memchr, memmem};
use regex::bytes::Regex;
use serde::Deserialize;
use serde::de::IgnoredAny;
use sitegate_base::chunks::fill;

use super::damage::FileKind;

/// Maximum size in bytes of a file that is searched.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// Size in bytes of the parts in which a file is searched. They stay in the processor's cache.
const PART_SIZE: u64 = 64 << 10;

/// Number of bytes that a part shares with the one before, so that it contains the tokens at its border.
const OVERLAP: usize = 1 << 10;

/// A secret in the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// A secret: its kind, and its line, from 1.
    Secret(&'static str, u32),
    /// A source map that contains a private file.
    PrivateSource,
}

/// A private file or folder, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrivateName {
    /// Its kind, with an article.
    pub kind: &'static str,
    /// Whether a site may offer such files on purpose. Then they are private only if no page refers to them.
    pub may_be_intended: bool,
}

/// Returns the kind of a private folder, by its name.
pub fn private_folder(name: &[u8]) -> Option<PrivateName> {
    let (kind, may_be_intended) = match name {
        b".git" | b".svn" | b".hg" => ("a version control folder", false),
        b".ssh" | b".aws" => ("a folder of credentials", false),
        b"node_modules" => ("a folder of development packages", true),
        _ => return None,
    };
    Some(PrivateName { kind, may_be_intended })
}

/// Returns the kind of a private file, by its name.
pub fn private_file(name: &[u8]) -> Option<PrivateName> {
    let lower = name.to_ascii_lowercase();
    let has_end = |ends: &[&[u8]]| ends.iter().any(|end| lower.len() > end.len() && lower.ends_with(end));
    let (kind, may_be_intended) = match &*lower {
        b".env" | b".envrc" => ("an environment file", false),
        _ if lower.starts_with(b".env.") && !has_end(&EXAMPLES) => ("an environment file", false),
        b"id_rsa" | b"id_dsa" | b"id_ecdsa" | b"id_ed25519" => ("a private key", false),
        b".git-credentials" | b".netrc" | b".pgpass" | b".htpasswd" => ("a file of credentials", false),
        b".git" => ("a version control file", false),
        b".ds_store" | b"thumbs.db" => ("a list of the files of a folder", false),
        _ if has_end(&[b".pfx", b".p12"]) => ("a key store", true),
        _ if has_end(&[b".sql"]) => ("a database dump", true),
        _ if has_end(&[b".bak", b"~", b".swp", b".swo"]) => ("a backup of an editor", true),
        _ if lower.len() > 2 && lower.starts_with(b"#") && lower.ends_with(b"#") => {
            ("a backup of an editor", true)
        }
        _ => return None,
    };
    Some(PrivateName { kind, may_be_intended })
}

/// The ends of environment files without secrets.
const EXAMPLES: [&[u8]; 6] = [b".example", b".sample", b".template", b".dist", b".defaults", b".vault"];

/// The texts of tokens. Each has a prefix that no other text has, and a fixed or a minimum length.
const TOKENS: [(&str, &str); 9] = [
    ("a GitHub token", r"gh[oprsu]_[A-Za-z0-9]{36}"),
    ("a GitHub token", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    ("a GitLab token", r"glpat-[A-Za-z0-9_-]{20}"),
    ("an npm token", r"npm_[A-Za-z0-9]{36}"),
    ("a secret key of Stripe", r"[rs]k_live_[A-Za-z0-9]{24,99}"),
    ("a Slack token", r"xox[bp]-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9-]{24,64}"),
    ("an npm token", r"_authToken=[A-Za-z0-9_./+=-]{20,}"),
    (
        "a service account key of Google Cloud",
        r#""private_key": ?"-----BEGIN PRIVATE KEY-----\\n[A-Za-z0-9+/\\]{200}"#,
    ),
    (
        "a secret access key of AWS",
        r#"(?:[Ss]ecret_?[Aa]ccess_?[Kk]ey|SECRET_?ACCESS_?KEY)["' ]{0,2}[:=]["' ]{0,2}[A-Za-z0-9/+]{40}"#,
    ),
];

/// Finds any token. Its groups are in the order of [`TOKENS`].
static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let groups: Vec<String> = TOKENS.iter().map(|(_, pattern)| format!("({pattern})")).collect();
    Regex::new(&groups.join("|")).ok()
});

/// Whether the content of a file is searched, by its path and size: scripts, JSON, and files of unknown kinds.
pub(crate) fn is_searched(path: &[u8], size: u64) -> bool {
    let kind = FileKind::of_path(path);
    size <= MAX_FILE_SIZE
        && matches!(kind, FileKind::Script | FileKind::Json | FileKind::Search | FileKind::Other)
}

/// Whether a file is prose, by its path. Only a key that is the whole file is found in it.
fn is_prose(path: &[u8]) -> bool {
    let lower = path.to_ascii_lowercase();
    [&b".md"[..], b".mdx", b".txt", b".rst", b".adoc"].iter().any(|end| lower.ends_with(end))
}

/// Searches the content of a file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn detect_leak(path: &[u8], mut file: impl Read) -> io::Result<Option<Leak>> {
    /// Binary files have a zero in their first bytes.
    const HEAD: usize = 1 << 10;
    let mut head = [0; HEAD];
    let filled = fill(&mut file, &mut head)?;
    let head = &head[..filled];
    if memchr(0, head).is_some() || (is_prose(path) && !begins_as_pem(head)) {
        return Ok(None);
    }
    let is_map = path.ends_with(b".map");
    let part_size = if is_map || begins_as_pem(head) { MAX_FILE_SIZE } else { PART_SIZE };
    let mut content = head.to_vec();
    let (mut is_first, mut line) = (true, 1);
    loop {
        let is_last = (file.by_ref().take(part_size).read_to_end(&mut content)? as u64) < part_size;
        if is_map && has_private_source(&content) {
            return Ok(Some(Leak::PrivateSource));
        }
        let key = || private_key(&content).filter(|_| is_first).map(|at| ("a private key", at));
        if let Some((kind, at)) = key().or_else(|| token(&content, is_first, is_last)) {
            line += memchr::memchr_iter(b'\n', &content[..at]).count();
            return Ok(Some(Leak::Secret(kind, u32::try_from(line).unwrap_or(u32::MAX))));
        }
        if is_last {
            return Ok(None);
        }
        let rest = content.len().saturating_sub(OVERLAP);
        line += memchr::memchr_iter(b'\n', &content[..rest]).count();
        content.drain(..rest);
        is_first = false;
    }
}

/// Returns the offset of a private key in a PEM file: one that begins with a PEM header (RFC 7468).
fn private_key(content: &[u8]) -> Option<usize> {
    if !begins_as_pem(content) {
        return None;
    }
    memmem::find_iter(content, b"PRIVATE KEY").find(|at| {
        let line = content[..*at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        content[line..].trim_ascii_start().starts_with(b"-----BEGIN ")
    })
}

/// Whether a file begins as a PEM file, or as one that OpenSSL extracted from a key store.
fn begins_as_pem(content: &[u8]) -> bool {
    let content = content.trim_ascii_start();
    content.starts_with(b"-----BEGIN ") || content.starts_with(b"Bag Attributes")
}

/// Returns the kind and the offset of the first token that looks random. A token at the border of two parts of a file
/// is found in the part that contains the bytes around it.
fn token(content: &[u8], is_first: bool, is_last: bool) -> Option<(&'static str, usize)> {
    TOKEN.as_ref()?.captures_iter(content).find_map(|found| {
        let group = (1..=TOKENS.len()).find(|group| found.get(*group).is_some())?;
        let range = found.get(group)?.range();
        if (range.start == 0 && !is_first) || (range.end == content.len() && !is_last) {
            return None;
        }
        let is_word =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let before = range.start.checked_sub(1).and_then(|at| content.get(at));
        let name_before =
            content[range.clone()].first().is_some_and(u8::is_ascii_alphabetic) && is_word(before);
        // The name of a variable can be longer: `awsSecretAccessKey`.
        let is_whole = (!name_before || group == TOKENS.len()) && !is_word(content.get(range.end));
        (is_whole && is_random(&content[range.clone()])).then_some((TOKENS[group - 1].0, range.start))
    })
}

/// Whether a token looks random: examples repeat or count characters, or say what they are.
fn is_random(token: &[u8]) -> bool {
    let lower = token.to_ascii_lowercase();
    let is_example =
        [&b"example"[..], b"your", b"xxxx", b"0000", b"1234", b"abcd", b"token", b"dummy", b"fake", b"test"];
    let body = &token[token.len().saturating_sub(20)..];
    let mut distinct = body.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let said = if lower.starts_with(b"_authtoken") { &lower[10..] } else { &lower[..] };
    distinct.len() >= 10
        && body.iter().any(u8::is_ascii_digit)
        && !is_example.iter().any(|word| memmem::find(said, word).is_some())
}

/// Whether a source map contains the text of a private file.
fn has_private_source(content: &[u8]) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct SourceMap {
        sources: Vec<Option<String>>,
        sources_content: Vec<Option<IgnoredAny>>,
    }
    // Almost no map names such a file.
    if memmem::find(content, b".env").is_none() && memmem::find(content, b"id_").is_none() {
        return false;
    }
    let Ok(map) = serde_json::from_slice::<SourceMap>(content) else { return false };
    map.sources.iter().zip(&map.sources_content).any(|(source, text)| {
        let name = source.as_deref().and_then(|source| source.rsplit('/').next()).unwrap_or_default();
        let name = name.split('?').next().unwrap_or_default();
        text.is_some() && private_file(name.as_bytes()).is_some_and(|private| !private.may_be_intended)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Leak, detect_leak, private_file};

    /// Joins the parts of a sample, so that no scanner takes this file for a leak.
    fn detect(path: &str, parts: &[&str]) -> Option<Leak> {
        detect_leak(path.as_bytes(), parts.concat().as_bytes()).unwrap()
    }

    #[test]
    fn finds_tokens_that_look_random() {
        let body = "k3J9xQ2mZ7vB5nT8wL4cR6yH1pD0sFgUeAoI";
        for (parts, kind) in [
            (["const t = \"gh", "p_", body, "\""], "a GitHub token"),
            (["t=np", "m_", body, ""], "an npm token"),
            (["//r/:_auth", "Token=", body, "\n"], "an npm token"),
            (["'sk_", "live_", body, "'"], "a secret key of Stripe"),
            (["awsSecretAccess", "Key: '", body, "/+kQ'"], "a secret access key of AWS"),
            (["aws_secret_access_", "key = ", body, "/+kQ"], "a secret access key of AWS"),
        ] {
            assert_eq!(
                detect("app.js", &[&["\n"], &parts[..]].concat()),
                Some(Leak::Secret(kind, 2)),
                "{parts:?}"
            );
        }
    }

    #[test]
    fn finds_tokens_at_the_borders_of_parts() {
        let body = "k3J9xQ2mZ7vB5nT8wL4cR6yH1pD0sFgUeAoI";
        let border = 1024 + (64 << 10);
        for before in (border - 50..border + 10).chain(border - 1034..border - 1014) {
            let filling = "\n".repeat(before - 1);
            let after = ";".repeat(3 * border);
            let line = u32::try_from(before).unwrap();
            let found = detect("app.js", &[&filling, "=gh", "p_", body, &after]);
            assert_eq!(found, Some(Leak::Secret("a GitHub token", line)));
            assert_eq!(detect("app.js", &[&filling, "=gh", "p_", body, "Longer", &after]), None);
            assert_eq!(detect("app.js", &[&filling, "agh", "p_", body, &after]), None);
        }
    }

    #[test]
    fn accepts_examples() {
        for parts in [
            ["gh", "p_", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
            ["gh", "p_", "1234567890abcdefghijklmnopqrstuvwxyz"],
            ["npm", "_", "ThisIsTheNameOfAnIdentifierWithLetter"],
            ["sk_", "live_", "YOUR8SECRET7KEY6GOES5HERE"],
            ["aws_secret_access_", "key=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
            ["const x = \"", "-----BEGIN PRIVATE KEY-----", "\\nMIIE\""],
            ["//registry/:_auth", "Token=", "${NPM_TOKEN}"],
            ["gh", "p_", "k3J9xQ2mZ7vB5nT8wL4cR6yH1pD0sFgUeAoILonger"],
        ] {
            assert_eq!(detect("app.js", &parts), None, "{parts:?}");
        }
    }

    #[test]
    fn finds_private_keys_that_are_the_file() {
        let header = ["-----BEGIN ", "RSA PRIVATE KEY-----\nMIIEow\n"];
        for path in ["server", "key.txt", "keys/server.md"] {
            assert_eq!(detect(path, &header), Some(Leak::Secret("a private key", 1)));
        }
        assert_eq!(detect("key.txt", &[&["An example:\n"], &header[..]].concat()), None);
        let bundle =
            [&["-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n"], &header[..]].concat();
        assert_eq!(detect("all.pem", &bundle), Some(Leak::Secret("a private key", 4)));
        assert_eq!(detect("guide", &[&["Write this:\n"], &header[..]].concat()), None);
    }

    #[test]
    fn distinguishes_private_names() {
        for name in
            [".env", ".env.production", "id_rsa", ".DS_Store", "dump.SQL", "index.html~", ".x.swp", "#a#"]
        {
            assert!(private_file(name.as_bytes()).is_some(), "{name}");
        }
        for name in
            [".env.example", "id_rsa.pub", "env.js", ".environment", "sql", "~", "#", ".bak", ".gitignore"]
        {
            assert!(private_file(name.as_bytes()).is_none(), "{name}");
        }
    }
}
