//! Replaces `'auto'` in the policies of a contract by the hashes of the inline code of an export.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use rayon::prelude::*;
use sitegate_html::tree::TooDeep;
use sitegate_html::url_attribute::RequestKind;

use crate::contract::{Contract, HeaderRule};
use crate::csp::{AutoMode, HEADER, InlineHashes, auto_mode, with_hashes};
use crate::parse::{Format, Governed, Page, governed};
use crate::walk::{FileId, Tree};
use sitegate_address::percent::decode_lossy;
use sitegate_address::{INDEX, SitePath, UrlReference};
use sitegate_host::redirect_page::redirect_page;

/// Whether a contract has a policy with `'auto'`.
pub fn has_auto_hashes(contract: &Contract) -> bool {
    contract.headers.iter().any(|rule| mode(rule).is_some())
}

/// Returns how a policy with `'auto'` asks for hashes.
fn mode(rule: &HeaderRule) -> Option<AutoMode> {
    rule.header(HEADER).and_then(|(_, value)| auto_mode(value))
}

/// Whether a policy asks for hashes of each page.
pub fn has_hashes_per_page(contract: &Contract) -> bool {
    contract.headers.iter().any(|rule| mode(rule) == Some(AutoMode::EachPage))
}

/// The inline code of a page.
#[derive(Default)]
struct PageCode {
    hashes: InlineHashes,
    /// The names of SVG files that frames and plug-ins show as documents.
    svg_documents: BTreeSet<String>,
}

/// Reads the inline code of a page or of an SVG document.
fn page_code(path: &[u8], content: Vec<u8>) -> Result<PageCode, TooDeep> {
    let mut code = PageCode::default();
    governed(&Page::of_file(path, content), &mut |governed, _| match governed {
        Governed::Inline(kind, text, _) => code.hashes.add(kind, &text),
        Governed::Request(request)
            if matches!(request.kind, RequestKind::Frame | RequestKind::Object(true)) =>
        {
            code.svg_documents.extend(svg_name(&request.url));
        }
        _ => {}
    })?;
    Ok(code)
}

/// Returns the name of the SVG file that a URL refers to.
fn svg_name(url: &str) -> Option<String> {
    let name = decode_lossy(SitePath::new(UrlReference::new(url).path()).name().trim());
    (Format::of(name.as_bytes()) == Format::Svg).then(|| name.into_owned())
}

/// Returns the redirect pages that hosts without redirects serve for a contract, by their paths with a leading slash.
fn redirect_pages(contract: &Contract) -> impl Iterator<Item = (String, InlineHashes)> {
    contract.redirects.iter().map(|redirect| {
        let is_page = Format::of(redirect.from.as_bytes()) == Format::Html;
        let path = if is_page { redirect.from.clone() } else { format!("{}/{INDEX}", redirect.from) };
        // A page of a few elements is not nested deeply.
        let code = page_code(b"", redirect_page(&redirect.to).into_bytes());
        (path, code.map(|code| code.hashes).unwrap_or_default())
    })
}

/// Returns the header entries of a contract, with hashes instead of `'auto'`. They cover the export and redirect pages.
///
/// # Errors
/// If a page cannot be read.
pub fn resolve_auto_hashes(contract: &Contract, root: &Path) -> io::Result<Vec<HeaderRule>> {
    let tree = Tree::walk(root)?;
    let html = contract.site.host_profile().added_html();
    let rule_for = |path: &str| {
        let path = path.trim_start_matches('/');
        let applies = |rule: &HeaderRule| rule.header(HEADER).is_some() && rule.is_about(path, html);
        contract.headers.iter().rposition(applies).filter(|rule| mode(&contract.headers[*rule]).is_some())
    };
    let read = |file: &FileId| -> io::Result<Option<(usize, String, PageCode)>> {
        let path = format!("/{}", tree.display(*file));
        let Some(rule) = rule_for(&path) else { return Ok(None) };
        let content = std::fs::read(tree.disk_path(*file))?;
        let code = page_code(tree.path(*file), content)
            .map_err(|error| io::Error::other(format!("{path}: {error}")))?;
        Ok(Some((rule, path, code)))
    };
    let mut by_rule: BTreeMap<usize, BTreeMap<String, InlineHashes>> = BTreeMap::new();
    let mut svg_documents = BTreeSet::new();
    let pages: Vec<_> = tree.ids().filter(|file| Format::of(tree.path(*file)) == Format::Html).collect();
    for (rule, path, code) in
        pages.par_iter().map(read).collect::<io::Result<Vec<_>>>()?.into_iter().flatten()
    {
        by_rule.entry(rule).or_default().insert(path, code.hashes);
        svg_documents.extend(code.svg_documents);
    }
    // SVG files that are only images need no hashes. Those with the name of a document do no harm.
    let is_document =
        |file: &FileId| svg_name(&tree.display(*file)).is_some_and(|name| svg_documents.contains(&name));
    for file in tree.ids().filter(is_document) {
        if let Some((rule, path, code)) = read(&file)? {
            by_rule.entry(rule).or_default().insert(path, code.hashes);
        }
    }
    for (path, hashes) in redirect_pages(contract) {
        if let Some(rule) = rule_for(&path) {
            by_rule.entry(rule).or_default().entry(path).or_insert(hashes);
        }
    }
    let mut resolved = Vec::new();
    for (index, rule) in contract.headers.iter().enumerate() {
        let hashes_by_path = by_rule.remove(&index).unwrap_or_default();
        match mode(rule) {
            None => resolved.push(rule.clone()),
            Some(AutoMode::AllPages) => {
                let mut all = InlineHashes::default();
                for hashes in hashes_by_path.values() {
                    all.merge(hashes);
                }
                resolved.push(with_policy(rule, &all));
            }
            Some(AutoMode::EachPage) => {
                resolved.push(with_policy(rule, &InlineHashes::default()));
                resolved.extend(rules_of_pages(rule, &hashes_by_path));
            }
        }
    }
    Ok(resolved)
}

/// Returns one entry for the pages with the same policy. It sets nothing but the policy.
fn rules_of_pages(rule: &HeaderRule, pages: &BTreeMap<String, InlineHashes>) -> Vec<HeaderRule> {
    let Some((name, value)) = rule.header(HEADER) else { return Vec::new() };
    let mut by_policy: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, hashes) in pages.iter().filter(|(_, hashes)| **hashes != InlineHashes::default()) {
        by_policy.entry(with_hashes(value, hashes)).or_default().push(path.clone());
    }
    let build =
        |(policy, paths): (String, Vec<String>)| HeaderRule::of_files(&paths, name.to_owned(), policy);
    by_policy.into_iter().filter_map(build).collect()
}

fn with_policy(rule: &HeaderRule, hashes: &InlineHashes) -> HeaderRule {
    let mut rule = rule.clone();
    for (_, value) in rule.set.iter_mut().filter(|(name, _)| name.eq_ignore_ascii_case(HEADER)) {
        *value = with_hashes(value, hashes);
    }
    rule
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use sitegate_address::AddedHtml;

    use super::{HEADER, has_auto_hashes, resolve_auto_hashes};
    use crate::contract::headers::header_for;
    use crate::contract::{Contract, Permissions};
    use crate::csp::sha256;
    use sitegate_host::redirect_page::allows_script;

    fn policy_for<'c>(contract: &'c Contract, path: &str) -> &'c str {
        header_for(&contract.headers, (&path[1..], AddedHtml::default()), HEADER).unwrap()
    }

    /// Returns the policies of two pages and a style sheet, with this source.
    fn policies(source: &str) -> [String; 3] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.html"), "<script>1</script>").unwrap();
        fs::write(folder.path().join("b [x].html"), "<script>2</script>").unwrap();
        let text =
            format!("[[headers]]\npaths = ['/**']\nset.CONTENT-Security-Policy = \"script-src {source}\"\n");
        let file = folder.path().join("sitegate.toml");
        let mut contract = Contract::from_text(&file, text, &Permissions::default()).unwrap();
        assert!(has_auto_hashes(&contract));
        contract.headers = resolve_auto_hashes(&contract, folder.path()).unwrap();
        let policy = |path| policy_for(&contract, path).to_owned();
        ["/a.html", "/b [x].html", "/c.css"].map(policy)
    }

    #[test]
    fn allows_the_script_of_redirect_pages() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.html"), "<script>1</script>").unwrap();
        let file = folder.path().join("sitegate.toml");
        for source in ["'auto'", "'auto-per-page'"] {
            let text = format!(
                "[[redirects]]\nfrom = '/old/'\nto = '/a.html'\n[[redirects]]\nfrom = '/b.html'\nto = '/a.html'\n\
                 [[headers]]\npaths = ['/**']\nset.Content-Security-Policy = \"default-src 'none'; script-src {source}\"\n"
            );
            let mut contract = Contract::from_text(&file, text, &Permissions::default()).unwrap();
            contract.headers = resolve_auto_hashes(&contract, folder.path()).unwrap();
            let allows = |path| allows_script(policy_for(&contract, path));
            assert!(allows("/old/index.html") && allows("/b.html"), "{source}");
            assert_eq!(allows("/a.html"), source == "'auto'", "{source}");
        }
    }

    #[test]
    fn hashes_svg_documents() {
        let folder = tempfile::tempdir().unwrap();
        let svg = |code: &str| {
            format!("<svg xmlns='http://www.w3.org/2000/svg'><style><![CDATA[{code}]]></style></svg>")
        };
        let page = "<img src=image.svg><iframe src='/a%20b.svg?x'></iframe><object data='o.svg#x'></object>";
        fs::write(folder.path().join("a.html"), page).unwrap();
        for (name, code) in [("image", "i>i{}"), ("a b", "f>f{}"), ("o", "o>o{}")] {
            fs::write(folder.path().join(format!("{name}.svg")), svg(code)).unwrap();
        }
        let file = folder.path().join("sitegate.toml");
        for (source, path) in [("'auto'", "/a.html"), ("'auto-per-page'", "/a b.svg")] {
            let text = format!(
                "[[headers]]\npaths = ['/**']\nset.Content-Security-Policy = \"style-src {source}\"\n"
            );
            let mut contract = Contract::from_text(&file, text, &Permissions::default()).unwrap();
            contract.headers = resolve_auto_hashes(&contract, folder.path()).unwrap();
            let policy = policy_for(&contract, path);
            let has = ["i>i{}", "f>f{}", "o>o{}"].map(|code| policy.contains(&sha256(code)));
            assert_eq!(has, [false, true, source == "'auto'"], "{policy}");
        }
    }

    #[test]
    fn rejects_auto_that_nothing_replaces() {
        let text =
            "[[headers]]\npaths = ['/**']\nset.content-security-policy-report-only = \"script-src 'auto'\"\n";
        let error = Contract::from_text("sitegate.toml".as_ref(), text.into(), &Permissions::default());
        assert!(error.err().unwrap().to_string().contains("replaced only in Content-Security-Policy"));
    }

    #[test]
    fn hashes_all_pages_or_each() {
        let (first, second) = (sha256("1"), sha256("2"));
        let mut both = [first.as_str(), &second];
        both.sort_unstable();
        let all = format!("script-src {}", both.join(" "));
        assert_eq!(policies("'auto'"), [all.as_str(); 3]);
        let each =
            [format!("script-src {first}"), format!("script-src {second}"), "script-src 'none'".to_owned()];
        assert_eq!(policies("'auto-per-page'"), each);
    }
}
