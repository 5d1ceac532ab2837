//! Finds the setting of the contract that explains most errors, so that a report names it once.

use sitegate_base::plural::count;

use super::report_view::View;

/// A setting that is probably wrong.
pub(super) struct WrongSetting {
    /// The causes that it explains, the most important first.
    pub causes: Vec<usize>,
    /// The problem.
    pub message: String,
}

/// Settings, which are causes by [kind](crate::raw_finding::Cause::Kind), and their problem.
const SETTINGS: [(&str, &str); 2] = [
    ("base-path", "are outside the base path; is `base-path` right?"),
    ("host", "need index documents, which the host does not serve; is `host` right?"),
];

impl WrongSetting {
    /// Returns the setting that explains most of the errors, which are the first causes, if they are of several rules.
    pub fn find(view: &View<'_>, errors: usize) -> Option<WrongSetting> {
        let findings = |cause: usize| view.causes.get(cause).findings();
        let all: usize = (0..errors).map(findings).sum();
        SETTINGS.into_iter().find_map(|(setting, problem)| {
            let is_thing = |cause: usize| view.report.causes.get(cause).is_none_or(|common| common.thing);
            let explains = |cause: &usize| *view.first(*cause).cause == *setting && !is_thing(*cause);
            let causes: Vec<usize> = (0..errors).filter(explains).collect();
            let explained: usize = causes.iter().copied().map(findings).sum();
            let message = format!("{} {problem}", count(explained, "reference"));
            (causes.len() > 1 && explained * 2 > all).then_some(WrongSetting { causes, message })
        })
    }
}
