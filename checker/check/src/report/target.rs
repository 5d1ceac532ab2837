//! What a finding is about, such as the address that its reference leads to, so that those which share it are told as one.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::sources::Sources;
use crate::diagnostic::{Cause, Diagnostic, Place};
use crate::hex::hex;
use crate::parse::{self, Format};
use crate::report::Report;
use crate::resolve::{Base, Resolver, Target, fragment};
use crate::walk::Tree;

/// Bytes of a name that are kept; addresses may hold whole pictures.
const LONGEST: usize = 512;

/// Resolves the references of findings once more, in the order of the report.
pub struct Targets<'r> {
    tree: &'r Tree,
    resolver: Resolver<'r>,
    base: Option<(Place, Base)>,
    buffer: Vec<u8>,
}

impl<'r> Targets<'r> {
    /// The targets of a report's findings.
    pub fn new(report: &'r Report) -> Self {
        let resolver =
            Resolver::new(&report.tree, &report.whereabouts.settings, Arc::clone(&report.redirects));
        Targets { tree: &report.tree, resolver, base: None, buffer: Vec::new() }
    }

    /// The thing that a finding's rule names as its cause; or else the path, the fragment with it where its page
    /// exists, or the URL that its reference means. `None` where it is about neither.
    pub fn of(&mut self, diagnostic: &Diagnostic, sources: &mut Sources<'_>) -> Option<String> {
        self.thing(diagnostic, sources).map(bounded)
    }

    fn thing(&mut self, diagnostic: &Diagnostic, sources: &mut Sources<'_>) -> Option<String> {
        match &diagnostic.cause {
            Cause::Thing(thing) => return Some(thing.to_string()),
            Cause::Marked => return sources.marked(diagnostic),
            Cause::Message | Cause::Kind(_) => return None,
            Cause::Target => {}
        }
        let text = sources.reference(diagnostic)?;
        let Place::File(file) = diagnostic.location.place else { return None };
        let format = Format::of(self.tree.path(file));
        let text = match format {
            Format::Css => text,
            _ => parse::decode_references(&text).into_owned(),
        };
        if text.trim().is_empty() {
            return None;
        }
        if self.base.as_ref().is_none_or(|(place, _)| *place != diagnostic.location.place) {
            let source = sources.text(&diagnostic.location.place);
            let href = (format == Format::Html).then(|| parse::base_href(source)).flatten();
            let base = self.resolver.base(file, href.as_deref());
            self.base = Some((diagnostic.location.place.clone(), base));
        }
        let (_, base) = self.base.as_ref()?;
        match self.resolver.resolve(base, &text, &mut self.buffer) {
            Target::File { file, .. } => {
                let path = self.resolver.served_path(&self.tree.display(file));
                let fragment = fragment(&text).map(|fragment| format!("#{}", fragment.decoded));
                Some(format!("{path}{}", fragment.unwrap_or_default()))
            }
            Target::Missing(_) => {
                let path = self.resolver.local_path(base, &text)?;
                Some(self.resolver.served_path(&String::from_utf8_lossy(&path)))
            }
            _ => Some(text),
        }
    }
}

/// A name of bounded length: what is cut off is told by its digest.
fn bounded(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let digest: [u8; 32] = Sha256::digest(&name).into();
    let start = name.char_indices().take_while(|(at, _)| *at < LONGEST / 2).map(|(_, c)| c);
    format!("{}… ({})", start.collect::<String>(), hex(&digest[..4]))
}
