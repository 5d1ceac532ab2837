//! `size-budget`: a file, or a page with its files, exceeds its size budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::join_names;
use super::rule::{OptionError, ReadOption, Registered, Rule, not_empty};
use crate::contract::{Contract, RuleSetting};
use crate::index::Index;
use crate::index::loads::FileSize;
use crate::index::needs::{Needs, SizeLimits, SizeNeeds, limits_for};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
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
    compiled: SizeNeeds,
}

/// A maximum number of bytes.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of bytes, or { raw = …, gzip = … }")]
enum Budget {
    Raw(usize),
    Both(SizeLimits),
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
        self.compiled = SizeNeeds { files: compiled(&self.budgets)?, pages: compiled(&self.pages)? };
        Ok(())
    }

    fn needs(&self, needs: &mut Needs) {
        if !self.budgets.is_empty() || !self.pages.is_empty() {
            needs.sizes = Some(self.compiled.clone());
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let tree = index.site.tree;
        for file in tree.ids() {
            for limits in limits_for(&self.compiled.files, file, index.site) {
                check_file_size(index, (file, limits), found);
            }
        }
        for page in index.site.pages() {
            let mut limits = limits_for(&self.compiled.pages, page, index.site).peekable();
            if limits.peek().is_some() {
                check_page_size(index, page, limits, found);
            }
        }
    }
}

/// Checks one file.
fn check_file_size(index: &Index<'_>, (file, limits): (FileId, SizeLimits), found: &mut Vec<RawFinding>) {
    // An unreadable file is reported as such.
    let Some(measured) = index.sizes.get(&file) else { return };
    let mut report = |size: usize, limit: Option<usize>, by: &str| {
        if let Some(limit) = limit.filter(|limit| size > *limit) {
            let message =
                format!("too large: {} bytes{by}, over the budget of {}", thousands(size), thousands(limit));
            found.push(RawFinding::new(&INFO, file, message));
        }
    };
    report(measured.raw, limits.raw, "");
    report(measured.gzip.unwrap_or_default(), limits.gzip, " with gzip");
}

/// Checks one page with all files that it loads.
fn check_page_size(
    index: &Index<'_>,
    page: FileId,
    matching: impl Iterator<Item = SizeLimits>,
    found: &mut Vec<RawFinding>,
) {
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
        let message =
            format!("too large: this page and its files have {sum} bytes{by}, over the budget of {limit}");
        let finding = RawFinding::new(&INFO, page, message).cause(Cause::kind("pages"));
        let largest_names = join_names(names.iter(), NAMED);
        found.push(finding.help(format!("the largest of {} files: {largest_names}", largest.len())));
    };
    for limits in matching {
        report(limits.raw, "", |size| size.raw);
        report(limits.gzip, " with gzip", FileSize::sent);
    }
}

/// Returns the budgets of pages, in stored bytes. Options that are malformed are reported by a check.
pub(crate) fn page_budgets(contract: &Contract) -> Vec<(PathPatterns, u64)> {
    let is_on = |setting: &&RuleSetting| setting.id.value == INFO.id && setting.level != Some(Severity::Off);
    let options = contract.rules.iter().find(is_on).map(|setting| setting.options.clone());
    let rule: Option<SizeBudget> = options.and_then(|options| options.try_into().ok());
    let budgets = rule.and_then(|rule| compiled(&rule.pages).ok()).unwrap_or_default();
    let in_bytes = |(paths, limits): &(PathPatterns, SizeLimits)| Some((paths.clone(), limits.raw? as u64));
    budgets.iter().filter_map(in_bytes).collect()
}

fn compiled(
    budgets: &BTreeMap<String, Budget>,
) -> Result<Arc<[(PathPatterns, SizeLimits)]>, PathPatternError> {
    let compile =
        |(pattern, budget): (&String, &Budget)| Ok((PathPatterns::new([pattern.as_str()])?, budget.limits()));
    budgets.iter().map(compile).collect()
}
