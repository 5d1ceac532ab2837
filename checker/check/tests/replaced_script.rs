//! Tests that the contract of `docs/guides/replace-your-script.md` finds what a validation script finds: each fault is
//! planted into a correct site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sitegate_check::{CheckTarget, Checker, Contract};

const GUIDE: &str = "../../docs/guides/replace-your-script.md";
const SITE: &str = "https://www.acme.org";

type Files = BTreeMap<String, String>;

/// Returns the contract that the guide shows.
fn contract_of_guide() -> String {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE)).unwrap();
    let (_, block) = guide.split_once("```toml\n").unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

/// Returns a page that passes all checks. `alternates` are the languages and paths of its translations.
fn page(path: &str, title: &str, alternates: &[(&str, &str)]) -> String {
    let alternates = alternates.iter().map(|(language, path)| {
        format!("<link rel=\"alternate\" hreflang=\"{language}\" href=\"{SITE}/{path}\">\n")
    });
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta name=\"description\" content=\"About {title}\">\n\
         <link rel=\"canonical\" href=\"{SITE}/{path}\">\n<link rel=\"icon\" href=\"/icon.svg\">\n\
         <meta property=\"og:image\" content=\"{SITE}/card.gif\">\n{}</head>\n\
         <body>\n<h1>{title}</h1>\n<a href=\"/\">Home</a> <a href=\"/fr/\">Fr</a> <a href=\"/a/\">A</a> \
         <a href=\"/b/\">B</a>\n</body>\n</html>\n",
        alternates.collect::<String>()
    )
}

fn correct_site() -> Files {
    let languages = [("en", ""), ("fr", "fr/")];
    let urls = ["", "fr/", "a/", "b/"].map(|path| format!("<url><loc>{SITE}/{path}</loc></url>\n"));
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    [
        ("index.html", page("", "Acme", &languages)),
        ("fr/index.html", page("fr/", "Acme en français", &languages)),
        ("a/index.html", page("a/", "Prices", &[])),
        ("b/index.html", page("b/", "Plans", &[])),
        ("404.html", "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Not found</title>\n\
                      <meta name=\"description\" content=\"Nothing here\"><p>Not found.</p></html>".to_owned()),
        ("card.gif", "GIF89a\x58\x02\x58\x02\0\0\0;".to_owned()),
        ("icon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned()),
        ("sitemap.xml", format!("<urlset xmlns=\"{namespace}\">\n{}</urlset>\n", urls.concat())),
        ("robots.txt", format!("User-agent: *\nDisallow: /private/\nSitemap: {SITE}/sitemap.xml\n")),
        ("feed.xml", format!("<rss version=\"2.0\"><channel><link>{SITE}/</link><item><title>A</title><link>{SITE}/a/</link></item></channel></rss>\n")),
        ("llms.txt", "# Acme\n\n- [Prices](/a/)\n- [Plans](/b/)\n".to_owned()),
    ]
    .map(|(path, text)| (path.to_owned(), text))
    .into()
}

/// Returns the rules that report something about a site.
fn rules_of(files: &Files) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    for (path, text) in files {
        let path = site.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let file = folder.path().join("sitegate.toml");
    fs::write(&file, contract_of_guide()).unwrap();
    let contract = Contract::load(&file).unwrap();
    let report = Checker::new(&contract).unwrap().run(CheckTarget::Export(&site)).unwrap();
    let (report, _) = report.into_report(&contract);
    report.findings.iter().map(|found| format!("{}: {}", found.rule, found.message)).collect()
}

#[test]
fn a_correct_site_has_no_findings() {
    assert_eq!(rules_of(&correct_site()), BTreeSet::new());
}

#[test]
fn the_contract_has_ten_lines() {
    assert!(contract_of_guide().lines().filter(|line| !line.is_empty()).count() <= 11);
}

#[test]
fn planted_faults_are_found() {
    // The file, the text in it, the text instead, and the rule.
    let faults = [
        (
            "a/index.html",
            "https://www.acme.org/a/\">\n<link rel=\"icon\"",
            "\">\n<link rel=\"icon\"",
            "invalid-canonical",
        ),
        ("a/index.html", "<link rel=\"canonical\" href=\"https://www.acme.org/a/\">", "", "wrong-count"),
        (
            "a/index.html",
            "rel=\"canonical\" href=\"https://www.acme.org/a/\"",
            "rel=\"canonical\" href=\"/gone/\"",
            "broken-link",
        ),
        ("a/index.html", "<h1>Prices</h1>", "<h1>Prices</h1><h1>Again</h1>", "wrong-count"),
        ("a/index.html", "<h1>Prices</h1>", "<h2>Prices</h2>", "wrong-count"),
        (
            "a/index.html",
            "content=\"https://www.acme.org/card.gif\"",
            "content=\"/card.gif\"",
            "relative-url",
        ),
        (
            "a/index.html",
            "content=\"https://www.acme.org/card.gif\"",
            "content=\"https://www.acme.org/gone.gif\"",
            "missing-asset",
        ),
        ("a/index.html", "<meta property=\"og:image\"", "<meta property=\"og:type\"", "wrong-count"),
        ("a/index.html", "<title>Prices</title>", "<title></title>", "missing-title"),
        ("a/index.html", "<title>Prices</title>", "<title>Plans</title>", "duplicate-title"),
        ("a/index.html", "<meta name=\"description\"", "<meta name=\"summary\"", "missing-description"),
        ("a/index.html", "<a href=\"/b/\">", "<a href=\"/gone/\">", "broken-link"),
        ("a/index.html", "<a href=\"/b/\">", "<a href=\"https://acme.org/b/\">", "staging-host"),
        ("a/index.html", "<a href=\"/b/\">", "<a href=\"https://example.com/\">", "placeholder"),
        ("a/index.html", "<h1>Prices", "<p>Lorem ipsum</p><h1>Prices", "forbidden-text"),
        ("a/index.html", "<a href=\"/b/\">", "<a href=\"/b/?{{ id }}\">", "unrendered-reference"),
        ("a/index.html", "</head>", "<meta name=\"robots\" content=\"noindex\"></head>", "sitemap-mismatch"),
        ("sitemap.xml", "<url><loc>https://www.acme.org/a/</loc></url>\n", "", "sitemap-mismatch"),
        ("sitemap.xml", "https://www.acme.org/a/", "https://www.acme.org/gone/", "broken-link"),
        ("sitemap.xml", "https://www.acme.org/a/", "https://preview.acme.org/a/", "foreign-sitemap-url"),
        ("sitemap.xml", "http://www.sitemaps.org", "https://www.sitemaps.org", "malformed-file"),
        ("robots.txt", "/private/", "/a/", "sitemap-mismatch"),
        ("robots.txt", "https://www.acme.org/sitemap.xml", "/sitemap.xml", "relative-url"),
        ("feed.xml", "https://www.acme.org/a/", "https://www.acme.org/gone/", "broken-link"),
        ("feed.xml", "https://www.acme.org/a/", "/a/", "relative-url"),
        (
            "fr/index.html",
            "<link rel=\"alternate\" hreflang=\"en\" href=\"https://www.acme.org/\">\n",
            "",
            "invalid-hreflang",
        ),
        (
            "fr/index.html",
            "rel=\"canonical\" href=\"https://www.acme.org/fr/\"",
            "rel=\"canonical\" href=\"https://www.acme.org/\"",
            "invalid-hreflang",
        ),
        ("llms.txt", "(/a/)", "(/gone/)", "broken-link"),
    ];
    let mut missed = Vec::new();
    for (file, text, planted, rule) in faults {
        let mut site = correct_site();
        let content = site.get_mut(file).unwrap();
        assert!(content.contains(text), "{file} has no {text}");
        *content = content.replacen(text, planted, 1);
        let found = rules_of(&site);
        if !found.iter().any(|found| found.starts_with(&format!("{rule}: "))) {
            missed.push(format!("{rule} for {planted} in {file}: {found:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
