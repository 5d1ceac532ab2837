//! Follows redirects and rewrites from a path to the answer that ends them, as clients and hosts do.

use sitegate_base::host_name;
use sitegate_host::answer::{Files, HostAnswer};
use sitegate_host::redirects::{FirstAnswer, MAX_HOPS, Redirect};
use url::{ParseError, Url};

use super::{PathBuffer, Reason, Resolver, Route, Target};
use crate::walk::FileId;
use sitegate_address::percent::decode_path;

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
