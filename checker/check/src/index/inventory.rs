//! Collects the facts from which the inventory of a site is made: anchors, redirects, and links to other parts.

use std::collections::{HashMap, HashSet};

use foldhash::quality::FixedState;

use super::view::FileView;
use crate::parse::anchors::hash;
use crate::parse::{AnchorKind, ReferenceKind};
use crate::resolve::address_forms::AddressForms;
use crate::resolve::{Target, fragment};
use crate::walk::FileId;

/// The facts of files from which an inventory is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct InventoryFacts {
    /// The anchors of each page, with the kinds of their elements.
    pub anchors: HashMap<FileId, Vec<(Box<str>, AnchorKind)>, FixedState>,
    /// Pages that redirect by a refresh: the destination, and whether they keep the fragment.
    pub redirects: HashMap<FileId, (Box<str>, bool), FixedState>,
    /// Fragments that links use, as hashes, with the files that they refer to.
    pub linked: HashSet<(FileId, u64), FixedState>,
    /// Links of pages to other parts.
    pub part_links: HashMap<FileId, Vec<Box<str>>, FixedState>,
    /// The forms of addresses that references use, of pages that the host serves at several addresses.
    pub forms: HashMap<FileId, AddressForms, FixedState>,
}

impl InventoryFacts {
    /// Adds the facts of a file.
    pub(super) fn add(&mut self, view: &FileView<'_>) {
        let FileView { file, facts, site, .. } = *view;
        let anchors = facts.anchor_names.iter();
        let anchors: Vec<_> = anchors.map(|anchor| (facts.text(anchor.name).into(), anchor.kind)).collect();
        if !anchors.is_empty() {
            self.anchors.insert(file, anchors);
        }
        for (reference, target) in view.references() {
            let text = reference.value.map_or("", |value| facts.text(value));
            if let Some((page, form)) = site.resolver.linked_form(text, target) {
                self.forms.entry(page).or_default().insert(form);
            }
            match target {
                Target::File { file: target, .. }
                    if reference.kind == ReferenceKind::Refresh && target != file =>
                {
                    let path = site.resolver.address(&site.tree.display(target));
                    self.redirects.insert(file, (path.into(), facts.metadata.keeps_fragment));
                }
                Target::External if reference.kind == ReferenceKind::Refresh => {
                    if let Some(url) = view.base.join(text) {
                        self.redirects.insert(file, (url.as_str().into(), facts.metadata.keeps_fragment));
                    }
                }
                Target::File { file: target, .. } if reference.kind.follows_fragment() => {
                    if let Some(written) = fragment(text) {
                        self.linked.insert((target, hash(written.decoded.as_bytes())));
                        if written.raw != written.decoded {
                            self.linked.insert((target, hash(written.raw.as_bytes())));
                        }
                    }
                }
                Target::External if !site.resolver.parts().is_empty() => {
                    if let Some(link) = site.part_address(view.base, text) {
                        self.part_links.entry(file).or_default().push(link.into());
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn merge(&mut self, other: InventoryFacts) {
        self.anchors.extend(other.anchors);
        self.redirects.extend(other.redirects);
        self.linked.extend(other.linked);
        self.part_links.extend(other.part_links);
        for (page, forms) in other.forms {
            let own = self.forms.entry(page).or_default();
            *own = own.union(forms);
        }
    }
}
