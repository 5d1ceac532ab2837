//! Proves redirects: follows them in the site as the next build makes it.

use std::collections::HashSet;
use std::sync::Arc;

use super::redirects_file::{destination_key, line_entries};
use super::site::{RedirectEdit, RedirectSite};
use crate::redirect_proposals::RedirectProposal;
use crate::resolve::final_address::FinalAddress;
use crate::resolve::{Reason, Resolver, Route, Target};
use sitegate_address::percent::escape_path;
use sitegate_host::RedirectLimits;
use sitegate_host::redirects::{Redirects, redirect_key};

/// The site before and after an edit of its redirects.
pub(super) struct Proof<'p> {
    pub site: &'p RedirectSite,
    before: Resolver<'p>,
    after: Resolver<'p>,
}

impl<'p> Proof<'p> {
    pub fn new(site: &'p RedirectSite, before: &Redirects, after: &Redirects) -> Proof<'p> {
        let resolver =
            |redirects: &Redirects| Resolver::new(&site.tree, &site.settings, Arc::new(redirects.clone()));
        Proof { site, before: resolver(before), after: resolver(after) }
    }

    /// Returns the fault of each redirect, if it has one. `text` is that of the file.
    pub fn faults(
        &self,
        redirects: &[RedirectProposal],
        limits: Option<RedirectLimits>,
        edit: &RedirectEdit,
    ) -> Vec<Option<String>> {
        let hidden = self.hidden_files();
        let mut faults: Vec<Option<String>> = redirects
            .iter()
            .map(|redirect| {
                let hides = hidden.iter().find(|(from, _)| *from == self.site.key(&redirect.from));
                let hides = hides.map(|(_, file)| format!("it would hide {file}"));
                hides.or_else(|| self.fault(redirect))
            })
            .collect();
        if let Some(excess) = limits.map(|limits| self.excess(limits, edit)).filter(|excess| *excess > 0) {
            let fitting = faults.len().saturating_sub(excess);
            for fault in faults.iter_mut().skip(fitting) {
                fault.get_or_insert_with(|| "the host does not read more redirects in this file".to_owned());
            }
        }
        faults
    }

    /// Returns why a redirect does not end at its destination.
    pub fn fault(&self, redirect: &RedirectProposal) -> Option<String> {
        redirect.singles().iter().find_map(|single| self.fault_of_single(single))
    }

    fn fault_of_single(&self, redirect: &RedirectProposal) -> Option<String> {
        let root = self.after.root();
        let from = escape_path(&redirect.from);
        let Some(end) = self.after.final_address(&root, &from) else {
            return Some("it is no address of this site".to_owned());
        };
        let (from_key, to_key) = (self.site.key(&redirect.from), self.site.key(&redirect.to));
        // Its redirect was removed.
        let has_page = from_key == to_key && matches!(end.target, Target::File { .. }) && !end.is_rewritten;
        if has_page {
            return None;
        }
        if self.after.host().ignores_case() && from_key.to_lowercase() == to_key.to_lowercase() {
            return Some("the host ignores case: both are one address".to_owned());
        }
        let Some(goal) = self.after.final_address(&root, &redirect.destination) else {
            let is_there = end.target == Target::External && is_same_url(&end.path, &redirect.destination);
            return (!is_there).then(|| ends_at_another_address(&end));
        };
        match goal.target {
            // The address has a page, but belongs to another one that has moved away.
            _ if self.site.has_file(&redirect.destination) && self.is_redirected(&redirect.destination) => {
                Some(format!("a redirect to {} hides {}; remove it first", goal.path, redirect.to))
            }
            Target::File { .. } if goal.is_rewritten => {
                Some(format!("only a rewrite answers {}", redirect.to))
            }
            Target::File { .. } if end.hops == 0 && end.is_rewritten => {
                Some("a rewrite answers it before".to_owned())
            }
            Target::File { .. } if end.hops == 0 => match end.target {
                Target::File { file, .. } => {
                    Some(format!("{} answers it before", self.site.tree.display(file)))
                }
                _ => Some("the host does not apply it".to_owned()),
            },
            Target::File { .. } | Target::External => {
                let is_there = end.path == goal.path
                    && end.target == goal.target
                    && end.end_of(&from) == goal.end_of(&redirect.destination);
                (!is_there).then(|| ends_at_another_address(&end))
            }
            Target::Missing(Reason::RedirectLoop) => Some("it would be a loop".to_owned()),
            _ => Some(format!("{} does not exist", redirect.to)),
        }
    }

    /// Whether a redirect that works sends an encoded address to another page or site.
    pub fn is_redirected(&self, address: &str) -> bool {
        let end = self.after.final_address(&self.after.root(), address);
        end.is_some_and(|end| {
            let is_same = destination_key(&escape_path(&end.path), self.site.base_path())
                == destination_key(address, self.site.base_path());
            let is_there = matches!(end.target, Target::File { .. } | Target::External);
            end.hops > 0 && !is_same && is_there && !end.is_rewritten
        })
    }

    /// Returns the destination of the redirect that hides the destination of another one.
    pub fn hidden_by(&self, redirect: &RedirectProposal) -> Option<String> {
        let end = self.after.final_address(&self.after.root(), &redirect.destination)?;
        if matches!(end.target, Target::File { .. }) && end.path == redirect.to && !end.is_rewritten {
            return None;
        }
        let below = redirect.to.strip_prefix(self.site.base_path()).unwrap_or(&redirect.to);
        let (line, to) = self.after.redirects().find(&format!("/{below}"))?;
        line.is_http_redirect().then_some(to)
    }

    /// Returns the files that were reachable before, and are not now, with the key of the redirect that hides them.
    fn hidden_files(&self) -> HashSet<(String, String)> {
        let tree = &self.site.tree;
        let answers = |resolver: &Resolver<'_>, file, address: &str| {
            let target = resolver.resolve(&resolver.root(), &escape_path(address), &mut Vec::new());
            matches!(target, Target::File { file: found, route } if found == file && route != Route::Redirect)
        };
        let mut hidden = HashSet::new();
        for file in tree.ids() {
            let name = tree.display(file);
            let is_hidden =
                |path: &String| !answers(&self.after, file, path) && answers(&self.before, file, path);
            for address in self.after.served_paths(&name).iter().filter(|path| is_hidden(path)) {
                if let Some((line, _)) = self.after.redirects().find(&self.site.below_root(address)) {
                    hidden.insert((redirect_key(&line.from), name.clone().into_owned()));
                }
            }
        }
        hidden
    }

    /// Returns how many redirects too many the file has.
    fn excess(&self, limits: RedirectLimits, edit: &RedirectEdit) -> usize {
        let all = line_entries(&edit.text, self.site.host());
        let patterns = all.iter().filter(|entry| entry.redirect.is_pattern()).count();
        let plain = (all.len() - patterns).saturating_sub(limits.plain);
        let size = edit.text.len().saturating_sub(limits.size);
        // A line has at least ten bytes.
        plain.max(patterns.saturating_sub(limits.patterns)).max(size.div_ceil(10)).min(edit.added)
    }
}

fn is_same_url(found: &str, wanted: &str) -> bool {
    url::Url::parse(wanted).is_ok_and(|wanted| wanted.as_str() == found)
}

fn ends_at_another_address(end: &FinalAddress) -> String {
    match end.target {
        Target::Missing(Reason::RedirectLoop) => "it would be a loop".to_owned(),
        Target::Missing(_) if end.hops == 0 => "the host does not apply it".to_owned(),
        _ => format!("it would end at {}, because another redirect applies before", end.path),
    }
}
