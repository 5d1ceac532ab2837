//! `unreferenced-file`: a file without references.

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::{PathPatterns, SitePath};

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::usage::Usage;
use crate::parse::Format;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unreferenced-file",
    category: Category::Files,
    default: Severity::Off,
    summary: "nothing refers to a file",
    why: "It is published and takes space, perhaps by mistake. Not reported: robots.txt, sitemaps, feeds, \
          favicon.ico, source maps, files for the host, and files below .well-known. Off by default, because URLs \
          that scripts compute at run time are unknown.",
    bad: r#"images/team-2019.svg:
  <svg xmlns="http://www.w3.org/2000/svg"/>"#,
    good: r#"images/team-2019.svg:
  <svg xmlns="http://www.w3.org/2000/svg"/>
index.html:
  <img src="/images/team-2019.svg" alt="Our team in 2019">"#,
};

pub(super) static RULE: Registered = Registered::new::<UnreferencedFile>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct UnreferencedFile {
    /// Files that need no reference.
    except: PathPatterns,
}

/// File names that browsers, crawlers and hosts request without a reference.
const BY_NAME: [&str; 14] = [
    ".nojekyll",
    "_headers",
    "_redirects",
    "ads.txt",
    "apple-touch-icon-precomposed.png",
    "apple-touch-icon.png",
    "browserconfig.xml",
    "cname",
    "favicon.ico",
    "humans.txt",
    "llms-full.txt",
    "llms.txt",
    "robots.txt",
    "security.txt",
];

impl Rule for UnreferencedFile {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let site = index.site;
        if !site.is_whole() {
            return;
        }
        for file in site.tree.ids().filter(|&file| site.format(file) != Format::Html) {
            let path = site.tree.display(file).to_ascii_lowercase();
            let name = SitePath::new(&*path).name();
            let by_name = BY_NAME.contains(&name)
                || path.starts_with(".well-known/")
                || name.ends_with(".map")
                || (name.starts_with("sitemap") && name.ends_with(".xml"));
            if !by_name && !index.usage.has(file, Usage::USED) && !site.matches(&self.except, file) {
                found.push(RawFinding::new(&INFO, file, "unreferenced file: nothing refers to it"));
            }
        }
    }
}
