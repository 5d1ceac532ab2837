//! Checks that memory and reports grow linearly with the size of untrusted input. Four times as many repetitions of a
//! construct may allocate and report about four times as much. The test counts bytes, not time, in a separate process,
//! because the allocator counts all tests of a process.
//!
//! Lookups that allocate no memory (unmatched end tags, maps, scopes) show here only in the report. Unit tests next to
//! that code compare them with a simple implementation.

use std::alloc::System;
use std::fs;
use std::path::Path;
use std::process::Command;

use sitegate_check::{CheckTarget, Checker, Contract, OutputFormat, RenderOptions};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Set in the process that counts.
const COUNTING: &str = "SITEGATE_TEST_COUNTING";

/// Number of repetitions of a construct; then four times as many.
const TIMES: usize = 400;

/// Maximum growth for four times the input. Quadratic growth would be sixteen times.
const MOST: u64 = 6;

/// Bytes that are always allocated, and bytes of an empty report, approximately.
const ALWAYS: u64 = 3 << 20;
const REPORT: u64 = 100 << 10;

const HEAD: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>t</title>";

/// A site: file paths and contents, and `sitegate.toml`.
type Files = Vec<(String, String)>;

/// A construct: its name, and a function that returns a site with `n` repetitions.
type Construct = (&'static str, fn(usize) -> Files);

fn files<const N: usize>(files: [(&str, String); N]) -> Files {
    files.into_iter().map(|(path, content)| (path.to_owned(), content)).collect()
}

/// Returns a site with one page.
fn page(body: String) -> Files {
    files([("index.html", format!("{HEAD}{body}"))])
}

/// Returns a site with a page and a contract.
fn page_with_contract(body: String, contract: String) -> Files {
    files([("index.html", format!("{HEAD}{body}")), ("sitegate.toml", contract)])
}

/// Returns a site with a page and another file.
fn page_with_file(path: &str, content: String) -> Files {
    files([("index.html", HEAD.to_owned()), (path, content)])
}

/// Returns a site whose page runs a script.
fn script(content: String) -> Files {
    files([("index.html", format!("{HEAD}<script type=module src=a.js></script>")), ("a.js", content)])
}

/// Concatenates the results for all numbers below `n`.
fn each(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect()
}

/// Joins the results for all numbers below `n` with commas.
fn list(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect::<Vec<_>>().join(",")
}

const PAGES: &[Construct] = &[
    ("style in svg that is not closed", |n| page("<svg>".to_owned() + &"<style>a{b:url(x)}".repeat(n))),
    ("scripts in svg that are not closed", |n| {
        page("<svg>".to_owned() + &"<script>import('./a.js')".repeat(n))
    }),
    ("noscript in svg", |n| page("<svg>".to_owned() + &"<noscript><a href=/x>".repeat(n))),
    ("noscript in noscript", |n| page("<noscript><a href=/x>".repeat(n))),
    ("end tags in svg", |n| page("<svg>".repeat(n) + &"</x></math>".repeat(n))),
    ("shadow trees in each other", |n| {
        page("<template shadowrootmode=open>".repeat(n) + &"</template>".repeat(n))
    }),
    ("srcset with &amp;", |n| {
        page(format!("<img alt='' src=/ srcset='{}'>", each(n, |i| format!("/a?b&amp;{i} {}w, ", i + 1))))
    }),
    ("srcset of lazy loaders", |n| {
        page(format!("<img alt='' data-srcset='{}'>", each(n, |i| format!("/a{i}.png?b&amp;c {}w, ", i + 1))))
    }),
    ("descriptors of a srcset", |n| {
        page(format!("<img alt='' src=/ srcset='{}'>", each(n, |i| format!("/ {}w, ", i + 1))))
    }),
    ("ping", |n| page(format!("<a href=/ ping='{}'>", each(n, |i| format!("/p{i}?a&amp; "))))),
    ("srcdoc", |n| {
        page(format!("<iframe srcdoc='{}'></iframe>", each(n, |i| format!("<a href=/p{i}?&amp;amp;>"))))
    }),
    ("srcdoc in srcdoc", |n| {
        let inner = each(n, |i| format!("<a href=/p{i}>"));
        let outer =
            format!("<iframe srcdoc=\"{inner}\"></iframe>").replace('&', "&amp;").replace('"', "&quot;");
        page(format!("<iframe srcdoc=\"{outer}\"></iframe>"))
    }),
    ("style attributes with &amp;", |n| {
        page(format!("<p style='{}'>", each(n, |i| format!("a:url(/x{i}?&amp;);"))))
    }),
    ("JSON-LD with escapes", |n| {
        let entries = list(n, |i| format!("{{\"url\":\"\\/x{i}\"}}"));
        page(format!("<script type=application/ld+json>[{entries}]</script>"))
    }),
    ("broken links", |n| page(each(n, |i| format!("<a href=/x{i}y>")))),
    ("a long broken link", |n| page(format!("<a href=/{}>", "a".repeat(20 * n)))),
    ("a long misspelled id", |n| page(format!("<p id=abc{0}><a href=#abcd{0}>", "a".repeat(20 * n)))),
    ("a long id that is meant", |n| {
        page(format!("<p id='map({})'>{}", "a".repeat(20 * n), "<a href=#map>".repeat(n)))
    }),
    ("a long base", |n| page(format!("<base href=/{}/>{}", "a".repeat(20 * n), "<a href=b%20c>".repeat(n)))),
    ("usemap", |n| page(each(n, |i| format!("<map name=a{i}><img alt='' src=/ usemap=#b{i}>")))),
    ("integrity of other sites", |n| {
        page(each(n, |i| format!("<script src=//x.y/{i} integrity=sha256-{i}></script>")))
    }),
    ("hreflang", |n| {
        page(format!(
            "<link rel=canonical href=http://e.org/>{}",
            each(n, |i| format!("<link rel=alternate hreflang=en href=/{i}>"))
        ))
    }),
    ("text fragments", |n| page("word ".repeat(n) + &each(n, |i| format!("<a href='#:~:text=x{i}'>")))),
    ("what Next.js says", |n| {
        page(each(n, |i| format!("<a href=/a{i}><script>self.__next_f.push([1,\"x\"])</script>")))
    }),
    ("ids that attributes name", |n| page(each(n, |i| format!("<p id=abcdef{i}><label for=abcdex{i}>")))),
    ("import maps", |n| {
        let scopes = list(n, |i| format!("\"/s{i}/\":{{\"a\":\"/a.js\"}}"));
        let imports = each(n, |i| format!("import 'b{i}';"));
        page(format!(
            "<script type=importmap>{{\"scopes\":{{{scopes}}}}}</script><script type=module>{imports}</script>"
        ))
    }),
    ("speculation rules", |n| {
        let patterns = list(n, |i| format!("{{\"href_matches\":[\"/*u{i}\"]}}"));
        let rules = format!("{{\"prefetch\":[{{\"where\":{{\"or\":[{patterns}]}}}}]}}");
        let mut files = page(format!("<script type=speculationrules>{rules}</script>"));
        files.extend((0..n / 4).map(|i| (format!("p{i}.html"), HEAD.to_owned())));
        files
    }),
];

const EXCEPTIONS: &[Construct] = &[
    ("exceptions in noscript", |n| page("<noscript><!-- sitegate-ignore broken-link: x -->".repeat(n))),
    ("exceptions in svg", |n| {
        page("<!-- sitegate-ignore broken-link: x --><svg>".to_owned() + &"<style>".repeat(n))
    }),
    ("exceptions in css", |n| {
        page(format!("<style>{}</style>", "/* sitegate-ignore broken-link: x */(".repeat(n)))
    }),
    ("exceptions in each other", |n| {
        page(
            "<div data-sitegate-ignore='broken-link: x'>".repeat(n)
                + &"<a href=/x>".repeat(n)
                + &"</div>".repeat(n),
        )
    }),
    ("exceptions without an end", |n| {
        page(
            "<x data-sitegate-ignore='broken-link: x'>".repeat(n) + &"<div>".repeat(n) + &"<b></b>".repeat(n),
        )
    }),
    ("the list of exceptions", |n| {
        let contract = each(n, |i| format!("[[ignore]]\nurl=\"/q{i}$\"\nreason=\"x\"\n"));
        page_with_contract(each(n, |i| format!("<a href=/x{i}>")), contract)
    }),
];

const CONTRACTS: &[Construct] = &[
    ("selected elements side by side", |n| {
        page_with_contract(
            "<p>a".repeat(n),
            "[[assert]]\npages=\"/**\"\nselect=\"p\"\ncontains=\"a\"\n".to_owned(),
        )
    }),
    ("selected elements in each other", |n| {
        let body = "<div>a".repeat(n) + &"</div>".repeat(n);
        page_with_contract(body, "[[assert]]\npages=\"/**\"\nselect=\"div\"\ncontains=\"a\"\n".to_owned())
    }),
    ("misnested formatting", |n| {
        let body = each(n, |i| format!("<b id=b{i}>")) + &"<p>x".repeat(n);
        page_with_contract(body, "[[assert]]\npages=\"/**\"\nselect=\"main b\"\ncount=0\n".to_owned())
    }),
    ("blocks in formatting", |n| {
        let body = each(n, |i| format!("<a id=a{i}><div>")) + &"</a>".repeat(n);
        page_with_contract(body, "[[assert]]\npages=\"/**\"\nselect=\"main a\"\ncount=0\n".to_owned())
    }),
    ("tables in tables", |n| {
        let body = "<table>x<tr><td>".repeat(n);
        page_with_contract(body, "[[assert]]\npages=\"/**\"\nselect=\"main td\"\ncount=0\n".to_owned())
    }),
    ("ignored elements in each other", |n| page("<p data-sitegate-ignore='a: b'><object>".repeat(n))),
    ("values that are to be the same", |n| {
        page_with_contract(
            each(n, |i| format!("<b t={i}>")),
            "[[assert]]\npages=\"/**\"\nselect=\"b\"\nsame=[\"t\"]\n".to_owned(),
        )
    }),
    ("a long demand", |n| {
        let contract = format!("[[assert]]\npages=\"/**\"\nselect=\"b\"\ntext=\"{}\"\n", "z".repeat(20 * n));
        page_with_contract("<b>a</b>".repeat(n), contract)
    }),
    ("redirects", |n| {
        let links = each(n, |i| format!("<a href=/r{i}><a href=/x/{i}>"));
        let lines = each(n, |i| format!("/r{i} /index.html\n/s{i}/* /index.html\n/:a/t{i} /index.html\n"));
        files([("index.html", format!("{HEAD}{links}")), ("_redirects", lines)])
    }),
    ("redirects to each other", |n| {
        page_with_file("_redirects", each(n, |i| format!("/r{i} /r{}\n", i + 1)))
    }),
    ("redirects to long addresses", |n| {
        let links = "<a href=/a>".repeat(n);
        files([
            ("index.html", format!("{HEAD}{links}")),
            ("_redirects", format!("/* /x{}\n", ":splat".repeat(n))),
        ])
    }),
];

const FILES: &[Construct] = &[
    ("style in style of a drawing", |n| {
        page_with_file(
            "a.svg",
            format!("<svg>{}{}</svg>", "<style>a{b:url(x)}".repeat(n), "</style>".repeat(n)),
        )
    }),
    ("addresses in addresses of a sitemap", |n| {
        page_with_file(
            "sitemap.xml",
            format!("<urlset>{}{}</urlset>", "<url><loc>".repeat(n), "</loc></url>".repeat(n)),
        )
    }),
    ("a long xml:base", |n| {
        let base = "a".repeat(20 * n);
        page_with_file(
            "f.xml",
            format!("<feed xml:base='http://e.org/{base}/'>{}</feed>", "<uri>a</uri>".repeat(n)),
        )
    }),
    ("the content of a feed", |n| {
        page_with_file(
            "f.xml",
            format!(
                "<rss>{}</rss>",
                each(n, |i| format!("<item><description>&lt;a href=/x{i}></description></item>"))
            ),
        )
    }),
    ("a manifest with escapes", |n| {
        page_with_file(
            "manifest.json",
            format!("{{\"icons\":[{}]}}", list(n, |i| format!("{{\"src\":\"\\/x{i}\"}}"))),
        )
    }),
    ("links of llms.txt", |n| page_with_file("llms.txt", each(n, |i| format!("[a](/x{i})")))),
    ("chunks of a webpack runtime", |n| {
        let names = list(n, |i| format!("{i}:'h{i}'"));
        let asks = each(n, |i| format!("r.e({i});"));
        script(format!(
            "(()=>{{var r={{}};r.m={{}};r.o=1;r.d=2;r.p='/';r.u=e=>e+'.'+{{{names}}}[e]+'.js';r.f={{}};r.f.j=(e,p)=>{{}};{asks}}})();/*webpack*/"
        ))
    }),
    ("imports", |n| script(each(n, |i| format!("import './x{i}.js';")))),
    ("scripts that import each other", |n| {
        let mut files = page("<script type=module src=0.js></script>".to_owned());
        let n = n / 4;
        files.extend(
            (0..n).map(|i| (format!("{i}.js"), format!("import './{}.js';fetch('d{i}.json')", (i + 1) % n))),
        );
        files
    }),
];

/// Returns the bytes that a check allocates, and the length of its report.
fn measure(files: Files) -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("site");
    let mut contract = String::new();
    for (path, content) in files {
        if path == "sitegate.toml" {
            contract = content;
            continue;
        }
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    let file = folder.path().join("sitegate.toml");
    fs::write(&file, contract).unwrap();
    let region = Region::new(MEMORY);
    let report = report(&root, &file);
    let allocated = region.change();
    ((allocated.bytes_allocated as i64 + allocated.bytes_reallocated.max(0) as i64) as u64, report)
}

fn report(root: &Path, file: &Path) -> u64 {
    let contract = Contract::load(file).unwrap();
    let report = Checker::new(&contract).unwrap().run(CheckTarget::Export(root)).unwrap();
    let mut written = Vec::new();
    let (report, _) = report.into_report(&contract);
    sitegate_check::write(OutputFormat::Json, &report, &RenderOptions::default(), &mut written).unwrap();
    written.len() as u64
}

#[test]
fn memory_and_report_grow_linearly() {
    if std::env::var_os(COUNTING).is_some() {
        return count();
    }
    let mut alone = Command::new(std::env::current_exe().unwrap());
    alone.args(["--exact", "linear::memory_and_report_grow_linearly"]).env(COUNTING, "1");
    let output = alone.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

fn count() {
    let mut grown = Vec::new();
    for (name, construct) in [PAGES, EXCEPTIONS, CONTRACTS, FILES].into_iter().flatten() {
        let (memory, report) = measure(construct(TIMES));
        let (more_memory, longer_report) = measure(construct(4 * TIMES));
        if more_memory > MOST * memory.max(ALWAYS) || longer_report > MOST * report.max(REPORT) {
            grown.push(format!(
                "{name}: {memory} to {more_memory} bytes allocated, {report} to {longer_report} reported"
            ));
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
