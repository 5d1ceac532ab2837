//! `ineffective-robots`: lines of robots.txt and words of `<meta name="robots">` that crawlers ignore, or a robots.txt that
//! they never read.

use sitegate_address::robots::IgnoredReason;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::site::ROBOTS_FILE;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ineffective-robots",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "crawlers ignore a line of robots.txt, the whole file, or a word of a robots tag",
    why: "Pages that are meant to be hidden appear in search results. Crawlers ignore rules before the first \
          `User-agent`, and values that are no path: those that begin with neither `/` nor `*` (RFC 9309, 2.2). Google \
          has ignored `Noindex` and `Nofollow` since 2019. They request robots.txt at the root of a host only: below a \
          base path, such as that of a project site on GitHub Pages, nothing reads its rules. In a robots tag they \
          ignore words that they do not know, such as `no-index`.",
    bad: r"robots.txt:
  User-agent: *
  Noindex: /drafts/",
    good: r"robots.txt:
  User-agent: *
  Disallow: /drafts/",
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

const HIDE_HELP: &str =
    "use <meta name=\"robots\" content=\"noindex\"> in the pages, or the header `X-Robots-Tag`";

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let base = &view.site.settings.base_path;
    for note in &view.facts.metadata.notes {
        let (message, help) = match &note.kind {
            NoteKind::DisallowedPath if base != "/" => (
                format!(
                    "crawlers do not read this {ROBOTS_FILE}: they request it at the root of the host, not in `{base}`"
                ),
                "add its rules to that of the host, or use <meta name=\"robots\"> in the pages",
            ),
            NoteKind::MisspelledRobots(word, meant) => (
                format!("crawlers ignore `{}` in this robots tag", shorten(word)),
                match *meant {
                    "noindex" => "write `noindex`",
                    "nofollow" => "write `nofollow`",
                    _ => "write it in one word, without a hyphen",
                },
            ),
            NoteKind::IgnoredRobots(reason) if base == "/" => match reason {
                IgnoredReason::Unsupported => {
                    ("crawlers ignore `Noindex` and `Nofollow` in robots.txt".to_owned(), HIDE_HELP)
                }
                IgnoredReason::NoAgent => (
                    "crawlers ignore this rule: it is before the first `User-agent`".to_owned(),
                    "add `User-agent: *` before it",
                ),
                IgnoredReason::NotAPath => (
                    "crawlers ignore this rule: its value is no path".to_owned(),
                    "begin it with `/`, without the host",
                ),
            },
            _ => continue,
        };
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::Message).help(help));
    }
}
