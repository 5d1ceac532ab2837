//! What is taken from small exports of where they live, and what is not.

use std::fs;
use std::path::Path;

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::deployment::Deployment;
use sitegate_check::internal::walk::Tree;

/// Writes an export and says what is taken of it, a line each.
fn taken_by(contract: &Contract, files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    taken_in(folder.path(), contract, files)
}

fn taken_in(root: &Path, contract: &Contract, files: &[(&str, &str)]) -> Vec<String> {
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let found = Deployment::infer(&Tree::walk(root).unwrap(), contract);
    found.inferred.iter().map(|taken| format!("{} {} ({})", taken.key, taken.value, taken.evidence)).collect()
}

fn taken(files: &[(&str, &str)]) -> Vec<String> {
    taken_by(&Contract::defaults(), files)
}

fn canonical(url: &str) -> String {
    format!("<link rel=canonical href=\"{url}\">")
}

#[test]
fn canonical_links_tell_the_origin_and_the_base_path() {
    let (home, a, b) = (
        canonical("https://acme.org/docs/"),
        canonical("https://acme.org/docs/a/"),
        canonical("https://acme.org/docs/b.html"),
    );
    assert_eq!(
        taken(&[("index.html", &home), ("a/index.html", &a), ("b.html", &b)]),
        [
            "origin https://acme.org (canonical links of 3 pages)",
            "base-path /docs/ (canonical links of 3 pages)"
        ]
    );
}

#[test]
fn the_contract_overrules() {
    let mut contract = Contract::defaults();
    contract.site.origin = Some("https://www.acme.org".parse().unwrap());
    contract.site.has_base_path = true;
    let home = canonical("https://acme.org/docs/");
    assert_eq!(taken_by(&contract, &[("index.html", &home)]), [""; 0]);
    contract.site.has_base_path = false;
    let own = canonical("https://www.acme.org/docs/");
    assert_eq!(
        taken_by(&contract, &[("index.html", &own)]),
        ["base-path /docs/ (canonical links of 1 page)"]
    );
}

#[test]
fn one_page_from_elsewhere_changes_nothing() {
    let (own, demo) = (canonical("https://acme.org/"), canonical("https://demo.example/theme/"));
    let a = canonical("https://acme.org/a.html");
    assert_eq!(
        taken(&[("index.html", &own), ("a.html", &a), ("demo.html", &demo)]),
        ["origin https://acme.org (canonical links of 2 pages)"]
    );
    // Half of them are no majority.
    assert_eq!(taken(&[("index.html", &own), ("demo.html", &demo)]), [""; 0]);
}

#[test]
fn a_page_that_was_copied_into_a_site_does_not_speak_for_it() {
    let copy = canonical("https://upstream.example/vendor/x.html");
    let base = "<base href=https://upstream.example/>";
    let plain = [("index.html", ""), ("a.html", ""), ("b.html", ""), ("c.html", "")];
    assert_eq!(taken(&[&plain[..], &[("vendor/x.html", &copy)]].concat()), [""; 0]);
    assert_eq!(taken(&[&plain[..], &[("vendor/x.html", base)]].concat()), [""; 0]);
}

#[test]
fn two_origins_that_both_look_own_are_unsure() {
    let home = canonical("https://acme.org/");
    assert_eq!(taken(&[("index.html", &home), ("CNAME", "www.acme.org\n")]), ["host github-pages (CNAME)"]);
    let sitemap = "<urlset><url><loc>https://old.example/</loc></url></urlset>";
    assert_eq!(taken(&[("index.html", &home), ("sitemap.xml", sitemap)]), [""; 0]);
    // What is often copied does not contradict, and http is no other origin.
    let social = format!("{home}<meta property=og:url content=\"https://theme.example/\">");
    let secure = "Sitemap: http://acme.org/sitemap.xml\n";
    assert_eq!(
        taken(&[("index.html", &social), ("robots.txt", secure)]),
        ["origin https://acme.org (canonical links of 1 page)"]
    );
}

#[test]
fn other_witnesses_speak_where_no_page_has_a_canonical_link() {
    let sitemap = "<urlset><url><loc>https://acme.org/x/</loc></url><url><loc>https://acme.org/x/a.html</loc></url></urlset>";
    let expected = |evidence: &str| {
        [format!("origin https://acme.org ({evidence})"), format!("base-path /x/ ({evidence})")]
    };
    let site = [("index.html", ""), ("a.html", "")];
    let with = |file: (&'static str, &'static str)| [&site[..], &[file]].concat();
    assert_eq!(taken(&[&site[..], &[("sitemap.xml", sitemap)]].concat()), expected("2 URLs in the sitemap"));
    assert_eq!(taken(&with(("robots.txt", "Sitemap: https://acme.org/x/a.html"))), expected("robots.txt"));
    assert_eq!(
        taken(&with(("feed.xml", "<rss><channel><link>https://acme.org/x/</link></channel></rss>"))),
        expected("the link of 1 feed")
    );
    assert_eq!(
        taken(&[("index.html", "<meta property=og:url content=https://acme.org/x/>")]),
        expected("og:url of 1 page")
    );
    assert_eq!(
        taken(&[("index.html", "<base href=https://acme.org/x/>")]),
        expected("<base href> of 1 page")
    );
    assert_eq!(
        taken(&with(("CNAME", "Acme.org\n"))),
        ["origin https://acme.org (CNAME)", "host github-pages (CNAME)"]
    );
}

#[test]
fn addresses_that_are_not_files_of_the_export_are_not_its_own() {
    // A copied page, and the pages of one chapter with the addresses of a book.
    let (a, b) = (canonical("https://upstream.example/x.html"), canonical("https://upstream.example/y.html"));
    assert_eq!(taken(&[("index.html", &a), ("b.html", &b)]), [""; 0]);
    let local = canonical("http://localhost:1313/");
    assert_eq!(taken(&[("index.html", &local)]), [""; 0]);
    let file = canonical("file:///usr/share/doc/index.html");
    assert_eq!(taken(&[("index.html", &file)]), [""; 0]);
}

#[test]
fn an_application_whose_sitemap_lists_its_routes_leaves_it_open() {
    let sitemap = "<urlset><url><loc>https://acme.org/lands</loc></url></urlset>";
    let robots = "Sitemap: https://acme.org/sitemap.xml\n";
    assert_eq!(taken(&[("index.html", ""), ("sitemap.xml", sitemap), ("robots.txt", robots)]), [""; 0]);
}

#[test]
fn a_not_found_page_says_nothing_of_itself() {
    let (home, lost) = (canonical("https://acme.org/"), canonical("https://acme.org/404.html/"));
    assert_eq!(
        taken(&[("index.html", &home), ("404.html", &lost)]),
        ["origin https://acme.org (canonical links of 1 page)"]
    );
}

#[test]
fn a_part_of_a_site_is_not_the_site() {
    let links: String = (0..6).map(|n| format!("<a href=https://acme.org/other-{n}/>x</a>")).collect();
    let home = format!("{}{links}", canonical("https://acme.org/"));
    assert_eq!(taken(&[("index.html", &home)]), [""; 0]);
    // Other sites on the same host say nothing.
    let home = format!("{}{links}", canonical("https://acme.org/docs/"));
    assert_eq!(taken(&[("index.html", &home)]).len(), 2);
}

#[test]
fn links_that_share_a_prefix_tell_the_base_path() {
    let app =
        "<script src=/app/main.js></script><link rel=stylesheet href=/app/css/x.css><a href=/app/>x</a>";
    let expected = ["base-path /app/ (3 links begin with it and are broken without it)"];
    assert_eq!(taken(&[("index.html", app), ("main.js", ""), ("css/x.css", "")]), expected);
    let angular = "<base href=/app/><script src=main.js></script><a href=./>x</a>";
    assert_eq!(
        taken(&[("index.html", angular), ("main.js", "")]),
        ["base-path /app/ (<base href> of 1 page)"]
    );
    // The folder is there, a single link may be a mistake, and most must agree.
    assert_eq!(
        taken(&[("index.html", app), ("app/main.js", ""), ("app/css/x.css", ""), ("app/index.html", "")]),
        [""; 0]
    );
    assert_eq!(taken(&[("index.html", "<img src=/imgs/logo.png>"), ("logo.png", "")]), [""; 0]);
    let mixed =
        "<script src=/app/main.js></script><script src=/app/x.js></script><img src=/a.png><img src=/b.png>";
    assert_eq!(
        taken(&[("index.html", mixed), ("main.js", ""), ("x.js", ""), ("a.png", ""), ("b.png", "")]),
        [""; 0]
    );
}

#[test]
fn links_decide_where_they_contradict_a_canonical_link() {
    // The classic mistake, or a page copied from elsewhere: nothing is sure.
    let home = format!("{}<img src=/a.png><img src=/b.png>", canonical("https://acme.github.io/x/"));
    assert_eq!(taken(&[("index.html", &home), ("a.png", ""), ("b.png", "")]), [""; 0]);
    let own = canonical("https://acme.org/");
    let home = format!("{own}<script src=/x/a.js></script><link rel=stylesheet href=/x/b.css>");
    assert_eq!(
        taken(&[("index.html", &home), ("a.js", ""), ("b.css", "")]),
        ["base-path /x/ (2 links begin with it and are broken without it)"]
    );
    let mut contract = Contract::defaults();
    contract.site.has_base_path = true;
    let home = canonical("https://acme.org/docs/");
    assert_eq!(taken_by(&contract, &[("index.html", &home)]), [""; 0], "the contract says `/`");
}

#[test]
fn hosts_are_told_by_domains_and_by_the_files_that_they_read() {
    let home = canonical("https://acme.github.io/x/");
    assert_eq!(
        taken(&[("index.html", &home), (".nojekyll", "")])[2],
        "host github-pages (the origin is on github.io, .nojekyll)"
    );
    assert_eq!(taken(&[("index.html", ""), (".nojekyll", "")]), [""; 0]);
    // Each of these is for several hosts; together they may be for one.
    assert_eq!(taken(&[("index.html", ""), ("_redirects", "/a /b")]), [""; 0]);
    assert_eq!(
        taken(&[("index.html", ""), ("_redirects", "/a /b"), ("_routes.json", "{}")]),
        ["host cloudflare-pages (_redirects, _routes.json)"]
    );
    assert_eq!(taken(&[("index.html", &home), ("vercel.json", "{}")]).len(), 2);
    assert_eq!(
        taken(&[("index.html", ""), ("staticwebapp.config.json", "{}")]),
        ["host azure-static-web-apps (staticwebapp.config.json)"]
    );
}

#[test]
fn a_projects_own_files_count_where_builds_put_their_exports() {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("netlify.toml"), "").unwrap();
    for (place, expected) in [("dist", 1), ("build/client", 1), ("elsewhere", 0)] {
        let found = taken_in(&project.path().join(place), &Contract::defaults(), &[("index.html", "")]);
        assert_eq!(found.len(), expected, "{place}: {found:?}");
    }
}

#[test]
fn pages_that_are_linked_without_their_ending_have_clean_urls() {
    let home = "<a href=/a>a</a><a href=b>b</a>";
    let site = [("index.html", home), ("a.html", ""), ("b.html", "")];
    let expected = ["clean-urls true (2 pages are linked without .html, and none with it)"];
    assert_eq!(taken(&site), expected);
    assert_eq!(taken(&[&site[..], &[("c/index.html", "<a href=/a.html>a</a>")]].concat()), [""; 0]);
    // One such link may be a mistake, but not where a framework writes them so.
    let one = [("index.html", "<a href=/a>a</a>"), ("a.html", "")];
    assert_eq!(taken(&one), [""; 0]);
    assert_eq!(taken(&[&one[..], &[("_next/static/x.js", "")]].concat()).len(), 1);
    // A host that is named decides by itself.
    let mut contract = Contract::defaults();
    contract.site.host = Some(sitegate_check::internal::contract::Host::S3Rest);
    assert_eq!(taken_by(&contract, &site), [""; 0]);
}

#[test]
fn directories_that_call_themselves_by_names_without_a_slash() {
    let page = |name: &str, link: &str| format!("{}{link}", canonical(&format!("https://acme.org/{name}")));
    let site = |a: &str, link: &str| {
        let (home, a, b) = (page("", ""), page(a, link), page("b", ""));
        taken(&[
            ("index.html", &home),
            ("a/index.html", &a),
            ("b/index.html", &b),
            ("b/x.png", ""),
            ("a/y.png", ""),
        ])
    };
    assert_eq!(site("a", "")[1], "trailing-slash never (canonical links of 2 index pages end without it)");
    assert_eq!(site("a/", "").len(), 1);
    assert_eq!(site("a", "<img src=y.png>").len(), 1, "it would lead nowhere without the slash");
    assert_eq!(site("a", "<img src=b/x.png>").len(), 2);
}

#[test]
fn hostile_input_is_only_ignored() {
    let garbage = "\u{0}<base href='http://[/'><link rel=canonical href='https://\u{1f4a9}:99999/'><link rel=canonical href>";
    assert_eq!(
        taken(&[("index.html", garbage), ("CNAME", "a b\nc"), ("sitemap.xml", "<urlset><loc>https://")]),
        [""; 0]
    );
    let deep = format!("<a href=/{}x>", "a/".repeat(10_000));
    assert_eq!(taken(&[("index.html", &deep)]), [""; 0]);
    assert_eq!(taken(&[]), [""; 0]);
}

#[test]
fn a_directory_that_was_lost_is_not_a_base_path() {
    let pictures = "<img src=/img/a.png><img src=/img/b.png>";
    assert_eq!(taken(&[("index.html", pictures), ("a.png", ""), ("b.png", "")]), [""; 0]);
    let scripts = "<script src=/js/a.js></script><script src=/js/b.js></script>";
    assert_eq!(taken(&[("index.html", scripts), ("a.js", ""), ("b.js", "")]), [""; 0]);
    let app = "<script src=/app/a.js></script><link rel=stylesheet href=/app/b.css>";
    assert_eq!(
        taken(&[("index.html", app), ("a.js", ""), ("b.css", "")]),
        ["base-path /app/ (2 links begin with it and are broken without it)"]
    );
}
