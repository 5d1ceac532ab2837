//! Detects secrets and private files: by name, and keys and tokens by content (see [`mod@super::tokens`]).
//!
//! Documentation shows examples of keys. So pages and other prose are not searched, and a private key must be the whole
//! file.

use std::io::{self, Read};

use memchr::{memchr, memmem};
use serde::Deserialize;
use serde::de::IgnoredAny;
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::chunks::fill;

use super::damage::FileKind;
use super::tokens::{OVERLAP, token};

/// Maximum size in bytes of a file that is searched.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// Size in bytes of the parts in which a file is searched. They stay in the processor's cache.
const PART_SIZE: u64 = 64 << 10;

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
        b".git" | b".svn" | b".hg" | b".bzr" => ("a version control folder", false),
        b".ssh" | b".aws" | b".azure" | b".gnupg" | b".kube" => ("a folder of credentials", false),
        b".terraform" => ("a folder of Terraform", false),
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
        b"id_rsa" | b"id_dsa" | b"id_ecdsa" | b"id_ecdsa_sk" | b"id_ed25519" | b"id_ed25519_sk" => {
            ("a private key", false)
        }
        b".git-credentials" | b".netrc" | b"_netrc" | b".pgpass" | b".htpasswd" | b".pypirc"
        | b".dockercfg" | b".my.cnf" | b".s3cfg" | b".vault-token" => ("a file of credentials", false),
        b"kubeconfig" | b"kubeconfig.yaml" | b"kubeconfig.yml" => {
            ("credentials of a Kubernetes cluster", true)
        }
        _ if has_end(&[b".kubeconfig"]) => ("credentials of a Kubernetes cluster", true),
        b"wp-config.php" => ("a configuration file with passwords", false),
        _ if lower.ends_with(b".tfstate") || has_end(&[b".tfstate.backup"]) => {
            ("a state of Terraform", false)
        }
        _ if has_end(&[b".tfvars"]) => ("variables of Terraform", true),
        b".bash_history"
        | b".zsh_history"
        | b".sh_history"
        | b".mysql_history"
        | b".psql_history"
        | b".python_history"
        | b".node_repl_history" => ("a history of commands", false),
        b".git" => ("a version control file", false),
        b".ds_store" | b"thumbs.db" => ("a list of the files of a folder", false),
        _ if has_end(&[b".pfx", b".p12", b".jks", b".keystore", b".kdbx"]) => ("a key store", true),
        _ if has_end(&[b".sql", b".sql.gz", b".sql.bz2", b".sql.xz", b".sql.zip", b".dump"]) => {
            ("a database dump", true)
        }
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
        if let Some((kind, at)) = key().or_else(|| token(path, &content, is_first, is_last)) {
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

/// Returns the offset of a private key in a key of `PuTTY` or in a PEM file, which begins with a PEM header (RFC 7468).
fn private_key(content: &[u8]) -> Option<usize> {
    if begins_as_putty_key(content) {
        return Some(0);
    }
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

/// Whether a file begins as a private key of `PuTTY`.
fn begins_as_putty_key(content: &[u8]) -> bool {
    content.starts_with(b"PuTTY-User-Key-File-")
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
        let source = UrlReference::new(source.as_deref().unwrap_or_default());
        let name = SitePath::new(source.path()).name();
        text.is_some() && private_file(name.as_bytes()).is_some_and(|private| !private.may_be_intended)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Leak, detect_leak, private_file};

    #[test]
    fn finds_keys_of_putty() {
        let key = ["PuTTY-User-", "Key-File-3: ssh-ed25519\nEncryption: none\n"];
        assert_eq!(detect("key.ppk", &key), Some(Leak::Secret("a private key", 1)));
    }

    /// Joins the parts of a sample, so that no scanner takes this file for a leak.
    fn detect(path: &str, parts: &[&str]) -> Option<Leak> {
        detect_leak(path.as_bytes(), parts.concat().as_bytes()).unwrap()
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
        assert_eq!(detect("app.js", &[&["const x = \""], &header[..]].concat()), None);
    }

    #[test]
    fn distinguishes_private_names() {
        for name in [
            ".env",
            ".env.production",
            "id_rsa",
            ".DS_Store",
            "dump.SQL",
            "index.html~",
            ".x.swp",
            "#a#",
            "terraform.tfstate",
            ".tfstate",
            "prod.tfstate.backup",
            "prod.tfvars",
            "kubeconfig",
            "dev.kubeconfig",
            ".pypirc",
            "_netrc",
            ".bash_history",
            "dump.sql.gz",
            "keys.jks",
            "wp-config.php",
        ] {
            assert!(private_file(name.as_bytes()).is_some(), "{name}");
        }
        for name in [
            ".env.example",
            "id_rsa.pub",
            "env.js",
            ".environment",
            "sql",
            "~",
            "#",
            ".bak",
            ".gitignore",
            "tfstate",
            "tfstate.html",
            "kubeconfig.html",
            "netrc",
            "bash_history",
            "wp-config.html",
        ] {
            assert!(private_file(name.as_bytes()).is_none(), "{name}");
        }
    }
}
