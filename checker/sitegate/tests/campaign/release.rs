//! Generates small random sites and the expected objects of each, independently of the program under test.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use sha2::{Digest, Sha256};

use super::rng::Rng;
use crate::s3::server::Stored;

/// Cache-Control of files with a content hash in the name.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Cache-Control of other files.
const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// Minimum size of compressed texts, in bytes.
const MIN_COMPRESSED_SIZE: usize = 1_000;

/// Possible paths of pages.
const PAGES: [&str; 16] = [
    "404.html",
    "about/index.html",
    "blog/index.html",
    "blog/first/index.html",
    "blog/second/index.html",
    "terms.html",
    "docs/v1.2/index.html",
    "notes.txt/index.html",
    "data.json/index.html",
    "café/index.html",
    "with space/index.html",
    "100%/index.html",
    "a+b=c/index.html",
    "quote's (odd) [name]; x.html",
    "~user/index.html",
    "😀.html",
];

/// Files without a content hash in the name. Two of them sometimes become folders.
const FILES: [&str; 5] = ["robots.txt", "notes.txt", "data.json", "site.css", "sitemap.xml"];

/// The expected content of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// These bytes.
    Exactly(Vec<u8>),
    /// A page that redirects to this URL.
    LeadsTo(String),
    /// These bytes, compressed.
    Compressed(Vec<u8>),
}

/// The expected content and headers of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub body: Body,
    pub headers: BTreeMap<String, String>,
}

impl Expected {
    /// Whether the content matches.
    pub fn is(&self, key: &str, body: &[u8]) -> bool {
        match &self.body {
            Body::Exactly(wanted) => wanted == body,
            Body::LeadsTo(to) => {
                let refresh = format!("<meta http-equiv=\"refresh\" content=\"0; url={to}\">");
                body.starts_with(b"<!doctype html>") && String::from_utf8_lossy(body).contains(&refresh)
            }
            Body::Compressed(wanted) => decompress(key, body).as_ref() == Some(wanted),
        }
    }
}

fn decompress(key: &str, body: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let read = if key.ends_with(".gz") {
        flate2::read::GzDecoder::new(body).read_to_end(&mut plain)
    } else {
        brotli::Decompressor::new(body, 4096).read_to_end(&mut plain)
    };
    read.is_ok().then_some(plain)
}

/// Returns the assets that a page uses.
pub fn assets_of(page: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(page);
    let named = text.split("\"/assets/").skip(1).filter_map(|rest| rest.split('"').next());
    named.map(|name| format!("assets/{name}")).collect()
}

/// A release: the files of an export, and the settings of its contract.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// Its name in the steps of a round.
    pub name: String,
    pub files: BTreeMap<String, Vec<u8>>,
    /// Redirects: old and new paths.
    pub redirects: BTreeMap<String, String>,
    /// The cache time of `robots.txt` in the contract.
    pub robots_age: Option<usize>,
    /// Whether texts have compressed variants.
    pub precompress: bool,
}

impl Release {
    /// Creates the first release of a round.
    pub fn first(rng: &mut Rng) -> Release {
        let mut release = Release::default();
        release.rewrite(rng, "index.html");
        for _ in 0..rng.between(1, 5) {
            release.add_page(rng);
        }
        for path in FILES {
            if rng.chance(60) {
                release.change_file(rng, path);
            }
        }
        release
    }

    /// Creates the next release, with random edits.
    pub fn edited(&self, rng: &mut Rng) -> Release {
        let mut next = self.clone();
        for _ in 0..rng.between(1, 5) {
            next.edit(rng);
        }
        // Makes all releases of a round different.
        next.rewrite(rng, "index.html");
        next
    }

    fn edit(&mut self, rng: &mut Rng) {
        match rng.between(0, 9) {
            0 | 1 => self.add_page(rng),
            2 => {
                if let Some(page) = self.random_page(rng) {
                    self.files.remove(&page);
                }
            }
            3 => self.move_page(rng),
            4 => self.change_kind(rng),
            5 => {
                let path = rng.pick(&FILES);
                self.change_file(rng, path);
            }
            6 => self.robots_age = Some(rng.between(1, 9_999)),
            7 => self.add_large(rng),
            _ => {
                for page in self.pages() {
                    if rng.chance(60) {
                        self.rewrite(rng, &page);
                    }
                }
            }
        }
    }

    fn pages(&self) -> Vec<String> {
        self.files.keys().filter(|path| path.ends_with(".html")).cloned().collect()
    }

    /// Returns a random page that may be deleted.
    fn random_page(&self, rng: &mut Rng) -> Option<String> {
        let pages: Vec<String> = self.pages().into_iter().filter(|page| page != "index.html").collect();
        (!pages.is_empty()).then(|| rng.pick(&pages))
    }

    fn add_page(&mut self, rng: &mut Rng) {
        let path = rng.pick(&PAGES);
        self.rewrite(rng, path);
    }

    /// Rewrites a page, with a new or an existing asset.
    fn rewrite(&mut self, rng: &mut Rng, path: &str) {
        let there: Vec<String> =
            self.files.keys().filter(|path| path.starts_with("assets/app-")).cloned().collect();
        let asset = if there.is_empty() || rng.chance(40) {
            self.asset(rng, "app", "js", b"let version = 1; // ".to_vec())
        } else {
            rng.pick(&there)
        };
        let version = format!("{:08x}", rng.next() as u32);
        let words = "words ".repeat(if rng.chance(30) { 300 } else { 1 });
        let text = format!(
            "<!doctype html><html lang=\"en\"><title>{version}</title><script src=\"/{asset}\"></script><p>{words}{version}"
        );
        self.put(path, text.into_bytes());
    }

    /// Adds a file with a content hash in the name.
    fn asset(&mut self, rng: &mut Rng, name: &str, ending: &str, mut content: Vec<u8>) -> String {
        content.extend(format!("{:016x}", rng.next()).bytes());
        // Alternates letters and digits, so that it looks like a hash and not like a date, number or word.
        let digest: String = Sha256::digest(&content)[..8]
            .iter()
            .flat_map(|byte| [b"abcdef"[usize::from(byte >> 4) % 6], b'0' + (byte & 15) % 10])
            .map(char::from)
            .collect();
        let path = format!("assets/{name}-{digest}.{ending}");
        self.put(&path, content);
        path
    }

    fn add_large(&mut self, rng: &mut Rng) {
        let size = rng.between(100_000, 700_000);
        let mut noise = rng.clone();
        let content = (0..size / 8).flat_map(|_| noise.next().to_le_bytes()).collect();
        self.files.retain(|path, _| !path.starts_with("assets/video-"));
        self.asset(rng, "video", "mp4", content);
    }

    fn change_file(&mut self, rng: &mut Rng, path: &str) {
        let number = rng.next();
        let text = match path {
            "robots.txt" => format!("User-agent: *\n# {number}\n"),
            "sitemap.xml" => {
                format!(
                    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><!-- {number} --></urlset>"
                )
            }
            "data.json" => format!("{{\"number\": {number}}}"),
            "site.css" => format!("p {{ order: {} }}\n", number % 1_000),
            _ => "a note ".repeat(if number.is_multiple_of(2) { 300 } else { 3 }) + &number.to_string(),
        };
        self.put(path, text.into_bytes());
    }

    /// Moves a page, and adds a redirect.
    fn move_page(&mut self, rng: &mut Rng) {
        let plain =
            |page: &String| page.bytes().all(|byte| byte.is_ascii_lowercase() || b"./".contains(&byte));
        let Some(page) = self.random_page(rng).filter(|page| plain(page) && page != "404.html") else {
            return;
        };
        self.files.remove(&page);
        let from = format!("/{}", page.strip_suffix("index.html").unwrap_or(&page));
        self.redirects.insert(from, "/".to_owned());
    }

    /// Replaces a file with a folder that has a page or a redirect, or the other way round.
    fn change_kind(&mut self, rng: &mut Rng) {
        let path = rng.pick(&["notes.txt", "data.json"]);
        match (self.files.contains_key(path), rng.chance(50)) {
            (true, true) => self.rewrite(rng, &format!("{path}/index.html")),
            (true, false) => {
                self.files.remove(path);
                self.redirects.insert(format!("/{path}/"), "/".to_owned());
            }
            (false, _) => self.change_file(rng, path),
        }
    }

    /// Adds a file, and removes conflicting ones.
    fn put(&mut self, path: &str, content: Vec<u8>) {
        let folder = format!("{path}/");
        self.files.retain(|other, _| !other.starts_with(&folder) && !path.starts_with(&format!("{other}/")));
        self.files.insert(path.to_owned(), content);
        let address = format!("/{}", path.strip_suffix("index.html").unwrap_or(path));
        self.redirects.retain(|from, _| *from != address && !from.starts_with(&format!("/{folder}")));
    }

    /// Returns the contract, if the release needs one.
    pub fn contract(&self) -> Option<String> {
        let mut text = String::new();
        if let Some(age) = self.robots_age {
            text.push_str(&format!(
                "[[headers]]\npaths = [\"/robots.txt\"]\nset = {{ Cache-Control = \"max-age={age}\" }}\n"
            ));
        }
        for (from, to) in &self.redirects {
            text.push_str(&format!("[[redirects]]\nfrom = {from:?}\nto = {to:?}\n"));
        }
        (!text.is_empty()).then_some(text)
    }

    /// Returns the expected objects in a bucket or in a folder.
    pub fn expected(&self, in_bucket: bool) -> BTreeMap<String, Expected> {
        let made = self.redirects.iter().map(|(from, to)| {
            let path = from.trim_start_matches('/');
            let path = if path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
            (path, Body::LeadsTo(to.clone()))
        });
        let files = self.files.iter().map(|(path, body)| (path.clone(), Body::Exactly(body.clone())));
        let mut all = BTreeMap::new();
        for (path, body) in files.chain(made) {
            let headers = if in_bucket { self.headers(&path) } else { BTreeMap::new() };
            if let (Some(twin), true) = (path.strip_suffix("/index.html"), in_bucket) {
                all.insert(twin.to_owned(), Expected { body: body.clone(), headers: headers.clone() });
            }
            if let (Body::Exactly(plain), true) = (&body, self.precompress && is_text(&path))
                && plain.len() >= MIN_COMPRESSED_SIZE
            {
                for form in ["br", "gz"].map(|ending| format!("{path}.{ending}")) {
                    let body = Body::Compressed(plain.clone());
                    all.entry(form).or_insert(Expected { body, headers: BTreeMap::new() });
                }
            }
            all.insert(path, Expected { body, headers });
        }
        all
    }

    fn headers(&self, path: &str) -> BTreeMap<String, String> {
        let media = match path.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "txt" => "text/plain; charset=utf-8",
            "xml" => "text/xml; charset=utf-8",
            "json" => "application/json",
            _ => "video/mp4",
        };
        let cache = match (path, self.robots_age) {
            ("robots.txt", Some(age)) => format!("max-age={age}"),
            _ if path.starts_with("assets/") => IMMUTABLE.to_owned(),
            _ => REVALIDATE.to_owned(),
        };
        [("content-type", media.to_owned()), ("cache-control", cache)]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }
}

fn is_text(path: &str) -> bool {
    [".html", ".js", ".css", ".txt", ".xml", ".json"].iter().any(|ending| path.ends_with(ending))
}

/// Whether an object has the expected headers. Files in folders have none.
pub fn has_headers(stored: &Stored, expected: &Expected) -> bool {
    expected.headers.iter().all(|(name, value)| stored.headers.get(name) == Some(value))
}
