//! Small sites, and paths to request: everything that hosts are known to treat differently.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sitegate_check::{Contract, Permissions};
use sitegate_host::answer::{HostAnswer, HostProfile, lowercase};
use sitegate_host::{Host, TrailingSlash};

/// All hosts, and none.
pub const HOSTS: [Option<Host>; 14] = [
    None,
    Some(Host::S3Website),
    Some(Host::Cloudfront),
    Some(Host::S3Rest),
    Some(Host::GithubPages),
    Some(Host::Netlify),
    Some(Host::Nginx),
    Some(Host::GitlabPages),
    Some(Host::CloudflarePages),
    Some(Host::Vercel),
    Some(Host::Firebase),
    Some(Host::AzureStaticWebApps),
    Some(Host::Apache),
    Some(Host::Caddy),
];

pub const SLASHES: [TrailingSlash; 2] = [TrailingSlash::Redirect, TrailingSlash::Never];

/// The files of the site: pages, index documents, names with dots, spaces, escapes and non-ASCII characters,
/// files next to folders of the same name, folders without an index document.
pub const FILES: &[&str] = &[
    "index.html",
    "404.html",
    "docs/index.html",
    "docs/page.html",
    "docs/v1.2/index.html",
    "docs.html",
    "page.html",
    "page.v1.html",
    "v1.2/index.html",
    "v1.2/app.js",
    "LICENSE",
    "Guide/Start.html",
    "archive.tar.gz",
    "empty/file.txt",
    "empty.d/file.txt",
    "with space.html",
    "with space/index.html",
    "100%/index.html",
    "100%25.txt",
    "a+b.txt",
    "über/index.html",
    "über.txt",
    "日本/index.html",
    ".well-known/security.txt",
    ".hidden/index.html",
    "deep/er/est/index.html",
    "quote's (1).txt",
    "x.html/index.html",
    "index/index.html",
    "a.mjs",
    "a.vtt",
];

/// Writes the site.
pub fn write(root: &Path) {
    for name in FILES {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, name).unwrap();
    }
}

/// Creates a contract with a host and a setting for slashes.
pub fn contract(host: Option<Host>, slash: TrailingSlash) -> Contract {
    let mut contract = Contract::defaults();
    contract.site.host = host;
    contract.site.trailing_slash = slash;
    contract
}

/// Reads a contract.
pub fn parsed(text: &str) -> Contract {
    Contract::from_text("sitegate.toml".as_ref(), text.to_owned(), &Permissions::default()).unwrap()
}

/// Returns the check's answer to a path: `200 file`, `301 /to` or `404`.
pub fn expected_answer(host: HostProfile, path: &str) -> String {
    let mut decoded_path = decoded(path).into_bytes();
    match host.answer(&mut decoded_path, &Names) {
        HostAnswer::File { file, .. } => format!("200 {file}"),
        HostAnswer::Redirect { status } => format!("{status} {}", String::from_utf8(decoded_path).unwrap()),
        HostAnswer::Nothing(_) => "404".to_owned(),
    }
}

/// A lookup in the files.
pub struct Names;

impl sitegate_host::answer::Files for Names {
    type File = &'static str;

    fn find(&self, path: &[u8]) -> Option<&'static str> {
        FILES.iter().copied().find(|name| name.as_bytes() == path)
    }

    fn find_in_any_case(&self, path: &[u8]) -> Option<&'static str> {
        let wanted = lowercase(path);
        let first = || FILES.iter().copied().find(|name| name.to_lowercase().as_bytes() == wanted);
        self.find(&wanted).or_else(first)
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        let folder = [path, b"/"].concat();
        path.is_empty() || FILES.iter().any(|name| name.as_bytes().starts_with(&folder))
    }
}

/// Returns URL paths to request, with a leading slash: each part of each file's path, whole and truncated, in
/// several encodings. There are no dot segments, since browsers do not send those.
pub fn paths() -> Vec<String> {
    let mut decoded = BTreeSet::from([String::new(), "nothing".to_owned(), "no.thing".to_owned()]);
    for name in FILES {
        let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
        for end in ends {
            let part = &name[..end];
            decoded.insert(part.to_owned());
            decoded.insert(part.trim_end_matches(".html").to_owned());
            decoded.insert(format!("{part}/index.html"));
            decoded.insert(format!("{part}.html"));
            decoded.insert(part.replace('/', "//"));
            decoded.insert(part.to_uppercase());
            decoded.insert(format!("{part}/nothing"));
        }
    }
    let mut paths = BTreeSet::new();
    for path in decoded {
        let escaped = sitegate_address::percent::escape_path(&path);
        let variants = [
            escaped.clone(),
            escaped.replace('.', "%2E"),
            escaped.replace('.', "%2e").replacen('o', "%6F", 1),
            escaped.replacen('/', "%2F", 1),
        ];
        for variant in variants {
            for end in ["", "/", "//", "%2F"] {
                paths.insert(format!("/{variant}{end}"));
            }
        }
    }
    paths.into_iter().collect()
}

/// Returns a path without its leading slash, with its escapes decoded.
pub fn decoded(path: &str) -> String {
    sitegate_address::percent::decode(&path[1..]).unwrap().into_owned()
}
