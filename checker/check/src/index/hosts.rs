//! Counts the references to each external host.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::view::FileView;
use crate::parse::Role;
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_base::host_name::mail_host;

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
