//! The redirects file, `_redirects`: `FROM TO [STATUS]` a line, as Netlify and Cloudflare Pages read it.

use std::fs;
use std::ops::Range;
use std::path::Path;

use super::answer::{Files, HostAnswer, HostProfile, Reason};
use super::redirect_index::{RedirectIndex, segments};
use crate::contract::host::Host;
use crate::contract::redirect::MovedAddress;

/// Its name, at the root of the export.
pub const FILE_NAME: &str = "_redirects";

/// Redirects that are followed before they count as a loop.
pub const MAX_HOPS: usize = 10;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The path that is asked for; `*` at its end stands for any rest, `:name` for one segment.
    pub from: String,
    /// Where it leads: a path, or a URL. `:splat` and `:name` stand for what was matched.
    pub to: String,
    /// The status that answers; 200 serves the destination under the asked path.
    pub status: u16,
    /// Whether it applies even where a file has that path (`301!`).
    pub force: bool,
    /// Where [`Redirect::to`] stands.
    pub span: Range<u32>,
    /// Whether that is the contract, and not the redirects file.
    pub in_contract: bool,
    /// Whether the status is written.
    names_status: bool,
    /// Whether it is only for some queries.
    asks_query: bool,
}

impl Redirect {
    /// Whether the destination depends on what was matched.
    pub fn is_pattern(&self) -> bool {
        self.from.contains('*') || self.from.contains("/:")
    }

    /// Whether it sends the browser on, and does not serve the destination itself.
    pub fn sends_on(&self) -> bool {
        (300..400).contains(&self.status)
    }

    /// Where a path (decoded, with a leading `/`) that this line applies to is sent; `None` where that is longer than any address.
    fn fill(&self, path: &str) -> Option<String> {
        if self.to.len() > LONGEST {
            return None;
        }
        let mut filled = self.to.clone();
        let mut rest = segments(path);
        for pattern in segments(&self.from) {
            if pattern == "*" {
                let rest: Vec<&str> = rest.collect();
                return replace(&filled, ":splat", &rest.join("/"));
            }
            let segment = rest.next()?;
            if pattern.starts_with(':') {
                filled = replace(&filled, pattern, segment)?;
            }
        }
        Some(filled)
    }
}

/// Bytes of an address that a redirect makes, at the most: no file system has longer paths, and each redirect may make it longer.
const LONGEST: usize = 4096;

/// A text with another in the place of a placeholder, unless it is longer than any address then.
fn replace(text: &str, placeholder: &str, with: &str) -> Option<String> {
    let times = text.matches(placeholder).count();
    let length = text.len() - times * placeholder.len() + times.saturating_mul(with.len());
    (length <= LONGEST).then(|| text.replace(placeholder, with))
}

/// What answers a path first.
#[derive(Debug)]
pub enum FirstAnswer<'r, F> {
    /// The host itself.
    Host(HostAnswer<F>),
    /// A line of the redirects.
    Line {
        /// Which.
        line: &'r Redirect,
        /// Where it leads, with what was matched filled in.
        to: String,
        /// Why the host itself has nothing.
        otherwise: Reason,
    },
}

/// The redirects file of an export cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{FILE_NAME}: {0}")]
pub struct RedirectsError(#[source] std::io::Error);

/// The redirects of a site, in the order they are tried.
#[derive(Clone, Debug, Default)]
pub struct Redirects {
    /// The lines.
    pub all: Vec<Redirect>,
    /// Lines that are not redirects, and why.
    pub malformed: Vec<(Range<u32>, &'static str)>,
    index: RedirectIndex,
}

impl Redirects {
    /// Reads the redirects of a site: the redirects file of its export, where there is one and the host obeys it,
    /// then those of the contract.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(
        file: Option<&Path>,
        host: Option<Host>,
        moved: &[MovedAddress],
    ) -> Result<Redirects, RedirectsError> {
        let mut redirects = match file.filter(|_| host.is_none_or(reads_the_file)) {
            None => Redirects::default(),
            Some(file) => {
                fs::read(file).map(|bytes| Redirects::of_bytes(bytes, host)).map_err(RedirectsError)?
            }
        };
        redirects.extend(moved);
        Ok(redirects)
    }

    /// The redirects of a contract alone.
    pub fn of_contract(moved: &[MovedAddress]) -> Redirects {
        let mut redirects = Redirects::default();
        redirects.extend(moved);
        redirects
    }

    /// Parses a redirects file of any bytes: a line that is not UTF-8 is no redirect.
    fn of_bytes(mut bytes: Vec<u8>, host: Option<Host>) -> Redirects {
        let mut garbled = Vec::new();
        let mut start = 0;
        for line in bytes.split_mut(|byte| *byte == b'\n') {
            let end = start + line.len();
            if std::str::from_utf8(line).is_err() {
                garbled.push((start as u32..end as u32, "it is not UTF-8"));
                line.fill(b' ');
            }
            start = end + 1;
        }
        let mut redirects = Redirects::parse(&String::from_utf8_lossy(&bytes), host);
        redirects.malformed.extend(garbled);
        redirects
    }

    /// What a site answers to a path (see [`HostProfile::answer`]): lines that are forced come before the files, all
    /// others only where the host finds nothing.
    pub fn answer<E: Files>(
        &self,
        host: HostProfile,
        path: &mut Vec<u8>,
        files: &E,
    ) -> FirstAnswer<'_, E::File> {
        if self.all.is_empty() {
            return FirstAnswer::Host(host.answer(path, files));
        }
        let line = self.first(&format!("/{}", String::from_utf8_lossy(path)));
        let found = match &line {
            Some((line, _)) if line.force => HostAnswer::Nothing(Reason::NoFile),
            _ => host.answer(path, files),
        };
        match (found, line) {
            (HostAnswer::Nothing(otherwise), Some((line, Some(to)))) => {
                FirstAnswer::Line { line, to, otherwise }
            }
            (found, _) => FirstAnswer::Host(found),
        }
    }

    /// Parses a redirects file as a host does.
    ///
    /// On Cloudflare Pages lines come before files, and say 302 where they name no status ("Redirects" in its
    /// documentation). GitLab Pages obeys no line that is forced or asks for a query ("GitLab Pages redirects").
    pub fn parse(source: &str, host: Option<Host>) -> Redirects {
        let mut redirects = Redirects::default();
        let mut start = 0;
        for line in source.split('\n') {
            redirects.line(line.split('#').next().unwrap_or("").trim_end(), start);
            start += line.len() + 1;
        }
        match host {
            Some(Host::CloudflarePages) => {
                for redirect in &mut redirects.all {
                    redirect.force = redirect.status != 200;
                    if !redirect.names_status {
                        redirect.status = 302;
                    }
                }
            }
            Some(Host::GitlabPages) => {
                redirects.all.retain(|redirect| !redirect.force && !redirect.asks_query);
            }
            _ => {}
        }
        redirects.make_ready();
        redirects
    }

    /// Makes the lines ready to be found.
    fn make_ready(&mut self) {
        let (index, taken) = RedirectIndex::new(self.all.iter().map(|redirect| redirect.from.as_str()));
        self.index = index;
        for skipped in self.all.drain(taken..).filter(|redirect| !redirect.in_contract) {
            let why = "too many lines with placeholders apply to the same paths, and it was not looked at";
            self.malformed.push((skipped.span, why));
        }
    }

    fn line(&mut self, line: &str, start: usize) {
        let place = |word: &str| {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            at as u32..(at + word.len()) as u32
        };
        let mut words = line.split_ascii_whitespace();
        let Some(from) = words.next() else { return };
        // `key=value` words between the two match the query: the path is what counts here.
        let mut before = 0;
        let Some(to) = words.by_ref().inspect(|_| before += 1).find(|word| is_destination(word)) else {
            self.malformed.push((place(from), "it has no destination"));
            return;
        };
        if !from.starts_with('/') && !from.contains("://") {
            self.malformed.push((place(from), "its source must begin with `/`"));
            return;
        }
        let named = words.next();
        let status = named.unwrap_or("301");
        let (number, force) = status.strip_suffix('!').map_or((status, false), |number| (number, true));
        let Ok(status) = number.parse() else {
            // A condition such as `Country=de`.
            return;
        };
        let redirect = Redirect {
            from: from.to_owned(),
            to: to.to_owned(),
            status,
            force,
            span: place(to),
            in_contract: false,
            names_status: named.is_some(),
            asks_query: before > 1,
        };
        self.all.push(redirect);
    }

    /// Adds the `[[redirects]]` of a contract. They are for good, and come before files, as the edge asks them first.
    pub fn extend(&mut self, contract: &[MovedAddress]) {
        self.all.extend(contract.iter().map(|redirect| Redirect {
            from: redirect.from.clone(),
            to: redirect.to.clone(),
            status: 301,
            force: true,
            span: redirect.span.start as u32..redirect.span.end as u32,
            in_contract: true,
            names_status: true,
            asks_query: false,
        }));
        self.make_ready();
    }

    /// The first line that applies to a path (decoded, with a leading `/`), and where it leads, if it leads to an address at all.
    pub fn find(&self, path: &str) -> Option<(&Redirect, String)> {
        let (redirect, to) = self.first(path)?;
        Some((redirect, to?))
    }

    fn first(&self, path: &str) -> Option<(&Redirect, Option<String>)> {
        let redirect = self.all.get(self.index.first(path)? as usize)?;
        Some((redirect, redirect.fill(path)))
    }
}

/// Whether a host obeys the redirects file of an export.
fn reads_the_file(host: Host) -> bool {
    matches!(host, Host::Netlify | Host::CloudflarePages | Host::GitlabPages)
}

fn is_destination(word: &str) -> bool {
    word.starts_with('/') || word.contains("://")
}

#[cfg(test)]
mod tests {
    use super::{Host, Redirects};

    #[test]
    fn splats_and_placeholders() {
        let file = "# old\n/a /b\n/old/* /new/:splat 302\n/u/:id/x /users/:id 200!\n/q id=:id /p 301\n";
        let redirects = Redirects::parse(file, None);
        let to =
            |path: &str| redirects.find(path).map(|(redirect, to)| (to, redirect.status, redirect.force));
        assert_eq!(to("/a"), Some(("/b".to_owned(), 301, false)));
        assert_eq!(to("/a/"), Some(("/b".to_owned(), 301, false)));
        assert_eq!(to("/old/x/y"), Some(("/new/x/y".to_owned(), 302, false)));
        assert_eq!(to("/u/7/x"), Some(("/users/7".to_owned(), 200, true)));
        assert_eq!(to("/q"), Some(("/p".to_owned(), 301, false)));
        assert_eq!(to("/u/7"), None);
        assert_eq!(to("/a/c"), None);
    }

    #[test]
    fn hosts_read_the_file_in_their_own_ways() {
        let file = "/a /b\n/c /d 301!\n/q id=:id /p 302\n/e /f 200\n";
        let read = |host| {
            let lines = Redirects::parse(file, Some(host)).all;
            lines.iter().map(|line| (line.from.clone(), line.status, line.force)).collect::<Vec<_>>()
        };
        let line = |from: &str, status, force| (from.to_owned(), status, force);
        assert_eq!(
            read(Host::CloudflarePages),
            [line("/a", 302, true), line("/c", 301, true), line("/q", 302, true), line("/e", 200, false)]
        );
        assert_eq!(read(Host::GitlabPages), [line("/a", 301, false), line("/e", 200, false)]);
    }

    #[test]
    fn places_and_malformed_lines() {
        let file = "/a   /b  301\nc /d\n/e\n";
        let redirects = Redirects::parse(file, None);
        let span = &redirects.all[0].span;
        assert_eq!(&file[span.start as usize..span.end as usize], "/b");
        assert_eq!(redirects.malformed.len(), 2);
    }

    /// Where the first line of all sends a path, by trying one after the other.
    fn tried(redirects: &Redirects, path: &str) -> Option<(String, String)> {
        let applies = |from: &str| {
            let mut rest = super::segments(path);
            for pattern in super::segments(from) {
                let segment = match pattern {
                    "*" => return true,
                    _ => rest.next(),
                };
                if segment.is_none_or(|segment| !pattern.starts_with(':') && pattern != segment) {
                    return false;
                }
            }
            rest.next().is_none()
        };
        let line = redirects.all.iter().find(|line| applies(&line.from))?;
        Some((line.from.clone(), line.fill(path)?))
    }

    proptest::proptest! {
        #[test]
        fn the_first_line_that_applies_is_found(
            lines in proptest::collection::vec("(/(a|b|:x|:y|\\*)){1,3}/?", 0..12),
            path in "(/(a|b|c)){0,4}/?",
        ) {
            let file: String = lines.iter().map(|from| format!("{from} /to/:splat/:x/:y\n")).collect();
            let redirects = Redirects::parse(&file, None);
            let found = redirects.find(&path).map(|(line, to)| (line.from.clone(), to));
            proptest::prop_assert_eq!(found, tried(&redirects, &path));
        }
    }

    #[test]
    fn no_address_grows_without_end() {
        let redirects = Redirects::parse("/* /:splat/:splat/:splat/:splat\n", None);
        assert_eq!(redirects.find("/a").map(|(_, to)| to).as_deref(), Some("/a/a/a/a"));
        assert_eq!(redirects.find(&format!("/{}", "a".repeat(2000))), None);
    }

    #[test]
    fn lines_that_all_apply_to_one_path_are_not_all_looked_at() {
        let lines = (0..1 << 12).map(|bits: u32| {
            let segment = |at: u32| if bits >> at & 1 == 0 { "/a" } else { "/:a" };
            (0..12).map(segment).collect::<String>() + " /b\n"
        });
        let redirects = Redirects::parse(&lines.collect::<String>(), None);
        assert!(redirects.all.len() > 100 && redirects.malformed.len() > 1000);
    }
}
