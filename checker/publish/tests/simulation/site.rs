//! Generates a site in several versions, and what a visitor gets of each, without code of the program.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::json;
use sha2::{Digest, Sha256};
use sitegate_check::{Contract, Permissions, Seal, contract_digest};

use super::judge::sha256;

/// Cache-Control of files with a content hash in the name.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of other files.
const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// The versions of a site. Their order is random in the simulation, so any version may follow any other.
pub const VERSIONS: usize = 5;

/// The contract of the version that changes headers.
const CONTRACT: &str = "[[headers]]\npaths = [\"/notes.txt/**\", \"/site.css\", \"/index.html\", \"/\"]\n\
    set = { Cache-Control = \"max-age=60\" }\n";

/// A file of a version.
#[derive(Clone, Debug)]
struct SiteFile {
    path: String,
    text: String,
    /// The files that a browser loads with it.
    loads: Vec<String>,
    /// The pages that it links to. They are switched before it.
    links: Vec<String>,
    /// For scripts: the depth of the tree that it loads.
    depth: Option<u32>,
}

/// What visitors get at a key, if a version is live.
#[derive(Debug, PartialEq, Eq)]
pub struct Expected {
    pub body: Bytes,
    pub headers: BTreeMap<String, String>,
    /// The keys that a browser loads with it.
    pub loads: Vec<String>,
    /// The keys that it links to.
    pub links: Vec<String>,
}

/// The expected objects of a version, by key.
pub type Pages = BTreeMap<String, Arc<Expected>>;

/// A sealed version of a site.
pub struct Version {
    pub export: BTreeMap<String, Bytes>,
    pub seal: Seal,
    pub contract: Contract,
    pub in_bucket: Arc<Pages>,
    pub in_folder: Arc<Pages>,
}

/// A site in all of its versions.
pub struct Site {
    /// The number of files of the first version.
    pub size: usize,
    pub versions: Vec<Version>,
}

impl Site {
    pub fn new(size: usize) -> Site {
        let versions = (0..VERSIONS)
            .map(|version| {
                let contract = match version {
                    3 => {
                        let (file, permissions) = (Path::new("sitegate.toml"), Permissions::default());
                        Contract::from_text(file, CONTRACT.to_owned(), &permissions).unwrap()
                    }
                    _ => Contract::defaults(),
                };
                let files = files(size, version);
                let export =
                    files.iter().map(|file| (file.path.clone(), Bytes::from(file.text.clone()))).collect();
                let seal = seal(version, &files, &contract);
                let [in_bucket, in_folder] =
                    [true, false].map(|bucket| Arc::new(pages(&files, version, bucket)));
                Version { export, seal, contract, in_bucket, in_folder }
            })
            .collect();
        Site { size, versions }
    }

    /// Returns the version that a release was made from, by the digest in its manifest.
    pub fn version_of(&self, tree: &str) -> usize {
        self.versions.iter().position(|version| version.seal.tree == tree).unwrap()
    }
}

/// Returns the path of a file with a content hash in its name.
fn hashed(name: &str, revision: usize, extension: &str) -> String {
    // Alternates letters and digits, so that it looks like a hash and not like a date, number or word.
    let hash: String = Sha256::digest(format!("{name} {revision}"))[..8]
        .iter()
        .flat_map(|byte| [b"abcdef"[usize::from(byte >> 4) % 6], b'0' + (byte & 15) % 10])
        .map(char::from)
        .collect();
    format!("assets/{name}-{hash}.{extension}")
}

/// Returns the files of a version: 0 is the first; 1 changes nearly everything and adds a page; 2 removes pages, and
/// turns files into folders and back; 3 changes headers and one file; 4 changes one page of version 0.
fn files(size: usize, version: usize) -> Vec<SiteFile> {
    // The revision of most files, and of those that change less often.
    let (often, seldom) = ([0, 1, 1, 1, 0][version], [0, 0, 2, 2, 0][version]);
    let mut files: Vec<SiteFile> = Vec::new();
    let mut add = |path: &str, revision: usize, loads: &[&str], links: &[&str], depth| {
        let own = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        let padding = "text ".repeat(1 + (path.len() * 7 + revision) % 20);
        let text = format!("{path} {revision}\nloads {loads:?}\nlinks {links:?}\n{padding}\n");
        files.push(SiteFile { path: path.to_owned(), text, loads: own(loads), links: own(links), depth });
    };
    let app = hashed("app", often, "js");
    add(&app, often, &[], &[], Some(0));
    let is_large = size > 10;
    let mut loads = vec![app.as_str()];
    let notes = if matches!(version, 2 | 3) { "notes.txt/index.html" } else { "notes.txt" };
    if notes == "notes.txt" {
        add(notes, often, &[], &[], None);
    } else {
        add("notes.txt/note.css", often, &[], &[], None);
        add(notes, often, &["notes.txt/note.css", app.as_str()], &[], None);
    }
    let mut home: Vec<String> = vec![notes.to_owned()];
    if is_large {
        add("lib/base.js", often, &[], &[], Some(0));
        add("lib/util.js", seldom, &["lib/base.js"], &[], Some(1));
        add("lib/main.js", often, &["lib/util.js"], &[], Some(2));
        add("site.css", if version == 3 { 3 } else { often }, &[], &[], None);
        loads.extend(["lib/main.js", "site.css"]);
        add("404.html", seldom, &loads, &[], None);
        add("robots.txt", seldom, &[], &[], None);
        let data = if matches!(version, 2 | 3) { "data.json" } else { "data.json/index.html" };
        add(data, often, if data == "data.json" { &[] } else { &loads }, &[], None);
        home.push(data.to_owned());
    }
    let (mut pages, mut section) = (Vec::new(), 0);
    for index in 0..size.saturating_sub(if is_large { 13 } else { 3 }) {
        if index % 3 == 2 {
            // An image that only the pages of this section load.
            section += 1;
            continue;
        }
        // Version 2 has no second page in a section with an even number.
        if index % 3 == 1 && version == 2 && section % 2 == 0 {
            continue;
        }
        let image = hashed(&format!("image{section}"), seldom, "png");
        if index % 3 == 0 {
            add(&image, seldom, &[], &[], None);
        }
        let loads: Vec<&str> = loads.iter().copied().chain([image.as_str()]).collect();
        let name = if index % 3 == 0 { "index.html" } else { "deep/er/index.html" };
        let path = format!("section{section}/{name}");
        let revision =
            if index % 2 == 0 { often } else { seldom } + usize::from(version == 4 && index == 0) * 9;
        let below = format!("section{section}/deep/er/index.html");
        let has_below = index % 3 == 0 && !(version == 2 && section % 2 == 0);
        let is_there = index + 1 < size.saturating_sub(13);
        let links: &[&str] = if has_below && is_there { &[below.as_str()] } else { &[] };
        add(&path, revision, &loads, links, None);
        pages.push(path);
    }
    if version == 1 {
        add("section0/new/index.html", 1, &loads, &[], None);
        pages.push("section0/new/index.html".to_owned());
    }
    home.extend(pages);
    let home: Vec<&str> = home.iter().map(String::as_str).collect();
    add("index.html", often + 9 * usize::from(version == 4), &loads, &home, None);
    if is_large {
        let all: Vec<&str> = home.iter().copied().chain(["index.html"]).collect();
        add("sitemap.xml", often, &[], &all, None);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Seals files as a check that passed does.
fn seal(version: usize, files: &[SiteFile], contract: &Contract) -> Seal {
    let sealed: Vec<_> = files
        .iter()
        .map(|file| {
            let (size, digest) = (file.text.len(), sha256(file.text.as_bytes()));
            json!({ "path": file.path, "size": size, "sha256": digest, "script_depth": file.depth })
        })
        .collect();
    let seal = json!({
        "schema_version": 1,
        "kind": "sitegate-seal",
        "tool": { "name": "sitegate", "version": "0.1.0" },
        "tree": sha256(format!("version {version}").as_bytes()),
        "contract": contract_digest(contract),
        "counts": { "files": files.len(), "pages": 1, "links": 1 },
        "inventory": format!("sitegate-inventory 1\nanchors: linked\n\n/version-{version}/\n"),
        "files": sealed,
    });
    serde_json::from_value(seal).unwrap()
}

/// Returns what visitors get of files in a bucket or in a folder.
fn pages(files: &[SiteFile], version: usize, in_bucket: bool) -> Pages {
    let mut found = Pages::new();
    for file in files {
        let headers = if in_bucket { headers(&file.path, version) } else { BTreeMap::new() };
        let body = Bytes::from(file.text.clone());
        let expected = Expected { body, headers, loads: file.loads.clone(), links: file.links.clone() };
        let expected = Arc::new(expected);
        // Without a redirect, a bucket answers the URL without a slash only from an object of that name.
        if let (true, Some(slashless)) = (in_bucket, file.path.strip_suffix("/index.html")) {
            found.insert(slashless.to_owned(), Arc::clone(&expected));
        }
        found.insert(file.path.clone(), expected);
    }
    found
}

fn headers(path: &str, version: usize) -> BTreeMap<String, String> {
    let media = match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "text/xml; charset=utf-8",
        "json" => "application/json",
        _ => "image/png",
    };
    let is_changed = path.starts_with("notes.txt/") || matches!(path, "site.css" | "index.html");
    let cache = match path {
        _ if path.starts_with("assets/") => IMMUTABLE,
        _ if version == 3 && is_changed => "max-age=60",
        _ => REVALIDATE,
    };
    [("content-type", media), ("cache-control", cache)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}
