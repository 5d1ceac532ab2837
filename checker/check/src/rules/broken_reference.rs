//! Findings about references to files that do not exist: why, what was meant, and the fix.

use std::borrow::Cow;

use sitegate_address::UrlReference;
use sitegate_address::percent::escape_path;
use sitegate_base::plural::capitalized;

use super::leftover::leftover;
use super::messages::shorten;
use super::schemes;
use crate::contract::Contract;
use crate::index::scripts::BrokenLoad;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{Format, Reference, ReferenceKind};
use crate::raw_finding::{Cause, Certainty, ProposedFix, RawFinding, ReferenceChange, RuleInfo};
use crate::resolve::respell::Respelled;
use crate::resolve::suggestion::Suggestion;
use crate::resolve::{Reason, Route, Target};
use crate::walk::{FileId, Stray, StrayKind};

/// Why a host does not serve a page at its URL without `.html`. Reports find wrong hosts by it.
pub(crate) const ADDS_NO_HTML: &str = "does not add `.html`";

/// The cause of references to files behind a symbolic link, before its path. Reports list them with the link.
pub(crate) const BEHIND_LINK: &str = "symbolic link ";

/// The text between the two folders in the cause of references into a folder that has moved.
const MOVED: &str = "/ is ";

/// Returns the old and the new path of a folder from the cause of references to its files.
pub(crate) fn moved_folder(cause: &str) -> Option<(&str, &str)> {
    cause.strip_suffix('/')?.split_once(MOVED)
}

/// Builds a finding about a broken reference. Its message is `fault`, a colon and the reason.
pub(super) fn broken_reference_finding(
    rule: &'static RuleInfo,
    view: &FileView<'_>,
    (index, reference, reason): (usize, &Reference, Reason),
    fault: &str,
) -> RawFinding {
    let text = view.text_of(reference);
    if reason == Reason::NotInPart {
        return missing_in_part_finding(rule, view, reference, fault);
    }
    let path = view.site.resolver.local_path(view.base, text).unwrap_or_default();
    if reason == Reason::BrokenRedirect
        && let Some((_, to)) = view.site.resolver.last_redirect(path.clone())
    {
        let message = format!("{fault}: {}", broken_redirect_message(text.trim(), &to));
        return RawFinding::reference(rule, (view.file, &reference.span), message);
    }
    let path = String::from_utf8_lossy(&path);
    let near = view.links.suggestions.get(&index);
    let (mut why, mut help) = explain_missing(view.site, (text, &path), reason, near);
    if let Some(base) = base_element_href(view, text) {
        why = format!("{why} (relative to `<base href=\"{}\">`)", shorten(base));
    }
    if matches!(reason, Reason::NoFile | Reason::NoIndex)
        && let Some((mark, meant)) = with_escaped_name(view, text)
    {
        let effect = match mark {
            '#' => "begins a fragment",
            '?' => "begins a query",
            _ => "escapes a byte",
        };
        help = Some(format!("did you mean `{}`? In a URL, `{mark}` {effect}", shorten(&meant)));
    }
    let mut finding = RawFinding::reference(rule, (view.file, &reference.span), format!("{fault}: {why}"));
    // In other formats the bytes may be escaped differently, or relative to something other than their file.
    let is_plain = matches!(view.site.format(view.file), Format::Html | Format::Css | Format::Svg);
    if let Some(setting) = wrong_setting(reason) {
        finding = finding.cause(Cause::kind(setting));
    } else if let Some(common) = common_fault(view.site, &path, reason, near) {
        finding = finding.cause(Cause::kind(common.cause));
        help =
            Some(help.map_or(common.help.clone(), |help| format!("{help}. {}", capitalized(&common.help))));
    } else if !is_plain || reference.kind == ReferenceKind::JsonLd {
        finding = finding.cause(view.site.resolver.served_path(&path));
    }
    // Some search files are named in parts.
    let is_whole = !matches!(
        reference.kind,
        ReferenceKind::JsonLd | ReferenceKind::SearchIndex | ReferenceKind::SearchScript
    );
    if is_plain && is_whole {
        let fix = fix_of_missing(view, (index, text), reason);
        finding = finding.fix(fix.filter(|_| leftover(text, true).is_none()));
    }
    finding.help_if(help)
}

/// Returns a reference in which a character of a file name is escaped, and the character, if only then the file exists:
/// `c%23.html` for `c#.html`.
fn with_escaped_name(view: &FileView<'_>, text: &str) -> Option<(char, String)> {
    let escapes = [('%', "%25"), ('#', "%23"), ('?', "%3F")];
    let written: Vec<_> = escapes.into_iter().filter(|(mark, _)| text.contains(*mark)).collect();
    let whole = |mark: char, by: &str| text.replace(mark, by);
    // The last one may begin a real fragment or query.
    let but_last = |mark: char, by: &str| {
        let (name, end) = text.split_at(text.rfind(mark).unwrap_or_default());
        name.replace(mark, by) + end
    };
    let single =
        written.iter().flat_map(|(mark, by)| [(*mark, whole(*mark, by)), (*mark, but_last(*mark, by))]);
    let all = written.iter().fold(text.to_owned(), |escaped, (mark, by)| escaped.replace(*mark, by));
    let all = written.last().map(|(mark, _)| (*mark, all));
    let is_file = |variant: &str| {
        let target = view.site.resolver.resolve(view.base, variant, &mut Vec::new());
        matches!(target, Target::File { route: Route::Exact | Route::Html | Route::Index, .. })
    };
    single.chain(all).find(|(_, variant)| variant != text && is_file(variant))
}

/// Proposes a fix for a reference to a file that does not exist.
fn fix_of_missing(view: &FileView<'_>, (index, text): (usize, &str), reason: Reason) -> Option<ProposedFix> {
    use Certainty::{Certain, Likely};
    let (site, resolver) = (view.site, &view.site.resolver);
    if !site.is_editable || !matches!(reason, Reason::NoFile | Reason::NoIndex | Reason::FileWithSlash) {
        return None;
    }
    let is_relative = !text.starts_with('/');
    if let Some((_, new)) = with_escaped_name(view, text) {
        let change = ReferenceChange::Whole { new: new.into(), paths: None };
        return Some(ProposedFix {
            certainty: Certain,
            reason: "the name of the file has this character",
            change,
        });
    }
    if is_relative && let Some((certainty, meant)) = schemes::corrected(text) {
        let change = ReferenceChange::Whole { new: meant.into(), paths: None };
        return Some(ProposedFix { certainty, reason: "it names a host, or a mail address", change });
    }
    if text.contains("%5")
        && let with_slashes = text.replace("%5C", "/").replace("%5c", "/")
        && let Target::File { file, .. } = resolver.resolve(view.base, &with_slashes, &mut Vec::new())
    {
        let new = Respelled { text: with_slashes, path: site.tree.display(file).into_owned() };
        let change = changed_path(view, text, new);
        return Some(ProposedFix {
            certainty: Certain,
            reason: "the file exists with `/` in place of a backslash",
            change,
        });
    }
    let respelled = |path: &str| resolver.respell(view.base, text, site.tree.find(path.as_bytes())?);
    let other_depth =
        if is_relative && site.has_name(text) { resolver.with_right_depth(view.base, text) } else { None };
    let of_other_file = |path: &str| other_depth.as_ref().is_some_and(|depth| depth.path != path);
    let is_host_known = site.settings.host.is_some();
    let near = view.links.suggestions.get(&index);
    let (certainty, why, new) = match near {
        _ if reason == Reason::FileWithSlash => {
            let local = resolver.local_path(view.base, text)?;
            let path = String::from_utf8_lossy(&local).trim_end_matches('/').to_owned();
            (Certain, "the file has this path", respelled(&path)?)
        }
        Some(Suggestion::Slashes(path)) => (Certain, "the file has this path", respelled(path)?),
        Some(Suggestion::Html(path)) => {
            (Certainty::certain_if(is_host_known), "the host does not add `.html`", respelled(path)?)
        }
        Some(Suggestion::Moved(path)) if other_depth.is_some() && !of_other_file(path) => {
            (Certain, "the file is in this folder, and no other file has its name", other_depth?)
        }
        Some(Suggestion::Case(path) | Suggestion::Composition(path) | Suggestion::Misspelled(path)) => {
            let certainty = Certainty::certain_if(!of_other_file(path));
            (certainty, "no other file has a name that is as similar", respelled(path)?)
        }
        Some(Suggestion::Moved(path)) => (Likely, "no other file has this name", respelled(path)?),
        Some(Suggestion::Similar(path)) => (Likely, "the file has a similar name", respelled(path)?),
        None => {
            let Some(depth) = other_depth else {
                if site.contract.source_files.is_empty() {
                    return None;
                }
                let why = "no other file is as similar";
                let change = ReferenceChange::MissingTarget;
                return Some(ProposedFix { certainty: Certain, reason: why, change });
            };
            (Certain, "the file is in this folder", depth)
        }
    };
    Some(ProposedFix { certainty, reason: why, change: changed_path(view, text, new) })
}

/// Returns a change of a reference to one that points to another file.
fn changed_path(view: &FileView<'_>, text: &str, new: Respelled) -> ReferenceChange {
    let paths = paths_of_change(view, text, new.path);
    ReferenceChange::Whole { new: new.text.into(), paths }
}

/// Returns the path that a reference points to, and that of the file that it is to point to.
pub(super) fn paths_of_change(
    view: &FileView<'_>,
    text: &str,
    path: String,
) -> Option<Box<(String, String)>> {
    let local = view.site.resolver.local_path(view.base, text)?;
    Some(Box::new((String::from_utf8(local).ok()?, path)))
}

/// Builds a finding about a reference to an address that another part of the site does not have.
fn missing_in_part_finding(
    rule: &'static RuleInfo,
    view: &FileView<'_>,
    reference: &Reference,
    fault: &str,
) -> RawFinding {
    let text = view.text_of(reference);
    let (at, near) = match view.site.part_answer(view.base, text) {
        Some((part, _, path)) => (part.at.as_str(), part.suggest(&path)),
        None => ("", None),
    };
    let message = format!("{fault}: `{}` is not in the inventory of `{at}`", shorten(text));
    let cause = view.site.part_address(view.base, text).unwrap_or_default();
    let finding = RawFinding::reference(rule, (view.file, &reference.span), message).cause(cause);
    finding.help_if(near.map(|near| format!("did you mean `{}`?", escape_path(&near))))
}

/// A fault that many missing files share.
struct CommonFault {
    /// Its name as a cause.
    cause: String,
    /// How to fix it.
    help: String,
}

/// Returns the fault of a missing file that other files in its folder share: a symbolic link on its path, or a folder
/// that has moved.
fn common_fault(
    site: &Site<'_>,
    path: &str,
    reason: Reason,
    near: Option<&Suggestion>,
) -> Option<CommonFault> {
    if !matches!(reason, Reason::NoFile | Reason::NoIndex) {
        return None;
    }
    let is_behind = |link: &&Stray| {
        let below = path.strip_prefix(&*link.path);
        link.kind != StrayKind::Special
            && below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    };
    if let Some(link) = site.tree.strays.iter().find(is_behind) {
        let help =
            format!("`{}` is a symbolic link that is not followed; invalid-symlink says why", link.path);
        return Some(CommonFault { cause: format!("{BEHIND_LINK}{}", link.path), help });
    }
    let Some(Suggestion::Moved(found)) = near else { return None };
    let is_missing = |at: &usize| !site.tree.is_folder(&path.as_bytes()[..*at]);
    let (old, rest) = path.split_at(path.match_indices('/').map(|(at, _)| at).find(is_missing)?);
    let new = found.strip_suffix(rest).filter(|new| site.tree.is_folder(new.as_bytes()))?;
    let help = format!("the folder `/{old}/` does not exist, but `/{new}/` does");
    Some(CommonFault { cause: format!("{old}{MOVED}{new}/"), help })
}

/// Returns the setting that makes all references of a kind break, if it is wrong. Reports show them as one cause.
fn wrong_setting(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::OutsideBasePath => Some("base-path"),
        Reason::NoIndexOnHost => Some("host"),
        _ => None,
    }
}

/// Returns the base element's URL if it changes what a reference resolves to.
fn base_element_href<'v>(view: &FileView<'v>, text: &str) -> Option<&'v str> {
    let href = view.text(view.facts.base?);
    let without = view.site.resolver.document(view.file);
    (without.join(text) != view.base.join(text)).then_some(href)
}

/// Explains that a path redirects to one that does not exist.
pub(super) fn broken_redirect_message(from: &str, to: &str) -> String {
    format!("`{}` redirects to `{}`, which does not exist", shorten(from), shorten(to))
}

/// Builds a finding about a file that a script loads and that does not exist.
pub(super) fn failed_load_finding(rule: &'static RuleInfo, load: &BrokenLoad, site: &Site<'_>) -> RawFinding {
    let (why, help) =
        explain_missing(site, (&load.address, &load.path), load.reason, load.suggestion.as_ref());
    let message = format!("{}: {why}{}", load_fault(load.kind), load_chain(&load.trail, site));
    let finding =
        RawFinding::new(rule, (load.file, &load.span), message).cause(site.resolver.served_path(&load.path));
    finding.help_if(help)
}

/// Returns the consequence of a missing file, as the start of a message.
fn load_fault(kind: ReferenceKind) -> Cow<'static, str> {
    let file = match kind {
        ReferenceKind::JsImportMap => return "the import map points to a missing file".into(),
        ReferenceKind::JsAsset => "a file",
        ReferenceKind::JsChunk => "a chunk",
        ReferenceKind::JsData => "the data of a page",
        ReferenceKind::JsPrecache => "a file of the precache list",
        ReferenceKind::JsPreload => "a preloaded file",
        ReferenceKind::JsScriptElement => "a script that this script adds",
        ReferenceKind::JsStyle => "a style sheet",
        ReferenceKind::SearchIndex => "the search index",
        code => return format!("`{}` fails", code.description()).into(),
    };
    format!("cannot load {file}").into()
}

/// Returns how a page loads a script, as the end of a sentence. Inline scripts have no chain.
pub(super) fn load_chain(trail: &[FileId], site: &Site<'_>) -> String {
    match trail {
        [] | [_] => String::new(),
        [page, through @ .., _] => {
            let names = through.iter().map(|file| site.tree.display(*file));
            let path: Vec<_> = [site.tree.display(*page)].into_iter().chain(names).collect();
            format!("; `{}` loads it", path.join("` → `"))
        }
    }
}

/// Explains why a reference is broken, and suggests a fix. `text` is the reference, `name` the path that it means.
fn explain_missing(
    site: &Site<'_>,
    (text, name): (&str, &str),
    reason: Reason,
    near: Option<&Suggestion>,
) -> (String, Option<String>) {
    let subject = match UrlReference::new(text.trim()).path() {
        path if name.is_empty() || path.trim_start_matches("./").trim_start_matches('/') == name => {
            format!("`{}`", shorten(text))
        }
        _ if name.starts_with('/') => {
            format!("`{}` points to `/{}`, with two slashes, which", shorten(text), shorten(name))
        }
        _ => format!("`{}` points to `{}`, which", shorten(text), shorten(name)),
    };
    let suggest = || {
        let is_itself =
            |meant: &&Suggestion| site.resolver.served_path(meant.path()).trim_start_matches('/') == name;
        let near = || near.filter(|near| !is_itself(near)).map(|near| suggest_near(near, site));
        leftover(text, true).or_else(|| suggest_scheme(text)).or_else(near)
    };
    match reason {
        Reason::OutsideBasePath => {
            let base = &site.settings.base_path;
            let resolver = &site.resolver;
            let meant = resolver.resolve(&resolver.root(), &format!("./{}", escape_path(name)), &mut Vec::new());
            let is_below = matches!(meant, Target::File { .. });
            (
                format!("`{}` is outside the base path `{base}`", shorten(text)),
                is_below.then(|| {
                    format!("start it with `{base}`, or make it relative; if no link has it, `base-path` is wrong")
                }),
            )
        }
        Reason::NoIndexOnHost => (
            format!("{subject} is a folder, and this host serves no index documents"),
            Some(
                "link to its index.html; or deploy the function that `sitegate host-config cloudfront` prints, and set \
                 `host = \"cloudfront\"`"
                    .to_owned(),
            ),
        ),
        Reason::TreatedAsFolder => (
            format!("{subject} has no `.` in its name, so this host redirects it to `{name}/`"),
            Some("give the file an extension, such as `.txt`".to_owned()),
        ),
        Reason::PlusAsSpace => (
            format!("`{}` has a `+`, which S3 reads as a space", shorten(text)),
            Some("write `%2B` instead; or rename the file".to_owned()),
        ),
        Reason::Page => (
            format!("{subject} does not exist, and the host answers with a page instead"),
            Some("browsers reject a page as a script, style sheet or image".to_owned()),
        ),
        Reason::Status(status) => (format!("the server answers {status} for `{}`", shorten(text)), None),
        Reason::RedirectLoop => (format!("`{}` redirects in a loop", shorten(text)), None),
        Reason::NotUtf8 => (format!("the percent-encoded bytes of `{}` are not UTF-8", shorten(text)), None),
        Reason::FileWithSlash => (
            format!(
                "`{}` is a file, and hosts answer 404 for `{}`",
                shorten(name.trim_end_matches('/')),
                shorten(text)
            ),
            Some("remove the last `/`".to_owned()),
        ),
        Reason::NoIndex => (format!("{subject} is a folder without index.html"), suggest()),
        Reason::NotInPart => (format!("{subject} is not in the inventory of its part"), None),
        Reason::BrokenRedirect => {
            (format!("`{}` redirects to a path that does not exist", shorten(text)), None)
        }
        Reason::NoFile => (format!("{subject} does not exist"), suggest()),
    }
}

/// Suggests the file that was most likely meant.
fn suggest_near(near: &Suggestion, site: &Site<'_>) -> String {
    let served = |path: &str| site.resolver.served_path(path);
    match near {
        Suggestion::Composition(path) => {
            format!("`{}` has the same characters in another Unicode form; hosts compare bytes", served(path))
        }
        Suggestion::Case(path) => {
            format!("did you mean `{}`? Hosts distinguish upper and lower case", served(path))
        }
        Suggestion::Html(path) => match site.settings.host {
            Some(host) => {
                format!("did you mean `{}`? The host `{}` {ADDS_NO_HTML}", served(path), host.name())
            }
            None => {
                format!("`{}` exists; if your host adds `.html`, {}", served(path), name_host(site.contract))
            }
        },
        Suggestion::Slashes(path) => match site.settings.host {
            Some(host) => {
                format!("did you mean `{}`? The host `{}` does not merge slashes", served(path), host.name())
            }
            None => format!(
                "did you mean `{}`? nginx, Apache and Caddy merge slashes: for these, {}",
                served(path),
                name_host(site.contract)
            ),
        },
        Suggestion::Moved(path) => format!("did you mean `{}`? No other file has this name", served(path)),
        Suggestion::Similar(path) | Suggestion::Misspelled(path) => {
            format!("did you mean `{}`?", served(path))
        }
    }
}

/// Returns how to name the host.
fn name_host(contract: &Contract) -> &'static str {
    if contract.file.is_some() { "set `[site] host`" } else { "name the host in a contract" }
}

/// Suggests the missing scheme of a mail address or of an external URL.
fn suggest_scheme(text: &str) -> Option<String> {
    let meant = schemes::add(text)?;
    let meant = shorten(&meant);
    Some(if meant.starts_with("mailto:") {
        format!("write a mail address as `{meant}`")
    } else {
        format!("did you mean `{meant}`?")
    })
}
