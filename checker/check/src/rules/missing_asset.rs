//! `missing-asset`: a page or style sheet loads an image, script, style sheet, font or other file that does not exist.

use super::broken_reference::broken_reference_finding;
use super::queries::broken_references;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{NoteKind, Reference, ReferenceKind, Role};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-asset",
    category: Category::Links,
    default: Severity::Error,
    summary: "a page or style sheet loads a file that is not in the export",
    why: "The browser gets a 404: an image is missing, a style or a script does not apply. Checked: img, srcset, \
          script, link, iframe, video, audio, source, track, poster, embed, object, input, SVG use and image, url() \
          and @import in CSS, and the images and files of manifests, feeds and other machine-readable formats.",
    bad: r#"<img src="/images/teem.webp" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let assets = broken_references(view).filter(|(index, asset, _)| {
        asset.kind.role() == Role::Load
            && !asset.kind.may_be_unneeded()
            && !is_full_folder(view, asset)
            && !is_unused_fallback(view, *index, asset)
    });
    found.extend(assets.map(|asset| {
        broken_reference_finding(&INFO, view, asset, &format!("cannot load {}", asset.1.kind.description()))
    }));
}

/// Whether browsers do not load a plug-in: they show the object around it, or it is in a medium.
fn is_unused_fallback(view: &FileView<'_>, index: usize, reference: &Reference) -> bool {
    let is_plugin = matches!(reference.kind, ReferenceKind::Embed | ReferenceKind::Object);
    is_plugin
        && view.facts.metadata.notes.iter().any(|note| match note.kind {
            NoteKind::Fallback(inner, None) => inner == index,
            NoteKind::Fallback(inner, Some(outer)) => {
                inner == index && matches!(view.links.targets.get(outer), Some(Target::File { .. }))
            }
            _ => false,
        })
}

/// Whether a reference is to a folder with files, which need not have an index document.
fn is_full_folder(view: &FileView<'_>, reference: &Reference) -> bool {
    let folder = || {
        let text = view.text_of(reference);
        let path = view.site.resolver.local_path(view.base, text).unwrap_or_default();
        view.site.tree.is_folder(path.strip_suffix(b"/").unwrap_or(&path))
    };
    reference.kind == ReferenceKind::SearchFolder && folder()
}
