//! Tests of reviews: `sitegate diff`, `check --facts` and `[review]`.

mod edges;
mod kinds;
mod planted;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, sitegate, stdout, write};

/// Returns a page with a header, a footer and this content.
fn page(title: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"description\" content=\"About {title}\"><link rel=\"stylesheet\" href=\"/style.css\"></head>\
         <body><header><nav><ul><li><a href=\"/\">Home</a></li><li><a href=\"/guide/\">Guide</a></li></ul></nav></header>\
         <main><h1>{title}</h1>{content}</main><footer><p>Made by Acme Inc.</p></footer></body></html>"
    )
}

fn site(pages: &[(&str, &str)]) -> TempDir {
    let folder =
        folder(&[("base/style.css", "body { color: black }"), ("new/style.css", "body { color: black }")]);
    for (name, content) in pages {
        for side in ["base", "new"] {
            write(folder.path(), &format!("{side}/{name}"), &page(name, content));
        }
    }
    folder
}

fn sample() -> TempDir {
    site(&[
        ("index.html", "<p>Welcome to the site.</p>"),
        ("guide/index.html", "<h2>Install</h2><p>Run the program.</p><p>It is fast.</p>"),
        ("about/index.html", "<p>We are a company.</p><p>We make sites.</p>"),
    ])
}

fn diff(folder: &Path, args: &[&str]) -> Output {
    sitegate(folder, &[&["diff", "base", "new"], args].concat())
}

/// Compares the two builds, and returns the review.
fn review(folder: &Path, args: &[&str]) -> Value {
    let output = diff(folder, &[&["--format", "json", "--no-config"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the kinds and titles of causes.
fn causes(review: &Value) -> Vec<String> {
    let text = |cause: &Value| {
        format!(
            "{} {} ({})",
            cause["kind"].as_str().unwrap(),
            cause["title"].as_str().unwrap(),
            cause["pages"]
        )
    };
    review["causes"].as_array().unwrap().iter().map(text).collect()
}

fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join("new").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn equal_builds_have_no_difference() {
    let folder = sample();
    assert!(stdout(&diff(folder.path(), &[])).contains("no difference on 3 pages"));
}

#[test]
fn sitemaps_without_dates_and_hashed_names_are_no_causes() {
    let folder = sample();
    let root = folder.path();
    for (side, hash) in [("base", "en_122712b"), ("new", "en_1db47c7")] {
        let map = "<urlset><url><loc>https://x.example/guide/</loc></url></urlset>";
        write(root, &format!("{side}/sitemap.xml"), map);
        write(root, &format!("{side}/pagefind/fragment/{hash}.pf_fragment"), "x");
    }
    edit(root, "guide/index.html", "Run the program.", "Run the new program.");
    let review: Value = serde_json::from_str(&stdout(&diff(root, &["--format", "json"]))).unwrap();
    assert_eq!(causes(&review), ["text `main > p`: changed (1)"], "{review:#}");
}

#[test]
fn lists_every_kind_of_change() {
    let folder = sample();
    let root = folder.path();
    for side in ["base", "new"] {
        write(root, &format!("{side}/old.pdf"), "%PDF-1.4");
        write(root, &format!("{side}/app.js"), "1");
        let map = "<urlset><url><loc>https://x.example/</loc><lastmod>2026-01-01</lastmod></url>\
                   <url><loc>https://x.example/guide/</loc><lastmod>2026-01-01</lastmod></url>\
                   <url><loc>https://x.example/same/</loc><lastmod>2026-01-01</lastmod></url></urlset>";
        write(root, &format!("{side}/sitemap.xml"), map);
        write(root, &format!("{side}/same/index.html"), &page("Same", "<p>The same.</p>"));
    }
    edit(root, "index.html", "</head>", "<script src=\"/app.js\"></script></head>");
    write(root, "new/app.js", &"x".repeat(20_000));
    edit(
        root,
        "sitemap.xml",
        "https://x.example/same/</loc><lastmod>2026-01-01",
        "https://x.example/same/</loc><lastmod>2026-02-02",
    );
    fs::remove_file(root.join("new/old.pdf")).unwrap();
    write(root, "new/news/index.html", &page("News", "<p>Something new.</p>"));
    edit(root, "guide/index.html", "Run the program.", "Run the new program.");
    edit(root, "guide/index.html", "About guide", "All about guide");
    for (side, text) in [("base", "About guide"), ("new", "All about guide")] {
        let file = root.join(side).join("guide/index.html");
        let card = format!("<meta property=\"og:description\" content=\"{text}/index.html\"></head>");
        let html = fs::read_to_string(&file).unwrap().replace("</head>", &card);
        fs::write(file, html).unwrap();
    }
    edit(root, "about/index.html", "<head>", "<head><meta name=\"robots\" content=\"noindex\">");
    edit(root, "about/index.html", "</main>", "<img src=\"https://cdn.example/x.png\" alt=\"\"></main>");
    edit(root, "about/index.html", "</body>", "<script>track()</script></body>");
    let review = review(root, &[]);
    assert_eq!(
        causes(&review),
        [
            "lost-url 1 address lost: no page, file or redirect answers (1)",
            "added-url 1 address added (1)",
            "noindex left the index: `noindex` or robots.txt excludes them (1)",
            "target `script[src]`: added (1)",
            "target `main img[src]`: added (1)",
            "text `main > p`: changed (1)",
            "metadata `robots`: added (1)",
            "metadata `description`, `og:description`: changed (1)",
            "attribute `main img[alt]`: added (1)",
            "new-host browsers now contact `cdn.example` (1)",
            "inline-script new inline script; no Content-Security-Policy blocks it (1)",
            "file `.js`: 1 file changed (1)",
            "file `.xml`: 1 file changed (1)",
            "weight script files of a page: 0 B → 20.0 kB (new) (1)",
            "lastmod `lastmod` moved without a change (1)",
            "lastmod `lastmod` stayed despite a changed text (1)",
        ],
        "{review:#}"
    );
    let words: Vec<&str> = review["causes"][5]["texts"][0]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["text"].as_str().unwrap())
        .collect();
    assert_eq!(words, ["Run the", "new", "program."]);
}

#[test]
fn added_blocks_are_in_the_order_of_the_page() {
    let folder = sample();
    let added = "<h2>Use</h2><ul><li>One</li></ul><p>Two</p><h3>Three</h3>";
    edit(folder.path(), "about/index.html", "</main>", &format!("{added}</main>"));
    let text = stdout(&diff(folder.path(), &[]));
    let order = ["{+Use+}", "{+One+}", "{+Two+}", "{+Three+}"].map(|word| text.find(word).unwrap());
    assert!(order.is_sorted(), "{text}");
    assert!(text.contains("4 blocks added"), "{text}");
}

#[test]
fn a_word_in_the_footer_is_one_entry() {
    let folder = site(&[]);
    for number in 0..200 {
        let text = page(&format!("Page {number}"), &format!("<p>Text of page {number}.</p>"));
        write(folder.path(), &format!("base/{number}/index.html"), &text);
        write(folder.path(), &format!("new/{number}/index.html"), &text.replace("Inc.", "Ltd."));
    }
    let output = diff(folder.path(), &["--preview", "https://pr-12.example.dev", "--pages", "pages.txt"]);
    let text = stdout(&output);
    assert!(text.contains("`footer > p`: changed, 200 pages"), "{text}");
    assert!(text.contains("Made by Acme [-Inc.-] {+Ltd.+}"), "{text}");
    assert!(text.contains("https://pr-12.example.dev/0/"), "{text}");
    assert!(text.lines().count() < 40, "{text}");
    assert_eq!(
        fs::read_to_string(folder.path().join("pages.txt")).unwrap(),
        "https://pr-12.example.dev/0/\n"
    );
}

#[test]
fn texts_that_a_few_pages_share_stay_apart() {
    let folder = site(&[]);
    for number in 0..8 {
        let text = page(&format!("Page {number}"), "<p>Prices are net.</p><p>Ask our team.</p>");
        write(folder.path(), &format!("base/{number}/index.html"), &text);
        let new = text.replace("net", "gross").replace("team", "people");
        write(folder.path(), &format!("new/{number}/index.html"), &new);
    }
    let text = stdout(&diff(folder.path(), &[]));
    assert_eq!(text.matches("`main > p`: changed, 8 pages").count(), 2, "{text}");
}

#[test]
fn dates_of_a_build_are_one_cause() {
    let folder = site(&[]);
    for number in 0..20 {
        let build = |date: &str, id: u32| {
            let text = format!("<p>Text.</p><p class=\"built\">Built {date} by build {id}</p>");
            page(&format!("Page {number}"), &text)
        };
        write(folder.path(), &format!("base/{number}/index.html"), &build("2026-11-24 10:00", 1000 + number));
        write(folder.path(), &format!("new/{number}/index.html"), &build("2026-11-25 11:30", 5000 + number));
    }
    let found = review(folder.path(), &[]);
    assert_eq!(causes(&found), ["text `main > p.built`: changed, different on each page (20)"]);
    assert_eq!(found["causes"][0]["texts"].as_array().unwrap().len(), 2);
}

#[test]
fn noise_is_learned_from_a_second_build() {
    let folder = sample();
    write(folder.path(), "again/style.css", "body { color: black }");
    for (name, quote) in [("base", "Less is more."), ("new", "Simple is best."), ("again", "Done is good.")] {
        for file in ["index.html", "guide/index.html", "about/index.html"] {
            let text = fs::read_to_string(folder.path().join("new").join(file)).unwrap();
            let text = text.replace("<footer>", &format!("<footer><p class=\"quote\">{quote}</p>"));
            write(folder.path(), &format!("{name}-quoted/{file}"), &text);
        }
    }
    let compare = |args: &[&str]| {
        let output = sitegate(
            folder.path(),
            &[&["diff", "base-quoted", "new-quoted", "--format", "json"], args].concat(),
        );
        causes(&serde_json::from_slice(&output.stdout).unwrap())
    };
    assert_eq!(compare(&[]), ["text `footer > p.quote`: changed (3)"]);
    assert_eq!(compare(&["--again", "again-quoted"]), [""; 0]);
}

#[test]
fn renamed_pages_are_paired() {
    let folder = sample();
    let root = folder.path();
    fs::rename(root.join("new/guide"), root.join("new/manual")).unwrap();
    edit(root, "manual/index.html", "It is fast.", "It is very fast.");
    let found = review(root, &[]);
    assert_eq!(
        causes(&found)[..2],
        [
            "lost-url 1 page moved without a redirect: the old addresses are lost (1)",
            "text `main > p`: changed (1)",
        ],
        "{found:#}"
    );
    write(root, "new/_redirects", "/guide/* /manual/:splat 301\n");
    assert_eq!(causes(&review(root, &[]))[0], "moved-url 1 page moved, with a redirect (1)");
}

#[test]
fn the_contract_decides_what_fails() {
    let folder = sample();
    fs::remove_dir_all(folder.path().join("new/about")).unwrap();
    write(folder.path(), "sitegate.toml", "[review]\nfail = [\"new-host\"]\n");
    assert_eq!(diff(folder.path(), &[]).status.code(), Some(0));
    write(folder.path(), "sitegate.toml", "[review]\nfail = [\"new-host\", \"lost-url\"]\n");
    let output = diff(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("failed by [review] of the contract: lost-url"), "{output:?}");
    write(folder.path(), "sitegate.toml", "[review]\nfail = [\"lost-urls\"]\n");
    assert_eq!(diff(folder.path(), &[]).status.code(), Some(2));
}

#[test]
fn facts_replace_folders() {
    let folder = sample();
    let root = folder.path();
    edit(root, "guide/index.html", "It is fast.", "It is &eacute;l&eacute;gant.");
    for side in ["base", "new"] {
        let output = sitegate(root, &["check", side, "--no-config", "--facts", &format!("{side}.facts.gz")]);
        assert!(root.join(format!("{side}.facts.gz")).exists(), "{output:?}");
    }
    let expected = review(root, &[])["causes"].clone();
    let output = sitegate(root, &["diff", "base.facts.gz", "new.facts.gz", "--format", "json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["causes"], expected);
    assert_eq!(causes(&found), ["text `main > p`: changed (1)"]);
    // The same bytes for the same site, and no seal is replaced.
    let before = fs::read(root.join("new.facts.gz")).unwrap();
    sitegate(root, &["check", "new", "--no-config", "--facts", "new.facts.gz"]);
    assert_eq!(fs::read(root.join("new.facts.gz")).unwrap(), before);
    let sealed = ["check", "base", "--no-config", "--seal", "seal.json"];
    assert_eq!(sitegate(root, &sealed).status.code(), Some(0));
    let seal = fs::read(root.join("seal.json")).unwrap();
    let output = sitegate(root, &["check", "new", "--no-config", "--facts", "seal.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(root.join("seal.json")).unwrap(), seal);
}

#[test]
fn unusable_bases_are_refused() {
    let folder = sample();
    let root = folder.path();
    let compare = |base: &str, args: &[&str]| sitegate(root, &[&["diff", base, "new"], args].concat());
    let stderr = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();

    let output = compare("gone", &[]);
    assert_eq!(output.status.code(), Some(2));
    let output = compare("gone", &["--allow-missing-base"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("no earlier build to compare 3 pages with"), "{output:?}");

    let compressed = |text: &str| {
        let mut bytes = Vec::new();
        sitegate_address::inventory::Compression::Gzip.write(text.as_bytes(), &mut bytes).unwrap();
        bytes
    };
    fs::write(root.join("later.gz"), compressed("sitegate-facts 7 3.1.0\n{}")).unwrap();
    let output = compare("later.gz", &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    let refusal =
        "it is a file of page facts of version 7, but this program reads version 3: update sitegate";
    assert!(message.contains(&format!("later.gz: {refusal}")), "{message}");
    fs::write(root.join("damaged.gz"), compressed("sitegate-facts 3 0.1.0\n{\"texts\":[],")).unwrap();
    assert!(stderr(&compare("damaged.gz", &[])).contains("it is damaged"));
    fs::write(root.join("other.txt"), "no facts").unwrap();
    assert!(stderr(&compare("other.txt", &[])).contains("it is not a file of page facts"));
}

#[test]
fn a_bomb_is_refused() {
    let folder = sample();
    let gzip = |text: &[u8]| {
        let mut bytes = Vec::new();
        sitegate_address::inventory::Compression::Gzip.write(text, &mut bytes).unwrap();
        bytes
    };
    // Gzip allows several compressed texts in a row.
    let spaces = gzip(&vec![b' '; 1 << 20]);
    let bytes = [gzip(b"sitegate-facts 3 0.1.0\n"), spaces.repeat(512), gzip(b"  ")].concat();
    assert!(bytes.len() < 1 << 20);
    fs::write(folder.path().join("bomb.gz"), bytes).unwrap();
    let output = sitegate(folder.path(), &["diff", "bomb.gz", "new"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("more page facts than this program reads"));
}

#[test]
fn reads_a_release_of_a_target() {
    let folder = sample();
    let root = folder.path();
    let target = format!("file://{}/live", root.display());
    write(root, "sitegate.toml", "[rules]\norphan-page = \"off\"\n");
    sitegate(root, &["check", "base", "--seal", "seal.json"]);
    let output = sitegate(root, &["publish", &target, "base", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    edit(root, "about/index.html", "We make sites.", "We make good sites.");
    let output = sitegate(root, &["diff", &target, "new", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(causes(&found), ["text `main > p`: changed (1)"]);
    let output = sitegate(root, &["diff", &format!("{target}#gone"), "new"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("keeps no release gone"), "{output:?}");
}

#[test]
fn unusual_pages_are_compared() {
    let folder = site(&[]);
    let root = folder.path();
    // UTF-16, a legacy encoding, one line without blocks, and many megabytes.
    for (side, word) in [("base", "caf\u{e9}"), ("new", "th\u{e9}")] {
        let text = format!("<!doctype html><title>T</title><p>Le {word} du matin.</p>");
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        fs::write(root.join(side).join("utf16.html"), utf16).unwrap();
        let legacy = text.replace("<title>", "<meta charset=\"iso-8859-1\"><title>").replace("matin", "soir");
        let legacy: Vec<u8> = legacy.chars().map(|c| c as u8).collect();
        fs::write(root.join(side).join("legacy.html"), legacy).unwrap();
        let words: Vec<String> = (0..300_000).map(|number| format!("<b>w{number}</b>")).collect();
        let large = words.join(" ").replace("w150000<", &format!("w150000 {word}<"));
        write(root, &format!("{side}/large.html"), &format!("<!doctype html><title>T</title>{large}"));
    }
    let found = review(root, &[]);
    let texts: Vec<String> = found["causes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|cause| cause["texts"].as_array().unwrap())
        .map(|parts| {
            parts
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["text"].as_str().unwrap())
                .collect::<Vec<_>>()
                .join("|")
        })
        .collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts.contains(&"Le|caf\u{e9}|th\u{e9}|du matin.".to_owned()), "{texts:?}");
    assert!(texts.contains(&"Le|caf\u{e9}|th\u{e9}|du soir.".to_owned()), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("w150000|caf\u{e9}|th\u{e9}|w150001")), "{texts:?}");
}

#[test]
fn markdown_is_bounded_and_escaped() {
    let folder = site(&[]);
    let root = folder.path();
    for number in 0..3000 {
        // Other places are other causes.
        let text = format!("<p class=\"c{number}\">Text {number} of {}.</p>", "x".repeat(40));
        let text = page(&format!("Page {number}"), &text);
        write(root, &format!("base/{number}/index.html"), &text);
        let evil = "&lt;/details>&lt;img src=x> ![a](https://x.example) @everyone";
        let text =
            if number % 10 == 0 { text.replace("Text", &format!("{evil} Text {number}")) } else { text };
        write(root, &format!("new/{number}/index.html"), &text);
    }
    let text = stdout(&diff(root, &["--format", "markdown"]));
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.starts_with("<!-- sitegate review -->\n"));
    assert_eq!(text.matches("<details>").count(), 1);
    assert_eq!(text.matches("</details>").count(), 1);
    for markup in ["<img", "![", "@everyone", "https://x"] {
        assert!(!text.contains(markup), "{markup}");
    }
    let html = stdout(&diff(root, &["--format", "html"]));
    assert!(!html.contains("<img") && !html.contains("<script") && html.contains("default-src 'none'"));
}

#[test]
fn the_review_matches_its_schema() {
    let folder = sample();
    edit(folder.path(), "index.html", "Welcome", "Hello");
    let schema = stdout(&sitegate(folder.path(), &["schema", "review"]));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sitegate.review.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &schema).unwrap();
    }
    assert_eq!(fs::read_to_string(file).unwrap(), schema, "run: UPDATE=1 cargo test --test program review");
    let validator = jsonschema::draft7::new(&serde_json::from_str(&schema).unwrap()).unwrap();
    let found = review(folder.path(), &["--preview", "https://pr.example"]);
    assert!(validator.is_valid(&found), "{found:#}");
}
