//! `size-budget`: a file, or a page with its files, exceeds its size budget.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::join_names;
use super::rule::{OptionError, ReadOption, Registered, Rule, not_empty};
use crate::contract::{Contract, RuleSetting};
use crate::index::Index;
use crate::index::loads::FileSize;
use crate::index::needs::{Needs, SizeNeeds};
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_address::{PathPatternError, PathPatterns};
use sitegate_base::plural::thousands;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "size-budget",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a file, or a page with its files, exceeds its size budget",
    why: "Sites grow with each release; a budget limits their size. `budgets` maps file patterns to a number of \
          bytes, or to `raw` (stored) and `gzip` (sent) bytes. `pages` does the same for pages together with the \
          scripts, styles, images and other files of this site that their HTML loads at once, and imported style \
          sheets. Of alternatives, as in srcset, only `src` counts. Every matching budget applies. Without budgets \
          the rule reports nothing.",
    bad: r#"sitegate.toml:
  [rules.size-budget]
  budgets = { "/*.js" = 20 }
app.js:
  start({ color: "green", language: "en" });"#,
    good: r#"sitegate.toml:
  [rules.size-budget]
  budgets = { "/*.js" = 20 }
app.js:
  start();"#,
};

pub(super) static RULE: Registered = Registered::new::<SizeBudget>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct SizeBudget {
    /// Maximum size of files, by path pattern.
    #[serde(deserialize_with = "not_empty")]
    budgets: BTreeMap<String, Budget>,
    /// Maximum size of pages with all files that they load, by path pattern.
    #[serde(deserialize_with = "not_empty")]
    pages: BTreeMap<String, Budget>,
    #[serde(skip)]
    for_files: Vec<(PathPatterns, SizeLimits)>,
    #[serde(skip)]
    for_pages: Vec<(PathPatterns, SizeLimits)>,
    #[serde(skip)]
    weighed: SizeNeeds,
}

/// A maximum number of bytes.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of bytes, or { raw = …, gzip = … }")]
enum Budget {
    Raw(usize),
    Both(SizeLimits),
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SizeLimits {
    /// Maximum number of bytes as stored.
    raw: Option<usize>,
    /// Maximum number of bytes compressed with gzip, as hosts send it.
    gzip: Option<usize>,
}

impl Budget {
    fn limits(self) -> SizeLimits {
        match self {
            Budget::Raw(raw) => SizeLimits { raw: Some(raw), gzip: None },
            Budget::Both(limits) => limits,
        }
    }
}

/// Maximum number of files that a finding about a page names.
const NAMED: usize = 3;

impl Rule for SizeBudget {
    fn load(&mut self, _read: &ReadOption<'_>) -> Result<(), OptionError> {
        let gzip = |budgets: &BTreeMap<String, Budget>| {
            let gzip = budgets.iter().filter(|(_, budget)| budget.limits().gzip.is_some());
            PathPatterns::new(gzip.map(|(pattern, _)| pattern.as_str()))
        };
        self.weighed = SizeNeeds {
            files: PathPatterns::new(self.budgets.keys().map(String::as_str))?,
            pages: PathPatterns::new(self.pages.keys().map(String::as_str))?,
            gzip_files: gzip(&self.budgets)?,
            gzip_pages: gzip(&self.pages)?,
        };
        self.for_files = compiled(&self.budgets)?;
        self.for_pages = compiled(&self.pages)?;
        Ok(())
    }

    fn needs(&self, needs: &mut Needs) {
        if !self.budgets.is_empty() || !self.pages.is_empty() {
            needs.sizes = Some(self.weighed.clone());
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let tree = index.site.tree;
        for file in tree.ids().filter(|&file| self.weighed.files.has_file(tree.path(file))) {
            self.check_file_size(index, file, found);
        }
        for page in index.site.pages().filter(|&page| self.weighed.pages.has_file(tree.path(page))) {
            self.check_page_size(index, page, found);
        }
    }
}

impl SizeBudget {
    /// Checks one file.
    fn check_file_size(&self, index: &Index<'_>, file: FileId, found: &mut Vec<RawFinding>) {
        // An unreadable file is reported as such.
        let Some(weight) = index.sizes.get(&file) else { return };
        let path = index.site.tree.path(file);
        let mut report = |size: usize, limit: Option<usize>, by: &str| {
            if let Some(limit) = limit.filter(|limit| size > *limit) {
                let message = format!(
                    "too large: {} bytes{by}, over the budget of {}",
                    thousands(size),
                    thousands(limit)
                );
                found.push(RawFinding::new(&INFO, Location::in_file(file, 0..0), message));
            }
        };
        for (_, limits) in self.for_files.iter().filter(|(paths, _)| paths.has_file(path)) {
            report(weight.raw, limits.raw, "");
            report(weight.gzip, limits.gzip, " with gzip");
        }
    }

    /// Checks one page with all files that it loads.
    fn check_page_size(&self, index: &Index<'_>, page: FileId, found: &mut Vec<RawFinding>) {
        let tree = index.site.tree;
        let files = index.loads.files_of_page(page, index.site);
        let mut report = |limit: Option<usize>, by: &str, size: fn(&FileSize) -> usize| {
            let size = |file: &FileId| index.sizes.get(file).map_or(0, size);
            let sum = files.iter().map(size).sum();
            let Some(limit) = limit.filter(|limit| sum > *limit) else { return };
            let mut largest = files.clone();
            largest.sort_by_key(|file| (std::cmp::Reverse(size(file)), *file));
            let names: Vec<String> = largest
                .iter()
                .map(|file| format!("{} ({})", tree.display(*file), thousands(size(file))))
                .collect();
            let (sum, limit) = (thousands(sum), thousands(limit));
            let message = format!(
                "too large: this page and its files have {sum} bytes{by}, over the budget of {limit}"
            );
            let finding =
                RawFinding::new(&INFO, Location::in_file(page, 0..0), message).cause(Cause::kind("pages"));
            let largest_names = join_names(names.iter(), NAMED);
            found.push(finding.help(format!("the largest of {} files: {largest_names}", largest.len())));
        };
        for (_, limits) in self.for_pages.iter().filter(|(paths, _)| paths.has_file(tree.path(page))) {
            report(limits.raw, "", |weight| weight.raw);
            // Hosts send compressed formats as they are.
            report(limits.gzip, " with gzip", |weight| weight.gzip.min(weight.raw));
        }
    }
}

/// Returns the budgets of pages, in stored bytes. Options that are malformed are reported by a check.
pub(crate) fn page_budgets(contract: &Contract) -> Vec<(PathPatterns, u64)> {
    let is_on = |setting: &&RuleSetting| setting.id.value == INFO.id && setting.level != Some(Severity::Off);
    let options = contract.rules.iter().find(is_on).map(|setting| setting.options.clone());
    let rule: Option<SizeBudget> = options.and_then(|options| options.try_into().ok());
    let budgets = rule.and_then(|rule| compiled(&rule.pages).ok()).unwrap_or_default();
    budgets.into_iter().filter_map(|(paths, limits)| Some((paths, limits.raw? as u64))).collect()
}

fn compiled(budgets: &BTreeMap<String, Budget>) -> Result<Vec<(PathPatterns, SizeLimits)>, PathPatternError> {
    let compile =
        |(pattern, budget): (&String, &Budget)| Ok((PathPatterns::new([pattern.as_str()])?, budget.limits()));
    budgets.iter().map(compile).collect()
}
