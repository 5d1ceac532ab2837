//! `leaked-file`: a private file, or a file that contains a key or a token.

use sitegate_address::{SitePath, segments};

use super::rule::Registered;
use crate::index::Index;
use crate::index::usage::Usage;
use crate::index::view::FileView;
use crate::parse::{Leak, private_file, private_folder};
use crate::raw_finding::{Category, Cause, DocumentId, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "leaked-file",
    category: Category::Security,
    default: Severity::Error,
    summary: "the export contains a private file, a private key or an access token",
    why: "Bots request `/.env` and `/.git/config` on every host. Found by name: environment files, version control, \
          keys and key stores, files of credentials, states of Terraform, kubeconfig, histories of commands, database \
          dumps, backups of editors, `node_modules`. Dumps, key stores, backups and packages that pages refer to are \
          accepted. Found by content in scripts, JSON and configuration files: private keys that are the whole file, \
          pairs of AWS keys, passwords in `.npmrc`, credentials of Kubernetes and of Docker registries. Also tokens \
          with the prefix of a service, such as GitHub, GitLab, Google Cloud, npm, OpenAI, PyPI, Slack and Stripe. \
          Keys that are meant for browsers are not searched. Pages and other prose are not, because documentation \
          shows examples.",
    bad: "$ echo DATABASE_PASSWORD=secret > .env",
    good: "$ echo DATABASE_PASSWORD= > .env.example",
};

pub(super) static RULE: Registered =
    Registered::of_both(&INFO, check_file, check_site).needing(|needs| needs.leaks = true);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let Some(Leak::Secret(kind, line)) = view.facts.leak else { return };
    let path = view.site.tree.path(view.file);
    if SitePath::new(path).parent().is_some_and(is_never_published) {
        return;
    }
    let message = format!("leaked secret: line {line} contains {kind}");
    let help = "remove it from the build, and replace it: it may be known already";
    found.push(at_path(path, message).help(help));
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let tree = index.site.tree;
    let is_used = |file| index.usage.has(file, Usage::USED);
    let mut folders: Vec<&[u8]> = tree.folders().filter(|folder| is_outermost(folder)).collect();
    folders.sort_unstable();
    for folder in folders {
        let Some(private) = private_folder(SitePath::new(folder).name()) else { continue };
        if !private.may_be_intended || !tree.below(folder).any(is_used) {
            let message = format!("leaked folder: {} must not be published", private.kind);
            found.push(at_path(folder, message).cause(Cause::kind(private.kind)).help(EXCLUDE));
        }
    }
    for file in tree.ids() {
        let path = tree.path(file);
        let Some(private) = private_file(SitePath::new(path).name()) else { continue };
        let is_intended = private.may_be_intended && is_used(file);
        if !is_intended && SitePath::new(path).parent().is_none_or(|folder| !is_private(folder)) {
            let message = format!("leaked file: {} must not be published", private.kind);
            found.push(at_path(path, message).cause(Cause::kind(private.kind)).help(EXCLUDE));
        }
    }
}

const EXCLUDE: &str =
    "exclude it from the build; if it contains secrets, replace them: they may be known already";

/// Returns a finding about a path. It is not about a file's text, so that reports do not show the text.
fn at_path(path: &[u8], message: String) -> RawFinding {
    let document = DocumentId::Path(String::from_utf8_lossy(path).into());
    RawFinding::new(&INFO, document, message)
}

/// Whether a folder is private, and none above it is.
fn is_outermost(folder: &[u8]) -> bool {
    private_folder(SitePath::new(folder).name()).is_some()
        && SitePath::new(folder).parent().is_none_or(|above| !is_private(above))
}

/// Whether a folder, or one above it, is private.
fn is_private(folder: &[u8]) -> bool {
    segments(folder).any(|name| private_folder(name).is_some())
}

/// Whether a folder, or one above it, is reported as a whole.
fn is_never_published(folder: &[u8]) -> bool {
    let mut names = segments(folder).filter_map(private_folder);
    names.any(|private| !private.may_be_intended)
}
