//! Follows redirects and rewrites from a path to the answer that ends them, as clients and hosts do, and to the address to
//! which links can point instead.

use sitegate_address::percent::decode_path;
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::host_name;
use sitegate_host::answer::{Files, HostAnswer};
use sitegate_host::redirects::{FirstAnswer, MAX_HOPS, Redirect};
use url::{ParseError, Url};

use super::{Base, PathBuffer, Reason, Resolver, Route, Target};
use crate::walk::FileId;

/// The redirects and rewrites from a path, in order, and the answer that ends them.
#[derive(Debug)]
pub(crate) struct RedirectWalk<'r> {
    /// The redirects and rewrites. If there are too many, the last one is that beyond the limit.
    pub hops: Vec<RedirectHop<'r>>,
    /// The path that gets the last answer: decoded, below the root of the export.
    pub path: PathBuffer,
    /// The last answer. [`Reason::RedirectLoop`] also means that there are too many redirects.
    pub end: Target,
}

/// A redirect or rewrite on the way.
#[derive(Debug)]
pub(crate) enum RedirectHop<'r> {
    /// The host redirects to a path that differs by a slash or an extension.
    Host {
        /// Whether the redirected path ends with a slash.
        with_slash: bool,
    },
    /// A redirect or a rewrite of the site.
    Line(LineHop<'r>),
}

/// A redirect or a rewrite of the site, which answers a path.
#[derive(Debug)]
pub(crate) struct LineHop<'r> {
    /// The path that it answers: decoded, below the root of the export.
    pub path: PathBuffer,
    /// The redirect or rewrite.
    pub line: &'r Redirect,
    /// Its destination for the path.
    pub to: String,
    /// The URL of its destination.
    pub url: Result<Url, ParseError>,
}

impl RedirectWalk<'_> {
    /// Returns the target of a reference to the path at which the walk begins.
    pub fn target(&self) -> Target {
        self.target_after(0)
    }

    /// Returns the target of a reference to the destination of the first `done` hops.
    pub fn target_after(&self, done: usize) -> Target {
        self.hops.iter().skip(done).rev().fold(self.end, |end, hop| hop.target(end))
    }
}

impl<'r> RedirectHop<'r> {
    /// Returns the redirect or rewrite of the site, if it is one.
    pub fn line(&self) -> Option<&LineHop<'r>> {
        match self {
            RedirectHop::Host { .. } => None,
            RedirectHop::Line(line) => Some(line),
        }
    }

    /// Whether another file answers at the same address.
    pub fn is_rewrite(&self) -> bool {
        self.line().is_some_and(|hop| !hop.line.is_http_redirect())
    }

    /// Returns the target of a reference that it redirects. `end` is the target of the destination.
    fn target(&self, end: Target) -> Target {
        match (self, end) {
            (RedirectHop::Host { with_slash }, _) => end.after_redirect(*with_slash),
            (RedirectHop::Line(hop), Target::File { file, .. }) if hop.line.is_http_redirect() => {
                Target::File { file, route: Route::Redirect }
            }
            (_, Target::Missing(Reason::RedirectLoop)) => end,
            (_, Target::Missing(_)) => Target::Missing(Reason::BrokenRedirect),
            _ => end,
        }
    }
}

impl Resolver<'_> {
    /// Follows the redirects and rewrites from a path: decoded, below the root. `earlier` is the number of those before
    /// it, `files` are those that the host finds.
    pub(crate) fn walk_redirects<F: Files<File = FileId>>(
        &self,
        path: PathBuffer,
        earlier: usize,
        files: &F,
    ) -> RedirectWalk<'_> {
        let too_long = Target::Missing(Reason::RedirectLoop);
        let mut walk = RedirectWalk { hops: Vec::new(), path, end: too_long };
        loop {
            let is_over = earlier + walk.hops.len() >= MAX_HOPS;
            let with_slash = walk.path.ends_with(b"/");
            let last = match self.redirects.answer(self.host, &mut walk.path, files) {
                FirstAnswer::Host(HostAnswer::File { file, route }) => Some(Target::File { file, route }),
                FirstAnswer::Host(HostAnswer::Nothing(reason)) => Some(Target::Missing(reason)),
                FirstAnswer::Host(HostAnswer::Redirect { .. }) => {
                    walk.hops.push(RedirectHop::Host { with_slash });
                    None
                }
                // The line only chooses the page of the error.
                FirstAnswer::Line { line, otherwise, .. } if line.status >= 400 => {
                    Some(Target::Missing(otherwise))
                }
                FirstAnswer::Line { line, to, otherwise } => {
                    let url = host_name::join(&self.site_url, &to);
                    let (next, outside) = match self.destination(&url) {
                        Ok(next) => (next, None),
                        Err(outside) => (Vec::new(), Some(outside)),
                    };
                    let answered = std::mem::replace(&mut walk.path, next);
                    walk.hops.push(RedirectHop::Line(LineHop { path: answered, line, to, url }));
                    // Beyond the limit, clients give up a redirect, and hosts ignore a rewrite.
                    match line.is_http_redirect() {
                        _ if !is_over => outside,
                        true => Some(too_long),
                        false => Some(Target::Missing(otherwise)),
                    }
                }
            };
            if let Some(last) = last {
                return RedirectWalk { end: last, ..walk };
            }
            if is_over {
                return walk;
            }
        }
    }

    /// Looks up a path, and follows the redirects and rewrites from it.
    pub(super) fn target_of(&self, path: &mut PathBuffer, earlier: usize) -> Target {
        if let Some(live) = self.live() {
            return live.target(path, self.tree);
        }
        let walk = self.walk_redirects(std::mem::take(path), earlier, self.tree);
        let target = walk.target();
        *path = walk.path;
        target
    }

    /// Resolves the destination of a redirect.
    pub(crate) fn resolve_redirect(&self, to: &str) -> Target {
        match self.destination(&host_name::join(&self.site_url, to)) {
            Ok(mut path) => self.target_of(&mut path, 1),
            Err(end) => end,
        }
    }

    /// Returns the last redirect or rewrite on the way from a path (decoded, below the root), and its destination for
    /// this path.
    pub(crate) fn last_redirect(&self, path: PathBuffer) -> Option<(&Redirect, String)> {
        let hops = self.walk_redirects(path, 0, self.tree).hops;
        hops.into_iter().rev().find_map(|hop| match hop {
            RedirectHop::Line(hop) => Some((hop.line, hop.to)),
            RedirectHop::Host { .. } => None,
        })
    }

    /// Returns the decoded path of a redirect's destination, below the root of the export.
    ///
    /// # Errors
    /// The target that ends the redirects, on another site or if it is no URL.
    fn destination(&self, url: &Result<Url, ParseError>) -> Result<PathBuffer, Target> {
        let url = url.as_ref().map_err(|error| Target::Invalid(*error))?;
        if !self.is_own(url) {
            return Err(Target::External);
        }
        let mut path = Vec::new();
        decode_path(url.path(), &mut path);
        if path.starts_with(&self.base_path) {
            path.drain(..self.base_path.len());
        }
        Ok(path)
    }
}

/// The address at which the redirects of another one end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalAddress {
    /// Its decoded path from the root of the origin; for another site, the URL.
    pub path: String,
    /// The query of the redirects, with its `?`; empty if they have none.
    pub query: String,
    /// The fragment of the redirects, with its `#`; empty if they have none.
    pub fragment: String,
    /// Whether all redirects are permanent (301 or 308).
    pub is_permanent: bool,
    /// Number of redirects, also by the host itself.
    pub hops: usize,
    /// Whether a rewrite answers the address with another file.
    pub is_rewritten: bool,
    /// The answer to it.
    pub target: Target,
}

impl FinalAddress {
    /// Returns the query and the fragment of the final address of a reference. Hosts keep the query of a request, and
    /// browsers its fragment, if the destination has none.
    pub fn end_of(&self, reference: &str) -> String {
        let reference = UrlReference::new(reference);
        let with_mark = |mark, own: Option<&str>| own.map_or_else(String::new, |own| format!("{mark}{own}"));
        let end = |of_redirects: &str, mark, own| match of_redirects {
            "" => with_mark(mark, own),
            stated => stated.to_owned(),
        };
        end(&self.query, '?', reference.query()) + &end(&self.fragment, '#', reference.fragment())
    }
}

impl Resolver<'_> {
    /// Follows the HTTP redirects from a reference. A rewrite serves another file at the same address, so it ends them.
    /// Returns `None` for a reference to another site. The redirects of a live site are not known one by one: only its
    /// final file is.
    pub(crate) fn final_address(&self, base: &Base, reference: &str) -> Option<FinalAddress> {
        let path = self.local_path(base, reference)?;
        let (query, fragment) = (String::new(), String::new());
        if let Some(live) = self.live() {
            let (target, hops) = (live.target(&path, self.tree), live.hops(&path));
            let path = match target {
                Target::File { file, .. } => self.served_path(&self.tree.display(file)),
                _ => self.shown(&path),
            };
            let (is_permanent, is_rewritten) = (false, false);
            return Some(FinalAddress { path, query, fragment, is_permanent, hops, is_rewritten, target });
        }
        let walk = self.walk_redirects(path, 0, self.tree);
        let rewrite = walk.hops.iter().position(RedirectHop::is_rewrite);
        let hops = rewrite.unwrap_or(walk.hops.len());
        let redirects = || walk.hops.iter().take(hops).filter_map(RedirectHop::line);
        let rewritten = rewrite.and_then(|at| walk.hops[at].line()).map_or(&walk.path, |hop| &hop.path);
        let mut end = FinalAddress {
            path: self.shown(rewritten),
            query,
            fragment,
            is_permanent: redirects().all(|hop| hop.line.is_permanent()),
            hops,
            is_rewritten: rewrite.is_some(),
            target: walk.target_after(rewrite.map_or(hops, |at| at + 1)),
        };
        for hop in redirects() {
            match &hop.url {
                Ok(url) if self.is_own(url) => {
                    end.query = url.query().map_or(end.query, |own| format!("?{own}"));
                    end.fragment = url.fragment().map_or(end.fragment, |own| format!("#{own}"));
                }
                Ok(url) => url.as_str().clone_into(&mut end.path),
                Err(_) => hop.to.clone_into(&mut end.path),
            }
        }
        Some(end)
    }

    /// Whether the redirects of a reference end at a fragment of their own.
    pub(crate) fn has_own_fragment(&self, base: &Base, reference: &str) -> bool {
        self.final_address(base, reference).is_some_and(|end| !end.fragment.is_empty())
    }

    /// Returns the path to link to instead of a final address: without the name of an index document, if the host serves
    /// the same file then.
    pub(crate) fn canonical_path(&self, end: &FinalAddress) -> String {
        match end.target {
            Target::File { file, .. } if !end.is_rewritten && SitePath::new(end.path.as_str()).is_index() => {
                self.served_path(&self.tree.display(file))
            }
            _ => end.path.clone(),
        }
    }

    pub(super) fn shown(&self, path: &[u8]) -> String {
        format!("/{}{}", String::from_utf8_lossy(&self.base_path), String::from_utf8_lossy(path))
    }
}
