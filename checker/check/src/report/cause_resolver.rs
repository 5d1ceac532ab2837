//! What a finding is about, such as the address that its reference leads to, so that those which share it are told as one.

use std::borrow::Cow;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::finding_reader::FindingReader;
use super::stages::RatedFinding;
use crate::index::site::Site;
use crate::parse::{self, Format};
use crate::raw_finding::{Cause, DocumentId, RawFinding};
use crate::report::result::CheckResult;
use crate::resolve::{Base, Resolver, Target, fragment};
use crate::walk::Tree;
use sitegate_base::hex::hex;

/// Bytes of a name that are kept; addresses may hold whole pictures.
const LONGEST: usize = 512;

/// Resolves the references of findings once more, in the order of the report.
pub struct CauseResolver<'r> {
    tree: &'r Tree,
    resolver: Resolver<'r>,
    base: Option<(DocumentId, Base)>,
    buffer: Vec<u8>,
}

impl<'r> CauseResolver<'r> {
    /// The targets of a report's findings.
    pub fn new(report: &'r CheckResult) -> Self {
        let resolver =
            Resolver::new(&report.tree, &report.deployment.settings, Arc::clone(&report.redirects));
        let resolver = resolver.of_live(report.live.clone());
        CauseResolver { tree: &report.tree, resolver, base: None, buffer: Vec::new() }
    }

    /// The thing that a finding's rule names as its cause; or else the path, the fragment with it where its page
    /// exists, or the URL that its reference means. `None` where it is about neither.
    pub fn of<'d>(
        &mut self,
        finding: &'d RatedFinding,
        sources: &mut FindingReader<'_>,
    ) -> Option<Cow<'d, str>> {
        match (&finding.raw.cause, &finding.context) {
            (Cause::Marked, Some(context)) => context.cause.as_deref().map(Cow::Borrowed),
            (Cause::Target, Some(context)) if finding.raw.is_reference => {
                context.cause.as_deref().map(Cow::Borrowed)
            }
            (Cause::Thing(thing), _) => Some(bounded(Cow::Borrowed(&**thing))),
            (Cause::Marked, None) => sources.marked(finding).map(|marked| bounded(Cow::Owned(marked))),
            (Cause::Message | Cause::Kind(_), _) => None,
            (Cause::Target, _) => self.reference(finding, sources).map(|thing| bounded(Cow::Owned(thing))),
        }
    }

    fn reference(&mut self, finding: &RatedFinding, sources: &mut FindingReader<'_>) -> Option<String> {
        let text = sources.reference(finding)?;
        let DocumentId::File(file) = finding.raw.location.document else { return None };
        let format = Format::of(self.tree.path(file));
        if self.base.as_ref().is_none_or(|(place, _)| *place != finding.raw.location.document) {
            let source = sources.text(&finding.raw.location.document);
            let href = (format == Format::Html).then(|| parse::base_href(source)).flatten();
            let base = self.resolver.base(file, href.as_deref());
            self.base = Some((finding.raw.location.document.clone(), base));
        }
        let (_, base) = self.base.as_ref()?;
        target_address(&text, (format, base), self.tree, &self.resolver, &mut self.buffer)
    }
}

/// What a finding is about (see [`CauseResolver::of`]), while its file is at hand, and what stands at its place: `text`.
pub(crate) fn resolve_in_memory(
    finding: &RawFinding,
    text: &str,
    base: &Base,
    site: &Site<'_>,
    buffer: &mut Vec<u8>,
) -> Option<String> {
    let DocumentId::File(file) = finding.location.document else { return None };
    let thing = match finding.cause {
        Cause::Marked => Some(text.to_owned()),
        _ => target_address(text, (site.format(file), base), site.tree, &site.resolver, buffer),
    };
    thing.map(|thing| bounded(Cow::Owned(thing)).into_owned())
}

/// The path that a reference as it is written leads to, the fragment with it where its page exists, or else its URL.
fn target_address(
    written: &str,
    (format, base): (Format, &Base),
    tree: &Tree,
    resolver: &Resolver<'_>,
    buffer: &mut Vec<u8>,
) -> Option<String> {
    let text = match format {
        Format::Css => Cow::Borrowed(written),
        _ => parse::decode_references(written),
    };
    if text.trim().is_empty() {
        return None;
    }
    match resolver.resolve(base, &text, buffer) {
        Target::File { file, .. } => {
            let path = resolver.served_path(&tree.display(file));
            let fragment = fragment(&text).map(|fragment| format!("#{}", fragment.decoded));
            Some(format!("{path}{}", fragment.unwrap_or_default()))
        }
        Target::Missing(_) => {
            let path = resolver.local_path(base, &text)?;
            Some(resolver.served_path(&String::from_utf8_lossy(&path)))
        }
        _ => Some(text.into_owned()),
    }
}

/// A name of bounded length: what is cut off is told by its digest.
fn bounded(name: Cow<'_, str>) -> Cow<'_, str> {
    if name.len() <= LONGEST {
        return name;
    }
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let start = name.char_indices().take_while(|(at, _)| *at < LONGEST / 2).map(|(_, c)| c);
    Cow::Owned(format!("{}… ({})", start.collect::<String>(), hex(&digest[..4])))
}
