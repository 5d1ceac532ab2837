//! Tests which parts of the deployment are inferred from small exports.

use std::fs;
use std::path::Path;

use sitegate_check::{Contract, Deployment, Tree};

/// Writes an export, and returns the inferred settings, one line each.
fn infer_with(contract: &Contract, files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    infer_in(folder.path(), contract, files)
}

fn infer_in(root: &Path, contract: &Contract, files: &[(&str, &str)]) -> Vec<String> {
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let found = Deployment::infer(&Tree::walk(root).unwrap(), contract);
    found
        .inferred
        .iter()
        .map(|setting| format!("{} {} ({})", setting.key, setting.value, setting.evidence))
        .collect()
}

fn infer(files: &[(&str, &str)]) -> Vec<String> {
    infer_with(&Contract::defaults(), files)
}

fn canonical(url: &str) -> String {
    format!("<link rel=canonical href=\"{url}\">")
}

#[test]
fn infers_origin_and_base_path_from_canonical_links() {
    let (home, a, b) = (
        canonical("https://acme.org/docs/"),
        canonical("https://acme.org/docs/a/"),
        canonical("https://acme.org/docs/b.html"),
    );
    assert_eq!(
        infer(&[("index.html", &home), ("a/index.html", &a), ("b.html", &b)]),
        [
            "origin https://acme.org (canonical links of 3 pages)",
            "base-path /docs/ (canonical links of 3 pages)"
        ]
    );
}

#[test]
fn the_contract_overrides_inference() {
    let mut contract = Contract::defaults();
    contract.site.origin = Some("https://www.acme.org".parse().unwrap());
    contract.site.has_base_path = true;
    let home = canonical("https://acme.org/docs/");
    assert_eq!(infer_with(&contract, &[("index.html", &home)]), [""; 0]);
    contract.site.has_base_path = false;
    let own = canonical("https://www.acme.org/docs/");
    assert_eq!(
        infer_with(&contract, &[("index.html", &own)]),
        ["base-path /docs/ (canonical links of 1 page)"]
    );
}

#[test]
fn ignores_one_page_with_an_external_canonical_link() {
    let (own, demo) = (canonical("https://acme.org/"), canonical("https://demo.example/theme/"));
    let a = canonical("https://acme.org/a.html");
    assert_eq!(
        infer(&[("index.html", &own), ("a.html", &a), ("demo.html", &demo)]),
        ["origin https://acme.org (canonical links of 2 pages)"]
    );
    // Half of the pages are not a majority.
    assert_eq!(infer(&[("index.html", &own), ("demo.html", &demo)]), [""; 0]);
}

#[test]
fn ignores_a_copied_page() {
    let copy = canonical("https://upstream.example/vendor/x.html");
    let base = "<base href=https://upstream.example/>";
    let plain = [("index.html", ""), ("a.html", ""), ("b.html", ""), ("c.html", "")];
    assert_eq!(infer(&[&plain[..], &[("vendor/x.html", &copy)]].concat()), [""; 0]);
    assert_eq!(infer(&[&plain[..], &[("vendor/x.html", base)]].concat()), [""; 0]);
}

#[test]
fn infers_no_origin_from_contradicting_evidence() {
    let home = canonical("https://acme.org/");
    assert_eq!(infer(&[("index.html", &home), ("CNAME", "www.acme.org\n")]), ["host github-pages (CNAME)"]);
    let sitemap = "<urlset><url><loc>https://old.example/</loc></url></urlset>";
    assert_eq!(infer(&[("index.html", &home), ("sitemap.xml", sitemap)]), [""; 0]);
    // Metadata that is often copied does not contradict, and http is the same origin.
    let social = format!("{home}<meta property=og:url content=\"https://theme.example/\">");
    let secure = "Sitemap: http://acme.org/sitemap.xml\n";
    assert_eq!(
        infer(&[("index.html", &social), ("robots.txt", secure)]),
        ["origin https://acme.org (canonical links of 1 page)"]
    );
}

#[test]
fn infers_the_origin_from_other_evidence_without_canonical_links() {
    let sitemap = "<urlset><url><loc>https://acme.org/x/</loc></url><url><loc>https://acme.org/x/a.html</loc></url></urlset>";
    let expected = |evidence: &str| {
        [format!("origin https://acme.org ({evidence})"), format!("base-path /x/ ({evidence})")]
    };
    let site = [("index.html", ""), ("a.html", "")];
    let with = |file: (&'static str, &'static str)| [&site[..], &[file]].concat();
    assert_eq!(infer(&[&site[..], &[("sitemap.xml", sitemap)]].concat()), expected("2 URLs in the sitemap"));
    assert_eq!(infer(&with(("robots.txt", "Sitemap: https://acme.org/x/a.html"))), expected("robots.txt"));
    assert_eq!(
        infer(&with(("feed.xml", "<rss><channel><link>https://acme.org/x/</link></channel></rss>"))),
        expected("the link of 1 feed")
    );
    assert_eq!(
        infer(&[("index.html", "<meta property=og:url content=https://acme.org/x/>")]),
        expected("og:url of 1 page")
    );
    assert_eq!(
        infer(&[("index.html", "<base href=https://acme.org/x/>")]),
        expected("<base href> of 1 page")
    );
    assert_eq!(
        infer(&with(("CNAME", "Acme.org\n"))),
        ["origin https://acme.org (CNAME)", "host github-pages (CNAME)"]
    );
}

#[test]
fn ignores_canonical_links_to_pages_that_are_not_in_the_export() {
    // A copied page, and pages of one chapter with the URLs of a book.
    let (a, b) = (canonical("https://upstream.example/x.html"), canonical("https://upstream.example/y.html"));
    assert_eq!(infer(&[("index.html", &a), ("b.html", &b)]), [""; 0]);
    let local = canonical("http://localhost:1313/");
    assert_eq!(infer(&[("index.html", &local)]), [""; 0]);
    let file = canonical("file:///usr/share/doc/index.html");
    assert_eq!(infer(&[("index.html", &file)]), [""; 0]);
}

#[test]
fn infers_nothing_from_a_sitemap_of_application_routes() {
    let sitemap = "<urlset><url><loc>https://acme.org/lands</loc></url></urlset>";
    let robots = "Sitemap: https://acme.org/sitemap.xml\n";
    assert_eq!(infer(&[("index.html", ""), ("sitemap.xml", sitemap), ("robots.txt", robots)]), [""; 0]);
}

#[test]
fn ignores_the_canonical_link_of_the_not_found_page() {
    let (home, lost) = (canonical("https://acme.org/"), canonical("https://acme.org/404.html/"));
    assert_eq!(
        infer(&[("index.html", &home), ("404.html", &lost)]),
        ["origin https://acme.org (canonical links of 1 page)"]
    );
}

#[test]
fn infers_nothing_for_a_part_of_a_site() {
    let links: String = (0..6).map(|n| format!("<a href=https://acme.org/other-{n}/>x</a>")).collect();
    let home = format!("{}{links}", canonical("https://acme.org/"));
    assert_eq!(infer(&[("index.html", &home)]), [""; 0]);
    // Links to other sites on the same host are no evidence.
    let home = format!("{}{links}", canonical("https://acme.org/docs/"));
    assert_eq!(infer(&[("index.html", &home)]).len(), 2);
}

#[test]
fn infers_the_base_path_from_a_common_prefix_of_links() {
    let app =
        "<script src=/app/main.js></script><link rel=stylesheet href=/app/css/x.css><a href=/app/>x</a>";
    let expected = ["base-path /app/ (3 links begin with it and are broken without it)"];
    assert_eq!(infer(&[("index.html", app), ("main.js", ""), ("css/x.css", "")]), expected);
    let angular = "<base href=/app/><script src=main.js></script><a href=./>x</a>";
    assert_eq!(
        infer(&[("index.html", angular), ("main.js", "")]),
        ["base-path /app/ (<base href> of 1 page)"]
    );
    // Not inferred: the folder exists, there is only one such link, or most links disagree.
    assert_eq!(
        infer(&[("index.html", app), ("app/main.js", ""), ("app/css/x.css", ""), ("app/index.html", "")]),
        [""; 0]
    );
    assert_eq!(infer(&[("index.html", "<img src=/imgs/logo.png>"), ("logo.png", "")]), [""; 0]);
    let mixed =
        "<script src=/app/main.js></script><script src=/app/x.js></script><img src=/a.png><img src=/b.png>";
    assert_eq!(
        infer(&[("index.html", mixed), ("main.js", ""), ("x.js", ""), ("a.png", ""), ("b.png", "")]),
        [""; 0]
    );
}

#[test]
fn links_override_a_contradicting_canonical_link() {
    // A common mistake, or a copied page: infers nothing.
    let home = format!("{}<img src=/a.png><img src=/b.png>", canonical("https://acme.github.io/x/"));
    assert_eq!(infer(&[("index.html", &home), ("a.png", ""), ("b.png", "")]), [""; 0]);
    let own = canonical("https://acme.org/");
    let home = format!("{own}<script src=/x/a.js></script><link rel=stylesheet href=/x/b.css>");
    assert_eq!(
        infer(&[("index.html", &home), ("a.js", ""), ("b.css", "")]),
        ["base-path /x/ (2 links begin with it and are broken without it)"]
    );
    let mut contract = Contract::defaults();
    contract.site.has_base_path = true;
    let home = canonical("https://acme.org/docs/");
    assert_eq!(infer_with(&contract, &[("index.html", &home)]), [""; 0], "the contract says `/`");
}

#[test]
fn infers_the_host_from_domains_and_configuration_files() {
    let home = canonical("https://acme.github.io/x/");
    assert_eq!(
        infer(&[("index.html", &home), (".nojekyll", "")])[2],
        "host github-pages (the origin is on github.io, .nojekyll)"
    );
    assert_eq!(infer(&[("index.html", ""), (".nojekyll", "")]), [""; 0]);
    // Each of these files is for several hosts; together they can identify one.
    assert_eq!(infer(&[("index.html", ""), ("_redirects", "/a /b")]), [""; 0]);
    assert_eq!(
        infer(&[("index.html", ""), ("_redirects", "/a /b"), ("_routes.json", "{}")]),
        ["host cloudflare-pages (_redirects, _routes.json)"]
    );
    assert_eq!(infer(&[("index.html", &home), ("vercel.json", "{}")]).len(), 2);
    assert_eq!(
        infer(&[("index.html", ""), ("staticwebapp.config.json", "{}")]),
        ["host azure-static-web-apps (staticwebapp.config.json)"]
    );
}

#[test]
fn reads_configuration_files_of_the_project_around_the_export() {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("netlify.toml"), "").unwrap();
    for (place, expected) in [("dist", 1), ("build/client", 1), ("other", 0)] {
        let found = infer_in(&project.path().join(place), &Contract::defaults(), &[("index.html", "")]);
        assert_eq!(found.len(), expected, "{place}: {found:?}");
    }
}

#[test]
fn infers_clean_urls_from_links_without_extension() {
    let home = "<a href=/a>a</a><a href=b>b</a>";
    let site = [("index.html", home), ("a.html", ""), ("b.html", "")];
    let expected = [
        "clean-urls true (2 pages are linked without .html, and none with it; S3 and CloudFront do not serve such links)",
    ];
    assert_eq!(infer(&site), expected);
    assert_eq!(infer(&[&site[..], &[("c/index.html", "<a href=/a.html>a</a>")]].concat()), [""; 0]);
    // One such link may be a mistake, unless a framework writes such links.
    let one = [("index.html", "<a href=/a>a</a>"), ("a.html", "")];
    assert_eq!(infer(&one), [""; 0]);
    assert_eq!(infer(&[&one[..], &[("_next/static/x.js", "")]].concat()).len(), 1);
    // A host in the contract decides by itself.
    let mut contract = Contract::defaults();
    contract.site.host = Some(sitegate_host::Host::S3Rest);
    assert_eq!(infer_with(&contract, &site), [""; 0]);
}

#[test]
fn infers_trailing_slashes_from_canonical_links() {
    let page = |name: &str, link: &str| format!("{}{link}", canonical(&format!("https://acme.org/{name}")));
    let site = |a: &str, link: &str| {
        let (home, a, b) = (page("", ""), page(a, link), page("b", ""));
        infer(&[
            ("index.html", &home),
            ("a/index.html", &a),
            ("b/index.html", &b),
            ("b/x.png", ""),
            ("a/y.png", ""),
        ])
    };
    assert_eq!(site("a", "")[1], "trailing-slash never (canonical links of 2 index pages end without it)");
    assert_eq!(site("a/", "").len(), 1);
    assert_eq!(site("a", "<img src=y.png>").len(), 1, "the link would be broken without the slash");
    assert_eq!(site("a", "<img src=b/x.png>").len(), 2);
}

#[test]
fn ignores_hostile_input() {
    let garbage = "\u{0}<base href='http://[/'><link rel=canonical href='https://\u{1f4a9}:99999/'><link rel=canonical href>";
    assert_eq!(
        infer(&[("index.html", garbage), ("CNAME", "a b\nc"), ("sitemap.xml", "<urlset><loc>https://")]),
        [""; 0]
    );
    let deep = format!("<a href=/{}x>", "a/".repeat(10_000));
    assert_eq!(infer(&[("index.html", &deep)]), [""; 0]);
    assert_eq!(infer(&[]), [""; 0]);
}

#[test]
fn infers_no_base_path_from_a_missing_folder() {
    let pictures = "<img src=/img/a.png><img src=/img/b.png>";
    assert_eq!(infer(&[("index.html", pictures), ("a.png", ""), ("b.png", "")]), [""; 0]);
    let scripts = "<script src=/js/a.js></script><script src=/js/b.js></script>";
    assert_eq!(infer(&[("index.html", scripts), ("a.js", ""), ("b.js", "")]), [""; 0]);
    let app = "<script src=/app/a.js></script><link rel=stylesheet href=/app/b.css>";
    assert_eq!(
        infer(&[("index.html", app), ("a.js", ""), ("b.css", "")]),
        ["base-path /app/ (2 links begin with it and are broken without it)"]
    );
}
