//! Collects the references to external hosts: the number of each, and the URLs with their answers.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::quality::FixedState;
use sitegate_base::host_name::{host_of, mail_host};
use url::{Position, Url};

use super::view::FileView;
use crate::external::{
    ExternalAnswer, ExternalAnswers, ExternalHost, ExternalHosts, ExternalLinks, HostTime,
};
use crate::parse::{Reference, Role};
use crate::resolve::Target;
use crate::walk::FileId;

/// A reference to an external URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalLink {
    /// The file that refers.
    pub file: FileId,
    /// The reference in the file.
    pub span: Range<u32>,
    /// Index of the URL.
    url: u32,
}

/// All references to external URLs, and their answers.
#[derive(Clone, Debug, Default)]
pub struct ExternalReferences {
    /// Links, in the order of locations.
    pub links: Vec<ExternalLink>,
    /// URLs with fragments; `None` if the URL is not requested.
    urls: Vec<Option<Url>>,
    index_of: HashMap<Box<str>, u32, FixedState>,
    answers: ExternalAnswers,
}

impl ExternalReferences {
    /// Adds the references of a file to external URLs that a reader or a browser follows.
    pub(crate) fn add(&mut self, view: &FileView<'_>, external: &dyn ExternalLinks) {
        // A plain path is never external.
        for (_, reference, target) in view.unusual() {
            let Reference { kind, value, span } = reference;
            let is_followed = matches!(kind.role(), Role::Navigate | Role::Load | Role::Relate | Role::Cite);
            if target != Target::External || !is_followed || kind.is_posted() {
                continue;
            }
            let Some(mut url) = value.and_then(|value| view.base.join_external(view.text(value))) else {
                continue;
            };
            // Credentials in a public link are no secret to log in with. The answer has none, and neither may a report.
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            let url_index = self.url_index(url, external);
            if self.urls[url_index as usize].is_some() {
                self.links.push(ExternalLink { file: view.file, span: span.clone(), url: url_index });
            }
        }
    }

    fn url_index(&mut self, url: Url, external: &dyn ExternalLinks) -> u32 {
        if let Some(url_index) = self.index_of.get(url.as_str()) {
            return *url_index;
        }
        let url_index = self.urls.len() as u32;
        self.index_of.insert(url.as_str().into(), url_index);
        let is_requested = external.submit(&url);
        self.urls.push(is_requested.then_some(url));
        url_index
    }

    /// Adds the references of another thread.
    pub(crate) fn merge(&mut self, other: ExternalReferences) {
        let indexes: Vec<u32> = {
            let mut texts: Vec<(Box<str>, u32)> = other.index_of.into_iter().collect();
            texts.sort_unstable_by_key(|(_, url_index)| *url_index);
            let position = |((text, _), url): ((Box<str>, u32), Option<Url>)| {
                *self.index_of.entry(text).or_insert_with(|| {
                    self.urls.push(url);
                    self.urls.len() as u32 - 1
                })
            };
            texts.into_iter().zip(other.urls).map(position).collect()
        };
        let renumbered = |link: ExternalLink| ExternalLink { url: indexes[link.url as usize], ..link };
        self.links.extend(other.links.into_iter().map(renumbered));
    }

    /// Waits for the answers.
    pub(crate) fn answered_by(mut self, external: &dyn ExternalLinks) -> ExternalReferences {
        self.links.sort_by_key(|link| (link.file, link.span.start, link.span.end));
        ExternalReferences { answers: external.answers(), ..self }
    }

    /// Returns the links that were answered, with their URLs and answers.
    pub fn answered(&self) -> impl Iterator<Item = (&ExternalLink, &Url, &ExternalAnswer)> {
        self.links.iter().filter_map(|link| {
            let url = self.urls[link.url as usize].as_ref()?;
            Some((link, url, self.answers.by_url.get(without_fragment(url))?))
        })
    }

    /// Summarizes the answers by host.
    pub(crate) fn summarize(&self) -> ExternalHosts {
        let mut links = vec![0; self.urls.len()];
        for link in &self.links {
            links[link.url as usize] += 1;
        }
        let times = self.answers.hosts.iter();
        let mut hosts: HashMap<String, ExternalHost> =
            times.map(|time| (time.name.clone(), ExternalHost::new(time.clone()))).collect();
        let mut counted: HashSet<&str> = HashSet::new();
        for (url, count) in self.urls.iter().zip(links) {
            let (Some(url), 1..) = (url.as_ref(), count) else { continue };
            let Some(answer) = self.answers.by_url.get(without_fragment(url)) else { continue };
            let name = host_of(url);
            let unrequested = || ExternalHost::new(HostTime { name: name.clone(), ..HostTime::default() });
            let counts = &mut hosts.entry(name.clone()).or_insert_with(unrequested).counts;
            counts.links += count;
            if counted.insert(without_fragment(url)) {
                counts.count(&answer.verdict);
            }
        }
        ExternalHosts::new(hosts.into_values().collect(), &self.answers)
    }
}

/// Returns a URL without its fragment.
fn without_fragment(url: &Url) -> &str {
    &url[..Position::AfterQuery]
}

/// The references to a host, as links and mail addresses.
#[derive(Clone, Debug)]
pub struct HostUse {
    /// Number of references.
    pub count: usize,
    /// The first of them, in the order of locations.
    pub first: (FileId, Range<u32>),
}

/// The external hosts of a site.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    /// By host name, as the URL standard serializes it.
    uses: HashMap<Box<str>, HostUse, FixedState>,
}

impl Hosts {
    /// Adds the references of a file.
    pub(super) fn add(&mut self, view: &FileView<'_>) {
        // A plain path is never external.
        for (_, reference, target) in view.unusual() {
            let text = view.text_of(reference);
            let name = match target {
                Target::External => view.base.host(text),
                // All other unchecked references are on the site's own host.
                Target::Unchecked if reference.kind.role() == Role::Connect => view.base.host(text),
                Target::Scheme => mail_host(text),
                _ => None,
            };
            if let Some(name) = name {
                self.count(&name, HostUse { count: 1, first: (view.file, reference.span.clone()) });
            }
        }
    }

    fn count(&mut self, name: &str, more: HostUse) {
        match self.uses.get_mut(name) {
            Some(known) => {
                known.count += more.count;
                let position = |(file, span): &(FileId, Range<u32>)| (*file, span.start);
                if position(&more.first) < position(&known.first) {
                    known.first = more.first;
                }
            }
            None => {
                self.uses.insert(name.into(), more);
            }
        }
    }

    /// Adds the counts of another thread.
    pub(super) fn merge(&mut self, other: Hosts) {
        for (name, more) in other.uses {
            self.count(&name, more);
        }
    }

    /// Returns the hosts, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &HostUse)> {
        self.uses.iter().map(|(name, host)| (&**name, host))
    }
}
