//! The hosts that the site refers to, and how often.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;

use super::view::FileView;
use crate::parse::{Reference, Role};
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_base::host_name::mail_host;

/// How often a host is referred to, by links and by mail addresses.
#[derive(Clone, Debug)]
pub struct HostUse {
    /// How many references there are.
    pub count: usize,
    /// The first of them, in the order of places.
    pub first: (FileId, Range<u32>),
}

/// The hosts outside the site.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    /// By their names, as the URL standard writes them.
    uses: HashMap<Box<str>, HostUse, FixedState>,
}

impl Hosts {
    /// Takes in a reference that leads off the site, with its text.
    pub(super) fn add(&mut self, view: &FileView<'_>, reference: &Reference, text: &str, target: Target) {
        let name = match target {
            Target::External => view.base.host(text),
            // What else is never looked up is on the site's own host.
            Target::Unchecked if reference.kind.role() == Role::Connect => view.base.host(text),
            Target::Scheme => mail_host(text),
            _ => None,
        };
        let Some(name) = name else { return };
        let first = (view.file, reference.span.clone());
        self.count(&name, HostUse { count: 1, first });
    }

    /// Takes in all references of a file.
    pub(super) fn add_all(&mut self, view: &FileView<'_>) {
        // What leads off the site is never a plain path.
        for (_, reference, target) in view.unusual() {
            let text = reference.value.map_or("", |value| view.text(value));
            if let Target::External | Target::Scheme | Target::Unchecked = target {
                self.add(view, reference, text, target);
            }
        }
    }

    /// The hosts that one file refers to.
    pub(super) fn of(view: &FileView<'_>) -> Hosts {
        let mut hosts = Hosts::default();
        hosts.add_all(view);
        hosts
    }

    fn count(&mut self, name: &str, more: HostUse) {
        match self.uses.get_mut(name) {
            Some(known) => {
                known.count += more.count;
                let place = |(file, span): &(FileId, Range<u32>)| (*file, span.start);
                if place(&more.first) < place(&known.first) {
                    known.first = more.first;
                }
            }
            None => {
                self.uses.insert(name.into(), more);
            }
        }
    }

    /// Takes in what another thread has counted.
    pub(super) fn merge(&mut self, other: Hosts) {
        for (name, more) in other.uses {
            self.count(&name, more);
        }
    }

    /// Puts what a file refers to in the place of what it did before. Says false where it was the first that refers to a host, and
    /// does so no more: then all files have to be asked, and nothing here is of any use.
    pub(super) fn replace(&mut self, file: FileId, old: &Hosts, new: Hosts) -> bool {
        for (name, of_old) in &old.uses {
            let Some(all) = self.uses.get_mut(name) else { return false };
            all.count -= of_old.count;
            match new.uses.get(name) {
                Some(of_new) if all.first.0 == file => all.first = of_new.first.clone(),
                None if all.count == 0 => drop(self.uses.remove(name)),
                None if all.first.0 == file => return false,
                _ => {}
            }
        }
        self.merge(new);
        true
    }

    /// The hosts, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &HostUse)> {
        self.uses.iter().map(|(name, host)| (&**name, host))
    }
}
