//! The references that lead to other hosts, and what those answered.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::quality::FixedState;
use url::Url;

use super::view::FileView;
use crate::external::{ExternalAnswer, ExternalAnswers, ExternalLinks, ExternalSummary, HostTally, host_of};
use crate::parse::{Reference, Role};
use crate::resolve::Target;
use crate::walk::FileId;

/// A reference that leads to another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalLink {
    /// The file that refers.
    pub file: FileId,
    /// Where in it.
    pub span: Range<u32>,
    /// Which of the addresses.
    url: u32,
}

/// The references that lead to other hosts, and what those answered.
#[derive(Clone, Debug, Default)]
pub struct ExternalReferences {
    /// In the order of places.
    pub links: Vec<ExternalLink>,
    /// Addresses with their fragments; none for those that are not asked.
    urls: Vec<Option<Url>>,
    number_of: HashMap<Box<str>, u32, FixedState>,
    answers: ExternalAnswers,
}

impl ExternalReferences {
    /// Takes in the references of a file that lead to other hosts, and that a reader or a browser follows.
    pub(crate) fn add(&mut self, view: &FileView<'_>, external: &dyn ExternalLinks) {
        // What leads off the site is never a plain path.
        for (_, reference, target) in view.unusual() {
            let Reference { kind, value, span } = reference;
            let is_followed = matches!(kind.role(), Role::Navigate | Role::Load | Role::Relate | Role::Cite);
            if target != Target::External || !is_followed || kind.is_posted() {
                continue;
            }
            let Some(url) = value.and_then(|value| view.base.join_external(view.text(value))) else {
                continue;
            };
            let number = self.number(url, external);
            if self.urls[number as usize].is_some() {
                self.links.push(ExternalLink { file: view.file, span: span.clone(), url: number });
            }
        }
    }

    fn number(&mut self, url: Url, external: &dyn ExternalLinks) -> u32 {
        if let Some(number) = self.number_of.get(url.as_str()) {
            return *number;
        }
        let number = self.urls.len() as u32;
        self.number_of.insert(url.as_str().into(), number);
        let is_asked = external.submit(&url);
        self.urls.push(is_asked.then_some(url));
        number
    }

    /// Takes in what another thread has found.
    pub(crate) fn merge(&mut self, other: ExternalReferences) {
        let numbers: Vec<u32> = {
            let mut texts: Vec<(Box<str>, u32)> = other.number_of.into_iter().collect();
            texts.sort_unstable_by_key(|(_, number)| *number);
            let place = |((text, _), url): ((Box<str>, u32), Option<Url>)| {
                *self.number_of.entry(text).or_insert_with(|| {
                    self.urls.push(url);
                    self.urls.len() as u32 - 1
                })
            };
            texts.into_iter().zip(other.urls).map(place).collect()
        };
        let renumbered = |link: ExternalLink| ExternalLink { url: numbers[link.url as usize], ..link };
        self.links.extend(other.links.into_iter().map(renumbered));
    }

    /// The same with the answers, which are waited for.
    pub(crate) fn answered_by(mut self, external: &dyn ExternalLinks) -> ExternalReferences {
        self.links.sort_by_key(|link| (link.file, link.span.start, link.span.end));
        ExternalReferences { answers: external.answers(), ..self }
    }

    /// The links that were answered, with their addresses and what was said.
    pub fn answered(&self) -> impl Iterator<Item = (&ExternalLink, &Url, &ExternalAnswer)> {
        self.links.iter().filter_map(|link| {
            let url = self.urls[link.url as usize].as_ref()?;
            Some((link, url, self.answers.by_url.get(address(url))?))
        })
    }

    /// What was said, host by host.
    pub(crate) fn tally(&self) -> ExternalSummary {
        let mut links = vec![0; self.urls.len()];
        self.links.iter().for_each(|link| links[link.url as usize] += 1);
        let mut hosts: HashMap<String, HostTally> = HashMap::new();
        for time in &self.answers.hosts {
            hosts.entry(time.name.clone()).or_default().time = time.clone();
        }
        let mut seen: HashSet<&str> = HashSet::new();
        for (url, links) in self.urls.iter().zip(links) {
            let Some(url) = url.as_ref().filter(|_| links > 0) else { continue };
            let Some(answer) = self.answers.by_url.get(address(url)) else { continue };
            let name = host_of(url);
            let tally = hosts.entry(name.clone()).or_default();
            tally.time.name = name;
            tally.links += links;
            if seen.insert(address(url)) {
                tally.count(&answer.verdict);
            }
        }
        let mut hosts: Vec<HostTally> = hosts.into_values().collect();
        hosts.sort_by(|a, b| b.links.cmp(&a.links).then_with(|| a.time.name.cmp(&b.time.name)));
        let ExternalAnswers { known, took, is_stopped, .. } = self.answers;
        ExternalSummary { hosts, known, took, is_stopped }
    }
}

/// An address without its fragment.
fn address(url: &Url) -> &str {
    let text = url.as_str();
    &text[..text.find('#').unwrap_or(text.len())]
}
