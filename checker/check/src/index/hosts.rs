//! The hosts that the site refers to, and how often.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;

use crate::host_name::{host, mail_host};
use crate::parse::Reference;
use crate::resolve::Target;
use crate::walk::FileId;

/// How often a host is referred to, by links and by mail addresses.
#[derive(Clone, Debug)]
pub struct HostUse {
    /// How many references there are.
    pub count: usize,
    /// The first of them, in the order of places.
    pub first: (FileId, Range<u32>),
}

/// The hosts outside the site.
#[derive(Default)]
pub struct Hosts {
    /// By their names in lower case.
    uses: HashMap<Box<str>, HostUse, FixedState>,
}

impl Hosts {
    /// Takes in a reference that leads off the site, with its text.
    pub(super) fn add(&mut self, file: FileId, reference: &Reference, text: &str, target: Target) {
        let name = match target {
            Target::External | Target::Unchecked => host(text),
            Target::Scheme => mail_host(text),
            _ => None,
        };
        let Some(name) = name else { return };
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.count(&name.to_ascii_lowercase(), file, &reference.span);
        } else {
            self.count(name, file, &reference.span);
        }
    }

    fn count(&mut self, name: &str, file: FileId, span: &Range<u32>) {
        match self.uses.get_mut(name) {
            Some(known) => {
                known.count += 1;
                known.see(file, span);
            }
            None => {
                self.uses.insert(name.into(), HostUse { count: 1, first: (file, span.clone()) });
            }
        }
    }

    pub(super) fn merge(&mut self, other: Hosts) {
        for (name, more) in other.uses {
            match self.uses.get_mut(&name) {
                Some(known) => {
                    known.count += more.count;
                    known.see(more.first.0, &more.first.1);
                }
                None => {
                    self.uses.insert(name, more);
                }
            }
        }
    }

    /// The hosts, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &HostUse)> {
        self.uses.iter().map(|(name, host)| (&**name, host))
    }
}

impl HostUse {
    /// Keeps the first of two places.
    fn see(&mut self, file: FileId, span: &Range<u32>) {
        if (file, span.start) < (self.first.0, self.first.1.start) {
            self.first = (file, span.clone());
        }
    }
}
