//! Tests `check --fix` for markup: attributes, the declaration of the encoding, ignores.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::folders::{folder, git, sitegate, stdout, write};

const RULES: &str = "\
# One requirement each.\r\n[[assert]]\r\npages = \"/**\"\r\nselect = \"a.out\"\r\nmin = 0\r\n\
tokens = { rel = [\"noopener\", \"nofollow\"] }\r\nattributes = { target = \"_blank\" }\r\n\r\n\
[[assert]]\r\npages = \"/**\"\r\nselect = \"img\"\r\nmin = 0\r\nattributes = { width = true, height = true }\r\n";

const IGNORES: &str = "\r\n[[ignore]]\r\nrule = \"broken-link\"\r\npaths = [\"/old/**\"]\r\nreason = \"later\"\r\n\r\n\
# Still needed.\r\n[[ignore]]\r\nrule = \"missing-description\"\r\nreason = \"x\"\r\n";

/// An image of 3 × 2 pixels.
const IMAGE: &str = "GIF89a\u{3}\0\u{2}\0\0\0\0;";

fn page(head: &str, body: &str) -> String {
    format!(
        "<!doctype html>\r\n<html lang=\"de\">\r\n<head>\r\n  {head}<title>T</title>\r\n</head>\r\n<body>{body}</body>\r\n</html>\r\n"
    )
}

fn commit(site: &TempDir) {
    git(site.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=start"]);
}

fn read(site: &TempDir, name: &str) -> String {
    fs::read_to_string(site.path().join(name)).unwrap()
}

const LINK: &str = "<a class=out href=\"https://example.org/\">x</a>";
const FIXED_LINK: &str =
    "<a class=out href=\"https://example.org/\" rel=\"noopener nofollow\" target=\"_blank\">x</a>";

#[test]
fn markup_of_the_export_is_fixed() {
    let charset = "<meta charset=\"utf-8\">\r\n  ";
    let body = |link: &str, image: &str, ignores: [&str; 2]| {
        format!(
            "{link}\r\n<img alt='' src=a.gif{image}>\r\n{}<a href=gone.html>y</a>{}",
            ignores[0], ignores[1]
        )
    };
    let ignores = [
        "<!-- sitegate-ignore broken-link, missing-alt: later -->\r\n",
        "\r\n  <!-- sitegate-ignore-file missing-title: x -->\r\n",
    ];
    let site = folder(&[
        ("sitegate.toml", &format!("{RULES}{IGNORES}")),
        ("public/index.html", &page("", &body(LINK, "", ignores))),
        ("public/other.html", &page("", "é").replace(" lang=\"de\"", "")),
        ("public/a.gif", IMAGE),
    ]);
    commit(&site);
    let output = sitegate(site.path(), &["check", "public", "--fix"]);
    let kept = ["<!-- sitegate-ignore broken-link: later -->\r\n", "\r\n"];
    let expected = page(charset, &body(FIXED_LINK, " height='2' width='3'", kept));
    assert_eq!(read(&site, "public/index.html"), expected, "{}", stdout(&output));
    let without_lang = |text: String| text.replace(" lang=\"de\"", "");
    assert_eq!(read(&site, "public/other.html"), without_lang(page(charset, "é")));
    assert_eq!(
        read(&site, "sitegate.toml"),
        format!(
            "{RULES}\r\n# Still needed.\r\n[[ignore]]\r\nrule = \"missing-description\"\r\nreason = \"x\"\r\n"
        )
    );
    let output = sitegate(site.path(), &["check", "public", "--fix", "--allow-dirty"]);
    assert!(stdout(&output).contains("no fix was applied"), "{}", stdout(&output));
    // The language is that of the home page.
    sitegate(site.path(), &["check", "public", "--fix", "--allow-dirty", "--unsafe-fixes"]);
    assert_eq!(read(&site, "public/other.html"), page(charset, "é"));
}

#[test]
fn git_applies_patches_of_markup() {
    let site = folder(&[
        ("sitegate.toml", &format!("{RULES}{IGNORES}")),
        ("public/index.html", &page("", "<!-- sitegate-ignore broken-link: x -->\r\n<p></p>")),
    ]);
    commit(&site);
    let output = sitegate(site.path(), &["check", "public", "--fix=diff"]);
    write(site.path(), "patch", &stdout(&output));
    git(site.path(), &["apply", "--whitespace=nowarn", "patch"]);
    assert_eq!(read(&site, "public/index.html"), page("<meta charset=\"utf-8\">\r\n  ", "\r\n<p></p>"));
    let sarif = stdout(&sitegate(site.path(), &["check", "public", "--format=sarif"]));
    assert!(serde_json::from_str::<Value>(&sarif).is_ok());
}

#[test]
fn a_tag_is_fixed_in_the_template_that_contains_it() {
    let contract = "[source]\ninclude = [\"layouts/**\", \"docs/**\"]\n\n[[assert]]\npages = \"/\"\nselect = \"a.out\"\ntokens = { rel = \"noopener\" }\n"
        .replace("\"noopener\" }", "[\"noopener\"] }");
    let start = "<p>Start</p>\n\n<!-- sitegate-ignore broken-link: it comes later -->\n\n<p>End</p>";
    let site = folder(&[
        ("sitegate.toml", &contract),
        ("layouts/base.html", &format!("<body>{{{{ content }}}}\n{LINK}")),
        ("docs/index.md", &format!("# Home\n\n{start}\n")),
        ("site/index.html", &page("<meta charset=utf-8>", &format!("<h1>Home</h1>{start}{LINK}"))),
    ]);
    commit(&site);
    let report = stdout(&sitegate(site.path(), &["check", "site", "--format=json"]));
    let report: Value = serde_json::from_str(&report).unwrap();
    let fixes: Vec<&Value> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["rule"] == "wrong-attribute")
        .map(|finding| &finding["fix"]["edits"][0]["new"])
        .collect();
    assert_eq!(fixes, [" rel=\"noopener\""], "{report:#}");
    sitegate(site.path(), &["check", "site", "--fix", "--unsafe-fixes"]);
    let fixed = LINK.replace("org/\"", "org/\" rel=\"noopener\"");
    assert_eq!(read(&site, "layouts/base.html"), format!("<body>{{{{ content }}}}\n{fixed}"));
    assert_eq!(read(&site, "docs/index.md"), "# Home\n\n<p>Start</p>\n\n\n<p>End</p>\n");
}

#[test]
fn unused_ignores_are_removed_from_sources() {
    let ignore = |text: &str| format!("<!-- sitegate-ignore {text}-->");
    let unused = [
        ignore("broken-link: it comes later "),
        ignore("missing-alt, broken-link, broken-anchor: `two`\r\nlines "),
        ignore("broken-anchor: in a text "),
    ];
    let used = ignore("broken-link: in a text ");
    let shared = ignore("broken-link: shared ");
    let [alone, several, inline] = &unused;
    // The same text in an example is no ignore.
    let source = format!(
        "\u{feff}# Home\r\n\r\n{alone}\r\n\r\nFirst\r\n\r\n{several}\r\n[x](gone.md)\r\n\r\nText {inline} and {used} [y](gone.md).\r\n\r\n\
         ```html\r\n{alone}\r\n```\r\n"
    );
    let link = |name: &str| format!("<a href=gone.md>{name}</a>");
    let text = format!("<p>Text {inline} and {used} {}.</p>", link("y"));
    let code = alone.replace('<', "&lt;");
    let body = format!(
        "<h1>Home</h1>{alone}\r\n<p>First</p>{several}<p>{}</p>{text}<pre>{code}</pre>{shared}",
        link("x")
    );
    let site = folder(&[
        ("sitegate.toml", "[source]\ninclude = [\"docs/**\", \"layouts/**\"]\n"),
        ("docs/index.md", &source),
        ("layouts/base.html", &format!("<body>{{{{ content }}}}{shared}")),
        ("site/index.html", &page("<meta charset=utf-8>", &body)),
        ("site/other/index.html", &page("<meta charset=utf-8>", &format!("<h1>Other</h1>{shared}"))),
    ]);
    commit(&site);
    let output = sitegate(site.path(), &["check", "site", "--fix"]);
    let kept = several.replace("missing-alt, broken-link, broken-anchor", "broken-link");
    let expected = source
        .replacen(&format!("{alone}\r\n"), "", 1)
        .replace(several, &kept)
        .replace(&format!("Text {inline}"), "Text");
    assert_eq!(read(&site, "docs/index.md"), expected, "{}", stdout(&output));
    // It may be of use on a page that is not built.
    assert!(read(&site, "layouts/base.html").contains(&shared));
}

#[test]
fn utf16_is_refused() {
    let text = page("", "<a href=b.HTML>x</a>");
    let utf16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let site = folder(&[("public/b.html", &page("", "x"))]);
    fs::write(site.path().join("public/index.html"), &utf16).unwrap();
    commit(&site);
    sitegate(site.path(), &["check", "public", "--fix", "--unsafe-fixes"]);
    assert_eq!(fs::read(site.path().join("public/index.html")).unwrap(), utf16);
}
