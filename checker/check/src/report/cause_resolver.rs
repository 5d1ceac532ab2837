//! Resolves the causes of findings, such as the path that a reference points to, so that reports can group them.

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

/// Maximum length of a name in bytes. A `data:` URL may contain a whole image.
const MAX_LENGTH: usize = 512;

/// Resolves the causes of findings, in the order of the report.
pub struct CauseResolver<'r> {
    tree: &'r Tree,
    resolver: Resolver<'r>,
    base: Option<(DocumentId, Base)>,
    buffer: Vec<u8>,
}

impl<'r> CauseResolver<'r> {
    /// Creates a resolver for the findings of a check.
    pub fn new(result: &'r CheckResult) -> Self {
        let resolver =
            Resolver::new(&result.tree, &result.deployment.settings, Arc::clone(&result.redirects))
                .with_live_site(result.live.clone());
        CauseResolver { tree: &result.tree, resolver, base: None, buffer: Vec::new() }
    }

    /// Returns the thing that caused a finding: the one that its rule names, or the path, fragment or URL that its
    /// reference points to. `None` if the cause is the message.
    pub fn thing<'d>(
        &mut self,
        finding: &'d RatedFinding,
        reader: &mut FindingReader<'_>,
    ) -> Option<Cow<'d, str>> {
        match (&finding.raw.cause, &finding.context) {
            (Cause::Marked | Cause::Target, Some(context)) => context.cause.as_deref().map(Cow::Borrowed),
            (Cause::Thing(thing), _) => Some(bounded(Cow::Borrowed(&**thing))),
            (Cause::Marked, None) => reader.marked(finding).map(|marked| bounded(Cow::Owned(marked))),
            (Cause::Message | Cause::Kind(_), _) => None,
            (Cause::Target, None) => self.target(finding, reader).map(|target| bounded(Cow::Owned(target))),
        }
    }

    fn target(&mut self, finding: &RatedFinding, reader: &mut FindingReader<'_>) -> Option<String> {
        let text = reader.reference(finding)?;
        let DocumentId::File(file) = finding.raw.location.document else { return None };
        let format = Format::of(self.tree.path(file));
        if self.base.as_ref().is_none_or(|(document, _)| *document != finding.raw.location.document) {
            let source = reader.text(&finding.raw.location.document);
            let href = (format == Format::Html).then(|| parse::base_href(source)).flatten();
            let base = self.resolver.base(file, href.as_deref());
            self.base = Some((finding.raw.location.document.clone(), base));
        }
        let (_, base) = self.base.as_ref()?;
        target_name(&text, (format, base), self.tree, &self.resolver, &mut self.buffer)
    }
}

/// Returns the thing that caused a finding, like [`CauseResolver::thing`], while its file is in memory. `text` is the
/// text at its location.
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
        _ => target_name(text, (site.format(file), base), site.tree, &site.resolver, buffer),
    };
    thing.map(|thing| bounded(Cow::Owned(thing)).into_owned())
}

/// Returns the path that a reference points to, with the fragment if the page exists; or the reference, if it is
/// external.
fn target_name(
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

/// Shortens a name to a bounded length. A digest distinguishes long names with the same start.
fn bounded(name: Cow<'_, str>) -> Cow<'_, str> {
    if name.len() <= MAX_LENGTH {
        return name;
    }
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let start = name.char_indices().take_while(|(at, _)| *at < MAX_LENGTH / 2).map(|(_, c)| c);
    Cow::Owned(format!("{}… ({})", start.collect::<String>(), hex(&digest[..4])))
}
