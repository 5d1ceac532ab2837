//! Compares the preview with the check for each host: both must resolve paths to the same files.

use std::fs;

use http_body_util::BodyExt;
use hyper::{Request, StatusCode};
use sitegate_check::{Contract, Resolver, Target, Tree};
use sitegate_host::redirects::MovedAddress;
use sitegate_host::{Host, REDIRECTS_FILE};
use sitegate_server::preview::Preview;

use crate::sites::{FILES, HOSTS, SLASHES, contract, paths, write};

const LINES: &str = "/moved /docs/\n/old/* /:splat 302\n/again/* /docs/:splat 200\n/docs/v1.2/* /page.html 301!\n\
                     /away https://other.example/x\n/lost /nowhere\n/100%25.txt /page.html 301!\n";

fn request(preview: &Preview, path: &str) -> (StatusCode, String, String) {
    let response = preview.answer(&Request::get(path).body(()).unwrap());
    let location = response.headers().get("location").map_or("", |value| value.to_str().unwrap()).to_owned();
    let status = response.status();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let body = runtime.block_on(response.into_body().collect()).unwrap().to_bytes();
    (status, location, String::from_utf8(body.to_vec()).unwrap())
}

/// Returns the file that a browser gets after redirects, or `another site` or `nowhere`.
fn follow(preview: &Preview, path: &str) -> String {
    let mut path = path.to_owned();
    for _ in 0..12 {
        let (status, location, body) = request(preview, &path);
        match status.as_u16() {
            200 => return body,
            404 => return "nowhere".to_owned(),
            300..400 if location.contains("://") => return "another site".to_owned(),
            300..400 => path = location,
            _ => panic!("{path}: {status}"),
        }
    }
    "nowhere".to_owned()
}

fn compare(contract: impl Fn() -> Contract, root: &std::path::Path, paths_to_request: &[String]) {
    let contract_ = contract();
    let tree = Tree::walk(root).unwrap();
    let find = |name: &str| (name == REDIRECTS_FILE).then(|| root.join(name));
    let redirects = contract_.read_redirects(find, contract_.site.host).unwrap();
    let resolver = Resolver::new(&tree, &contract_.site, redirects.into());
    let preview = Preview::new(root, contract()).unwrap();
    let mut buffer = Vec::new();
    for path in paths_to_request {
        // Two slashes at the start of a reference would name a host.
        let reference = format!("http://sitegate.invalid{path}");
        let expected = match resolver.resolve(&resolver.root(), &reference, &mut buffer) {
            Target::File { file, .. } => tree.display(file).into_owned(),
            Target::External => "another site".to_owned(),
            Target::Missing(_) => "nowhere".to_owned(),
            other => panic!("{path}: {other:?}"),
        };
        let found = follow(&preview, path);
        let site = &contract_.site;
        assert_eq!(found, expected, "{path}, host {:?}, trailing-slash {:?}", site.host, site.trailing_slash);
    }
}

#[test]
fn the_preview_agrees_with_the_check_for_each_host() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    fs::write(folder.path().join(REDIRECTS_FILE), "").unwrap();
    for host in HOSTS {
        for slash in SLASHES {
            compare(|| contract(host, slash), folder.path(), &paths());
        }
    }
}

#[test]
fn redirects_agree_with_the_check() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    fs::write(folder.path().join(REDIRECTS_FILE), LINES).unwrap();
    let mut paths_to_request: Vec<String> = [
        "/moved",
        "/moved/",
        "/old",
        "/old/",
        "/away",
        "/lost",
        "/gone",
        "/gone/",
        "/page.html",
        "/100%2525.txt",
    ]
    .map(str::to_owned)
    .to_vec();
    for name in FILES {
        let path = sitegate_address::percent::escape_path(name);
        let page = path.trim_end_matches("index.html");
        paths_to_request.extend([
            format!("/old/{path}"),
            format!("/old/{page}"),
            format!("/again/{page}"),
            format!("/{page}"),
        ]);
    }
    for host in HOSTS {
        for slash in SLASHES {
            let moved = || {
                let mut contract = contract(host, slash);
                for (from, to) in [("/gone", "/docs/v1.2/"), ("/page.html", "/LICENSE")] {
                    let (from, to) = (from.to_owned(), to.to_owned());
                    contract.redirects.push(MovedAddress { from, to, span: 0..0 });
                }
                contract
            };
            compare(moved, folder.path(), &paths_to_request);
        }
    }
}

#[test]
fn netlify_serves_pages_without_extension_and_follows_its_redirects() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    fs::write(
        folder.path().join(REDIRECTS_FILE),
        format!("{LINES}/proxy https://other.example/ 200\n/* /404.html 404\n"),
    )
    .unwrap();
    let preview = Preview::new(folder.path(), contract(HOSTS[5], SLASHES[0])).unwrap();
    assert_eq!(request(&preview, "/page"), (StatusCode::OK, String::new(), "page.html".to_owned()));
    assert_eq!(request(&preview, "/moved").0, StatusCode::MOVED_PERMANENTLY);
    assert_eq!(request(&preview, "/old/with%20space.html").1, "/with%20space.html");
    assert_eq!(request(&preview, "/again/page.html").2, "docs/page.html");
    assert_eq!(request(&preview, "/proxy").0, StatusCode::BAD_GATEWAY);
    assert_eq!(request(&preview, "/unknown"), (StatusCode::NOT_FOUND, String::new(), "404.html".to_owned()));
}

#[test]
fn files_that_the_host_reads_are_applied_and_not_served() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("index.html", "home");
    write("page.html", "page");
    write(REDIRECTS_FILE, "/old /page\n");
    write("_headers", "/*\n  X-A: 1\n/page\n  X-A: 2\n  Cache-Control: max-age=5\n  Content-Length: 9\n");
    let answered = |host: Host, path: &str| {
        let preview = Preview::new(folder.path(), contract(Some(host), SLASHES[0])).unwrap();
        let response = preview.answer(&Request::get(path).body(()).unwrap());
        let values = response.headers().get_all("x-a").iter().map(|value| value.to_str().unwrap());
        let values: Vec<String> = values.map(str::to_owned).collect();
        let cached = response.headers().get("cache-control").map(|value| value.to_str().unwrap().to_owned());
        (response.status().as_u16(), values.concat(), cached.unwrap_or_default())
    };
    let answer = |status: u16, values: &str, cached: &str| (status, values.to_owned(), cached.to_owned());
    for host in [Host::Netlify, Host::CloudflarePages] {
        assert_eq!(answered(host, "/page"), answer(200, "12", "max-age=5"), "{host:?}");
        assert_eq!(answered(host, "/"), answer(200, "1", "no-cache"), "{host:?}");
        assert_eq!(answered(host, "/old").0 / 100, 3);
    }
    assert_eq!(answered(Host::GithubPages, "/page"), answer(200, "", "no-cache"));
    for name in ["/_headers", "/_redirects"] {
        assert_eq!(answered(Host::Netlify, name).0, 404);
        assert_eq!(answered(Host::GithubPages, name).0, 200);
    }
    // Without a not-found page, Cloudflare takes the site for an app of one page.
    assert_eq!(answered(Host::CloudflarePages, "/unknown").0, 200);
    assert_eq!(answered(Host::Netlify, "/unknown").0, 404);
    write("404.html", "404");
    for name in ["/unknown", "/_headers", "/_redirects"] {
        assert_eq!(answered(Host::CloudflarePages, name).0, 404);
    }
}
