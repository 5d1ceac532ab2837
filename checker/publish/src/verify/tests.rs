//! Tests verifications of sites behind edges that rewrite, cache, block and fail.

#![allow(clippy::unwrap_used)]
#![expect(clippy::shadow_unrelated, reason = "each scene of a test has a result of its own")]
#![expect(clippy::unnecessary_wraps, reason = "edges may also fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use sha2::{Digest, Sha256};
use sitegate_address::percent::{decode_lossy, escape_path};
use sitegate_base::hex::hex;
use sitegate_check::{Contract, Seal};
use sitegate_host::media;
use url::Url;

use super::{Earlier, SealedSite, SiteBefore, SiteVerdict, Verification};
use crate::failure::FailureKind;
use crate::release::manifest::{Object, ObjectRole, ReleaseManifest};
use crate::target_state::pending::KnownEdge;
use crate::visitor::{NoAnswer, SiteAnswer, SiteBody, Visitor};

type ReleaseTexts = BTreeMap<&'static str, String>;

/// An answer on its way through the edge.
struct EdgeResponse {
    path: String,
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// An edge: what it makes of an answer, if it gives one. The number counts the requests.
type TestEdge<'f> = dyn Fn(EdgeResponse, usize) -> Result<EdgeResponse, &'static str> + Send + Sync + 'f;

/// A site behind an edge.
struct SiteBehindEdge<'e> {
    files: ReleaseTexts,
    edge: &'e TestEdge<'e>,
    requests: AtomicUsize,
}

impl SiteBehindEdge<'_> {
    fn answer(&self, url: &Url, limit: u64) -> Result<SiteAnswer, NoAnswer> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let path = decode_lossy(url.path().trim_start_matches('/')).into_owned();
        let index = format!("{path}index.html");
        let name = if path.is_empty() || path.ends_with('/') { &index } else { &path };
        let (status, file) =
            if self.files.contains_key(name.as_str()) { (200, &**name) } else { (404, "404.html") };
        let body = self.files.get(file).cloned().unwrap_or_default();
        let mut headers = vec![("content-type".to_owned(), media::content_type(file).into_owned())];
        let is_folder = status == 404 && self.files.contains_key(format!("{path}/index.html").as_str());
        if is_folder {
            headers.push(("location".to_owned(), format!("/{path}/")));
        }
        let status = if is_folder { 302 } else { status };
        let answer = (self.edge)(EdgeResponse { path, status, headers, body }, number)
            .map_err(|reason| NoAnswer { reason: reason.to_owned(), was_sent: true, is_private: false })?;
        let body = SiteBody::read(answer.body.as_bytes(), limit);
        Ok(SiteAnswer { status: answer.status, headers: answer.headers, body })
    }
}

#[async_trait]
impl Visitor for SiteBehindEdge<'_> {
    async fn get(&self, url: &Url, limit: u64) -> Result<SiteAnswer, NoAnswer> {
        self.answer(url, limit)
    }

    async fn head(&self, url: &Url) -> Result<SiteAnswer, NoAnswer> {
        self.answer(url, 0)
    }
}

fn page(text: &str) -> String {
    format!("<!doctype html><html><head><title>Acme</title></head>\n<body><p>{text}</p>\n</body></html>")
}

fn release() -> ReleaseTexts {
    BTreeMap::from([
        ("404.html", page("not found")),
        ("a/index.html", page("a")),
        ("b/index.html", page("b")),
        ("index.html", page("home")),
        ("robots.txt", "User-agent: *\n".to_owned()),
        ("style.css", "p { color: red }\n".to_owned()),
    ])
}

/// A release with a changed home page.
fn changed(text: &str) -> ReleaseTexts {
    let mut files = release();
    files.insert("index.html", page(text));
    files
}

fn digest(content: &str) -> String {
    hex(&Sha256::digest(content))
}

fn seal(files: &ReleaseTexts) -> Seal {
    let sealed: Vec<_> = files
        .iter()
        .map(|(path, content)| json!({"path": path, "size": content.len(), "sha256": digest(content)}))
        .collect();
    serde_json::from_value(json!({
        "schema_version": 1, "kind": "", "tool": {"name": "", "version": ""}, "tree": "", "contract": null,
        "counts": {"files": 0, "pages": 0, "links": 0}, "files": sealed,
    }))
    .unwrap()
}

fn manifest(files: &ReleaseTexts, headers: &[(&str, &str)]) -> ReleaseManifest {
    let headers: BTreeMap<String, String> =
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let object = |(path, content): (&&str, &String)| Object {
        key: (*path).to_owned(),
        path: (*path).to_owned(),
        role: ObjectRole::File,
        size: content.len() as u64,
        sha256: digest(content),
        md5: String::new(),
        script_depth: None,
        headers: headers.clone(),
    };
    ReleaseManifest { objects: files.iter().map(object).collect(), ..ReleaseManifest::default() }
}

/// The switch from one release to another.
struct TestSwitch<'s> {
    old: ReleaseTexts,
    new: ReleaseTexts,
    /// The headers that the store sends with the old release.
    headers: &'s [(&'s str, &'s str)],
    contract: Contract,
    /// The edge before the switch, and after it.
    edges: [&'s TestEdge<'s>; 2],
}

const SITE: &str = "https://www.acme.test/";

impl TestSwitch<'_> {
    fn changed(&self) -> BTreeSet<String> {
        let is_changed = |(path, content): &(&&str, &String)| self.old.get(**path) != Some(*content);
        self.new.iter().filter(is_changed).map(|(path, _)| (*path).to_owned()).collect()
    }

    /// Compares the site before the switch. Returns the known edge, and the number of requests.
    async fn look(&self) -> (Option<KnownEdge>, usize) {
        let (seal, manifest) = (seal(&self.new), manifest(&self.old, self.headers));
        let site = SealedSite { url: SITE, seal: &seal, contract: &self.contract };
        let visitor =
            SiteBehindEdge { files: self.old.clone(), edge: self.edges[0], requests: AtomicUsize::new(0) };
        let changed = self.changed();
        let earlier = Earlier { releases: vec![&manifest], changed: &changed, is_invalidated: false };
        let found = site.look_before(&visitor, &earlier).await.unwrap();
        (found, visitor.requests.into_inner())
    }

    /// Compares the site, switches, and verifies.
    async fn verify(&self) -> Verification {
        let edge = self.look().await.0;
        let changed = self.changed();
        self.verify_with(SiteBefore { edge: edge.as_ref(), changed: Some(&changed), ..SiteBefore::default() })
            .await
    }

    async fn verify_with(&self, before: SiteBefore<'_>) -> Verification {
        let seal = seal(&self.new);
        let site = SealedSite { url: SITE, seal: &seal, contract: &self.contract };
        let visitor =
            SiteBehindEdge { files: self.new.clone(), edge: self.edges[1], requests: AtomicUsize::new(0) };
        site.verify(&visitor, before).await.unwrap()
    }
}

fn switch<'s>(edge: &'s TestEdge<'s>) -> TestSwitch<'s> {
    let (old, new) = (release(), changed("new"));
    TestSwitch { old, new, headers: &[], contract: Contract::defaults(), edges: [edge, edge] }
}

fn plain(answer: EdgeResponse, _: usize) -> Result<EdgeResponse, &'static str> {
    Ok(answer)
}

fn wrong(found: &Verification) -> Vec<String> {
    found.wrong.iter().map(|wrong| format!("{}  {}", wrong.url.replace(SITE, "/"), wrong.message)).collect()
}

#[tokio::test]
async fn a_site_without_an_edge_is_compared_byte_by_byte() {
    let found = switch(&plain).verify().await;
    assert_eq!((found.verdict(), found.edge_warnings()), (SiteVerdict::Verified, vec![]));
    // The home page is compared before the switch, too: 13 requests for 6 files and an unknown path.
    assert_eq!((switch(&plain).look().await.1, found.requests), (13, 13));
    let broken = |answer: EdgeResponse, _| match answer.path.as_str() {
        "" => Ok(EdgeResponse { body: answer.body.replace("new", "old"), ..answer }),
        _ => Ok(answer),
    };
    let site = switch(&broken);
    let found = site.verify().await;
    assert_eq!(wrong(&found), ["/  the content differs from index.html"]);
    assert!(found.has_reason());
}

/// Apache writes escapes in small letters, and sends no media type for a name without an extension.
#[tokio::test]
async fn forms_of_escapes_and_unknown_types_are_no_difference() {
    let apache = |mut answer: EdgeResponse, _| {
        if answer.path == "LICENSE" {
            answer.headers.retain(|(name, _)| name != "content-type");
        }
        for (_, value) in answer.headers.iter_mut().filter(|(name, _)| name == "location") {
            *value = escape_path(value).to_ascii_lowercase();
        }
        Ok(answer)
    };
    let mut site = switch(&apache);
    for files in [&mut site.old, &mut site.new] {
        files.insert("über/index.html", page("over"));
        files.insert("LICENSE", "MIT\n".to_owned());
    }
    let found = site.verify().await;
    assert_eq!((wrong(&found), found.edge_warnings()), (vec![], vec![]));
}

#[tokio::test]
async fn lines_that_an_edge_adds_to_an_unchanged_file_are_a_warning() {
    let edge = |answer: EdgeResponse, _| match answer.path.as_str() {
        "robots.txt" => {
            Ok(EdgeResponse { body: format!("# managed\nUser-agent: Bot\n\n{}", answer.body), ..answer })
        }
        _ => Ok(answer),
    };
    let mut site = switch(&edge);
    let found = site.verify().await;
    assert_eq!(found.verdict(), SiteVerdict::Verified, "{found:?}");
    assert_eq!(found.edge_warnings(), ["/robots.txt: the edge adds 3 lines, as before this release"]);
    // The file itself changes.
    site.new.insert("robots.txt", "User-agent: *\nDisallow: /x/\n".to_owned());
    assert_eq!(site.verify().await.verdict(), SiteVerdict::Verified);
    // Nothing is known of the site before the first release, or by `verify` alone.
    let first = KnownEdge::nothing_before(SITE);
    let strict =
        site.verify_with(SiteBefore { edge: Some(&first), changed: None, ..SiteBefore::default() }).await;
    assert!(strict.has_reason());
    assert_eq!(wrong(&strict), ["/robots.txt  the content differs from robots.txt: 3 lines added"]);
    let alone = site.verify_with(SiteBefore::default()).await;
    assert_eq!((alone.verdict(), alone.has_reason()), (SiteVerdict::Different, false));
    let failure = alone.or_fail(SITE).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unverified);
    assert!(failure.to_string().contains("a CDN or proxy may change them"), "{failure}");
}

#[tokio::test]
async fn an_edge_that_rewrites_all_pages_rewrites_new_ones_too() {
    let edge = |answer: EdgeResponse, _| {
        let is_page = answer.body.starts_with("<!doctype");
        let body = if is_page { answer.body.replace("\n<body>", "<body>") } else { answer.body };
        Ok(EdgeResponse { body, ..answer })
    };
    let mut site = switch(&edge);
    site.new.insert("new/index.html", page("another"));
    let found = site.verify().await;
    assert_eq!(found.verdict(), SiteVerdict::Verified, "{found:?}");
    let warnings = found.edge_warnings();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].ends_with("more: the edge changes the content, as before this release"),
        "{warnings:?}"
    );
    // Style sheets were right.
    site.new.insert("style.css", "p { color: blue }\n".to_owned());
    let also_styles = |answer: EdgeResponse, number| {
        let answer = edge(answer, number)?;
        Ok(EdgeResponse { body: answer.body.replace("blue", "red"), ..answer })
    };
    site.edges[1] = &also_styles;
    let found = site.verify().await;
    assert_eq!(wrong(&found), ["/style.css  the content differs from style.css"]);
    assert!(found.has_reason());
}

/// A cache that rewrites pages and still serves the old ones.
#[tokio::test]
async fn a_rewritten_answer_that_stays_as_it_was_is_stale() {
    let minified =
        |answer: EdgeResponse, _| Ok(EdgeResponse { body: answer.body.replace('\n', ""), ..answer });
    let stale = |answer: EdgeResponse, number| {
        let answer = minified(answer, number)?;
        Ok(EdgeResponse { body: answer.body.replace("<p>new", "<p>home"), ..answer })
    };
    let mut site = switch(&minified);
    assert_eq!(site.verify().await.verdict(), SiteVerdict::Verified);
    site.edges[1] = &stale;
    let found = site.verify().await;
    assert_eq!(wrong(&found), ["/  the content differs from index.html"]);
    assert!(found.has_reason(), "{found:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stale_cache_gets_the_patience_of_the_user() {
    let stale = |answer: EdgeResponse, number| {
        let body = if number < 30 { answer.body.replace("<p>new", "<p>home") } else { answer.body };
        Ok(EdgeResponse { body, ..answer })
    };
    let seal = seal(&changed("new"));
    let contract = Contract::defaults();
    let site = SealedSite { url: SITE, seal: &seal, contract: &contract };
    let first = KnownEdge::nothing_before(SITE);
    for (patience, verdict) in [(0, SiteVerdict::Different), (20, SiteVerdict::Verified)] {
        let visitor = SiteBehindEdge { files: changed("new"), edge: &stale, requests: AtomicUsize::new(0) };
        let before = SiteBefore { edge: Some(&first), changed: None, ..SiteBefore::default() };
        let found = site.verify_until(&visitor, before, Duration::from_secs(patience)).await.unwrap();
        assert_eq!(found.verdict(), verdict);
    }
}

#[tokio::test]
async fn random_bodies_of_unchanged_files_are_no_reason() {
    let edge = |answer: EdgeResponse, number| match answer.path.as_str() {
        "a/" => Ok(EdgeResponse { body: format!("{}<!-- {number} -->", answer.body), ..answer }),
        _ => Ok(answer),
    };
    let mut site = switch(&plain);
    site.edges[1] = &edge;
    let found = site.verify().await;
    assert_eq!((found.verdict(), found.has_reason()), (SiteVerdict::Different, false), "{found:?}");
    let failure = found.or_fail(SITE).unwrap_err();
    assert!(failure.to_string().contains("this release did not change these files"), "{failure}");
    // The status of an unchanged file is: a configuration in the release may be the cause.
    let gone = |answer: EdgeResponse, _| match answer.path.as_str() {
        "a/" => Ok(EdgeResponse { status: 404, ..answer }),
        _ => Ok(answer),
    };
    site.edges[1] = &gone;
    assert!(site.verify().await.has_reason());
}

#[tokio::test]
async fn headers_and_statuses_of_the_edge_are_warnings() {
    let edge = |mut answer: EdgeResponse, _| {
        answer.headers.push(("cache-control".to_owned(), "max-age=14400".to_owned()));
        Ok(match answer.path.as_str() {
            "a/" => EdgeResponse { status: 403, ..answer },
            _ => answer,
        })
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sitegate.toml");
    std::fs::write(&file, "[[headers]]\npaths = [\"/**\"]\nset.Cache-Control = \"max-age=60\"\n").unwrap();
    let contract = Contract::load(&file).unwrap();
    let mut site = TestSwitch { contract, ..switch(&edge) };
    site.headers = &[("cache-control", "no-cache")];
    let found = site.verify().await;
    assert_eq!(found.verdict(), SiteVerdict::Verified, "{found:?}");
    let warnings = found.edge_warnings().join("\n");
    assert!(warnings.contains("the edge sends `cache-control: max-age=14400`"), "{warnings}");
    assert!(warnings.contains("/a/, HEAD /a/: the edge answers 403 instead of 200"), "{warnings}");
    // The store sends the old header before the switch, and should send the new one after it.
    let old = |mut answer: EdgeResponse, _| {
        answer.headers.push(("cache-control".to_owned(), "no-cache".to_owned()));
        Ok(answer)
    };
    site.edges = [&old, &old];
    let found = site.verify().await;
    assert_eq!(found.verdict(), SiteVerdict::Different);
    assert!(found.has_reason(), "{found:?}");
}

#[tokio::test]
async fn a_cached_page_is_not_requested_before_it_changes() {
    let site = TestSwitch { headers: &[("cache-control", "public, max-age=600")], ..switch(&plain) };
    let (found, requests) = site.look().await;
    assert_eq!(requests, 11, "the home page would stay in caches");
    assert!(found.unwrap().is_complete);
}

#[tokio::test]
async fn the_requests_before_a_switch_are_limited() {
    let names: Vec<&'static str> =
        (0..2_000).map(|n| &*Box::leak(format!("n{n:04}.txt").into_boxed_str())).collect();
    let files =
        |text: &str| -> ReleaseTexts { names.iter().map(|name| (*name, format!("{name} {text}"))).collect() };
    let mut site = switch(&plain);
    (site.old, site.new) = (files("one"), files("one"));
    site.new.insert("n1999.txt", "changed".to_owned());
    let (found, requests) = site.look().await;
    assert_eq!((requests, found.unwrap().is_complete), (512, false));
    let edge = |answer: EdgeResponse, _| match answer.path.as_str() {
        "n1999.txt" => Ok(EdgeResponse { body: answer.body + "!", ..answer }),
        _ => Ok(answer),
    };
    site.edges = [&edge, &edge];
    assert_eq!(site.verify().await.verdict(), SiteVerdict::Verified, "changed files come first");
}

#[tokio::test]
async fn a_site_without_answers_is_not_verifiable() {
    let refused = |_: EdgeResponse, _| Err("it refuses connections");
    let mut site = switch(&plain);
    site.edges[1] = &refused;
    let found = site.verify().await;
    assert_eq!((found.verdict(), found.has_reason()), (SiteVerdict::Unverifiable, false));
    let failure = found.or_fail(SITE).unwrap_err();
    assert_eq!((failure.kind, failure.kind.exit_code()), (FailureKind::Unverifiable, 11));
    assert_eq!(
        failure.to_string(),
        format!("{SITE} could not be verified: it refuses connections\n  = nothing was compared")
    );
    // One overloaded answer leaves the release unverified, and is no difference.
    for status in [429, 502, 503, 504, 522] {
        let busy = |answer: EdgeResponse, _| match answer.path.as_str() {
            "b/" => Ok(EdgeResponse { status, ..answer }),
            _ => Ok(answer),
        };
        let mut site = switch(&plain);
        site.edges[1] = &busy;
        let failure = site.verify().await.or_fail(SITE).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unverifiable);
        assert!(failure.message.ends_with("2 of 13 requests got no usable response"), "{failure}");
    }
    // 500 may be the answer to a broken `.htaccess` of the release.
    let crashed = |answer: EdgeResponse, _| Ok(EdgeResponse { status: 500, ..answer });
    let mut site = switch(&plain);
    site.edges[1] = &crashed;
    assert!(site.verify().await.has_reason());
    // A wall in front of the site, before and after.
    let blocked = |answer: EdgeResponse, _| Ok(EdgeResponse { status: 403, ..answer });
    let failure = switch(&blocked).verify().await.or_fail(SITE).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unverifiable);
    assert!(failure.message.contains("no response has the expected status"), "{failure}");
}

#[tokio::test]
async fn a_site_that_was_down_before_the_switch_is_no_reason() {
    let refused = |_: EdgeResponse, _| Err("it refuses connections");
    let rewriting =
        |answer: EdgeResponse, _| Ok(EdgeResponse { body: answer.body.replace('\n', ""), ..answer });
    let mut site = switch(&plain);
    site.edges = [&refused, &rewriting];
    assert_eq!(site.look().await.0, None);
    let found = site.verify().await;
    assert_eq!((found.verdict(), found.has_reason()), (SiteVerdict::Different, false));
}
