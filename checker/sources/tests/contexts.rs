//! Contexts of references and of look-alikes. Each section of a text file in `contexts/` is a text without its final
//! newline, and its references are between `«` and `»`. `checker/textcase/README.md` describes the format.
//!
//! A context must be the same after others, and end where it ends. Those of the cases `…-alone` need not.

#![allow(clippy::unwrap_used)]

use std::ops::Range;
use std::path::Path;

use sitegate_html::element_table::URL_ATTRIBUTES;
use sitegate_html::url_attribute::Effect;
use sitegate_sources::{Manner, SourceOptions, SourceScan, scan};

/// Returns a text without marks, and the ranges between them.
fn unmarked(marked: &str) -> (String, Vec<Range<usize>>) {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    for part in marked.split('«') {
        match part.split_once('»') {
            Some((inside, after)) => {
                ranges.push(text.len()..text.len() + inside.len());
                text.push_str(inside);
                text.push_str(after);
            }
            None => text.push_str(part),
        }
    }
    (text, ranges)
}

fn scanned<'t>(path: &str, text: &'t str) -> SourceScan<'t> {
    scan(path, text, SourceOptions::default())
}

/// Returns what is found instead of the marked references.
fn difference(path: &str, marked: &str) -> Option<String> {
    let (text, expected) = unmarked(marked);
    let scan = scanned(path, &text);
    let shown = scan.references.iter().filter(|found| found.manner != Manner::Text && found.uses > 0);
    let found: Vec<Range<usize>> = shown.map(|found| found.range.clone()).collect();
    let written: Vec<&str> = found.iter().map(|range| &text[range.clone()]).collect();
    (found != expected).then(|| format!("{path}: {marked}\n=> {written:?}\n"))
}

#[test]
fn references_are_between_the_marks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contexts");
    let (mut count, mut wrong) = (0, String::new());
    for case in sitegate_textcase::read_folder(&folder).unwrap() {
        for (path, text) in case.files() {
            let text = text.strip_suffix('\n').unwrap_or(text);
            let mut texts = vec![text.to_owned()];
            if !case.name.ends_with("-alone") {
                match path.rsplit('.').next().unwrap() {
                    "html" => texts.push(format!("<p>a</p>{text}\n<a href=«/z/»>")),
                    "md" | "mdx" => texts.push(format!("{text}\n\n# [x](«/z/»)\n")),
                    _ => {}
                }
            }
            count += 1;
            wrong.extend(texts.iter().filter_map(|marked| difference(path, marked)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 400, "{count}");
}

/// Bytes that text files of this project do not have.
#[test]
fn carriage_returns_and_byte_order_marks() {
    for (path, marked) in [
        ("_redirects", "\u{feff}# /a /b\n/a  «/b» 301\r\n/c «/d»\r\n"),
        ("a.json", "\u{feff}{\"href\": \"«/x/»\"} // end"),
        ("a.yml", "a:\t«/x/»\r\nb: «/y/»\r\n"),
        ("a.html", "\u{feff}---\r\nredirect_from: \"/x/\"\r\nnext: «/n/»\r\n---\r\n<a href=\"«/y/»\">"),
        ("a.md", "\u{feff}---\r\na: '«[x](/y)»'\r\n---\r\n\n\n# [x](«/y»)\n"),
        ("a.md", "\u{feff}---\na: b\n---\n\n[x](«/y»)"),
        ("a.md", "---\r\na: b\r\n---\r\n\r\n[x](«/y»)\r\n"),
        ("a.py", "x = f'{{' + \"}\" \\\n  'y'\nclass A:\r\n    '''`a <«b»>`_\r\n    `c <«d»>`_'''\r\n"),
    ] {
        assert_eq!(difference(path, marked), None);
    }
}

#[test]
fn attributes_of_the_table() {
    // A base changes all other references, and is none.
    for row in URL_ATTRIBUTES.iter().filter(|row| row.effect != Effect::Base) {
        let scan = scanned("page.html", row.example);
        assert!(scan.references.iter().any(|found| found.target.contains("gone")), "{}", row.example);
    }
}

#[test]
fn escapes_are_decoded() {
    let found = scanned("a.json", "[\"\\/x\\/\"]");
    assert_eq!((&*found.references[0].target, found.references[0].range.clone()), ("/x/", 2..7));
}

#[test]
fn comments_are_inert() {
    let yaml = ("a.yml", "a: 'x # y' # c1\n# c2\nb: x#y\n");
    let toml = ("a.toml", "a = \"x # y\" # c1\n# c2\n'#k' = 1\n");
    let redirects = ("_redirects", "\u{feff}# c1\n/a  /b 301\r\n  # c2  \n/m /n # o");
    for (path, text) in [yaml, toml, redirects] {
        let found = scanned(path, text);
        let inert: Vec<&str> = found.inert.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(inert, ["# c1", "# c2"], "{path}");
    }
}

#[test]
fn inert_text_of_restructured() {
    let text = "a ``b`` :code:`c`\n\n.. d\n   e\n\nf::\n\n   g\n\n.. code::\n\n   h\n\n>>> i\n";
    let found = scanned("a.rst", text);
    let is_inert = |char: char| found.is_inert(text.rfind(char).unwrap());
    let inert: String = "abcfghi".chars().filter(|char| is_inert(*char)).collect();
    assert_eq!(inert, "bghi");
    let plain = scanned("a.txt", "See https://e.org\n\n>>> i\n");
    assert_eq!(plain, SourceScan::default());
}

#[track_caller]
fn assert_found(path: &str, text: &str, default_role: bool, expected: &str) {
    let found = scan(path, text, SourceOptions { default_role });
    let found: Vec<_> =
        found.references.iter().map(|found| format!("{:?} {}", found.manner, found.target)).collect();
    assert_eq!(found.join(", "), expected, "{text}");
}

#[test]
fn manners_of_references() {
    for (path, text, expected) in [
        (
            "a.rst",
            "`a <b>`_ :doc:`c` :download:`d` http://e.org\n\n.. image:: f\n   :target: g\n.. include:: h\n\n\
             .. toctree::\n\n   i\n   j <http://k.org>\n",
            "Link b, Document c, File d, Link http://e.org, File f, Link g, File h, Document i, Link http://k.org",
        ),
        (
            "docs/conf.py",
            "html_logo = '_static/x.png'\nhtml_favicon = base + '/y.ico'\nproject = 'a.b'\nhtml_css_files = [\n  \
             'a.css', # b.css\n  'c' 'd.css', f'{e}.css', r'f/g.css',\n]\nlinks = (('A', 'https://e.org/'), \
             ('B', 'b.html'),)\nextensions = ['sphinx.ext.todo']\nexclude = ['_build/*']\nredirects = {'old/a': \
             'new/b.html'}\npath = os.path.join('a/b', 'c.html')\nif x == 'd/e': pass\n",
            "Value _static/x.png, Value a.css, Value f/g.css, Value https://e.org/, Value b.html, Value new/b.html, \
             Text a/b, Text c.html",
        ),
        ("a.py", "LOGO = '_static/x.png'\n", "Text _static/x.png"),
        (
            "a.js",
            "const base = '/x/'; go('A b', 'guides/y', 'w'); a = '/z/' + b; <A b='/c/'/>",
            "Text /x/, Text guides/y, Text /c/",
        ),
    ] {
        assert_found(path, text, false, expected);
    }
}

#[test]
fn the_default_role_may_accept_documents() {
    let text = "`a` `Long\ntitle <b>` ``c`` `d <e.html>`_ `f`_ :ref:`g`";
    assert_found("a.rst", "`a`", false, "");
    assert_found("a.rst", text, true, "Document a, Document b, Link e.html");
    assert_found("a.rst", ".. default-role:: math\n\n`a`\n", true, "");
    assert_found("a.py", "'''See `a` and ``b`` and `c <d>`.'''\n", true, "Document a, Document d");
}
