//! Finds what explains many errors, so that a report names it once: a setting, the wrong folder, or symbolic links.

use std::collections::HashMap;

use sitegate_base::plural::count;

use super::report_view::View;
use crate::report::finding::OtherRoot;
use crate::rules::broken_reference::{ADDS_NO_HTML, BEHIND_LINK};

/// A setting that is probably wrong.
pub(super) struct WrongSetting {
    /// The causes that it explains, the most important first.
    pub causes: Vec<usize>,
    /// The problem.
    pub message: String,
    /// How to fix it, if the help of the first cause does not say it.
    pub help: Option<String>,
}

/// Settings, which are causes by [kind](crate::raw_finding::Cause::Kind), and their problem.
const SETTINGS: [(&str, &str); 2] = [
    ("base-path", "are outside the base path; is `base-path` right?"),
    ("host", "need index documents, which the host does not serve; is `host` right?"),
];

/// Minimum number of pages without `.html` in their URL that are evidence for another host.
const PAGES: usize = 4;

impl WrongSetting {
    /// Returns the setting that explains most of the errors, which are the first causes, if they are of several rules;
    /// otherwise the symbolic links behind which files are missing.
    pub fn find(view: &View<'_>, errors: usize) -> Vec<WrongSetting> {
        let setting = match &view.report.other_root {
            Some(other) => Some(WrongSetting::of_folder(view, other)),
            None => WrongSetting::of_most(view, errors),
        };
        match setting {
            Some(setting) => vec![setting],
            None => WrongSetting::of_symbolic_links(view, errors),
        }
    }

    /// Finds the setting that explains most of the errors.
    fn of_most(view: &View<'_>, errors: usize) -> Option<WrongSetting> {
        let is_thing = |cause: usize| view.report.causes.get(cause).is_none_or(|common| common.thing);
        let of_kind = |(setting, problem): (&str, &'static str)| {
            let explains = |cause: &usize| *view.first(*cause).cause == *setting && !is_thing(*cause);
            ((0..errors).filter(explains).collect::<Vec<_>>(), problem, 2)
        };
        let adds_no_html = |cause: &usize| {
            view.first(*cause).help.as_deref().is_some_and(|help| help.contains(ADDS_NO_HTML))
        };
        let without_html = (0..errors).filter(adds_no_html).collect();
        let no_html = "have no `.html`, which the host does not add; is `host` right?";
        let settings = SETTINGS.into_iter().map(of_kind).chain([(without_html, no_html, PAGES)]);
        let all = findings(view, 0..errors);
        settings.into_iter().find_map(|(causes, problem, min)| {
            let explained = findings(view, causes.iter().copied());
            let message = format!("{} {problem}", count(explained, "reference"));
            (causes.len() >= min && explained * 2 > all).then_some(WrongSetting {
                causes,
                message,
                help: None,
            })
        })
    }

    /// Joins each symbolic link that is not followed and the references to files behind it.
    fn of_symbolic_links(view: &View<'_>, errors: usize) -> Vec<WrongSetting> {
        let mut behind: Vec<(&str, Vec<usize>)> = Vec::new();
        for cause in 0..errors {
            let is_common = view.report.causes.get(cause).is_some_and(|common| !common.thing);
            let Some(link) = view.first(cause).cause.strip_prefix(BEHIND_LINK).filter(|_| is_common) else {
                continue;
            };
            match behind.iter_mut().find(|(known, _)| *known == link) {
                Some((_, causes)) => causes.push(cause),
                None => behind.push((link, vec![cause])),
            }
        }
        let links = (0..errors).filter(|cause| &*view.first(*cause).rule == "invalid-symlink");
        let link_causes: HashMap<&str, usize> =
            links.map(|cause| (&*view.first(cause).file, cause)).collect();
        let joined = behind.into_iter().filter_map(|(path, causes)| {
            let link = *link_causes.get(path)?;
            let references = count(findings(view, causes.iter().copied()), "broken reference");
            Some(WrongSetting {
                message: format!("{}; {references} behind it", view.first(link).message),
                help: view.first(link).help.as_deref().map(str::to_owned),
                causes: [link].into_iter().chain(causes).collect(),
            })
        });
        joined.collect()
    }

    /// Describes a wrong folder.
    fn of_folder(view: &View<'_>, OtherRoot { folder, causes }: &OtherRoot) -> WrongSetting {
        let references = count(findings(view, causes.iter().copied()), "broken reference");
        WrongSetting {
            causes: causes.clone(),
            message: format!("{references} would work in `{folder}`; is the checked folder right?"),
            help: Some(format!("check `{folder}` instead of `{}`", view.report.root)),
        }
    }
}

/// Returns the number of findings of some causes.
fn findings(view: &View<'_>, causes: impl Iterator<Item = usize>) -> usize {
    causes.map(|cause| view.causes.get(cause).findings()).sum()
}
