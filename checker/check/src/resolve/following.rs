//! Follows redirects to the address at which they end, as clients do: a rewrite, with status 200, serves another file at
//! the same address.

use sitegate_base::host_name;
use url::Url;

use super::{Base, FinalAddress, PathBuffer, Reason, Resolver, Route, Target};
use sitegate_address::SitePath;
use sitegate_address::percent::decode_path;
use sitegate_host::answer::HostAnswer;
use sitegate_host::redirects::{FirstAnswer, MAX_HOPS, Redirect};

impl Resolver<'_> {
    /// Follows the HTTP redirects from a reference. Returns `None` for a reference to another site. The redirects of a
    /// live site are not known one by one: only its final file is.
    pub(crate) fn final_address(&self, base: &Base, reference: &str) -> Option<FinalAddress> {
        let mut path = self.local_path(base, reference)?;
        let mut end = FinalAddress {
            path: String::new(),
            query: String::new(),
            fragment: String::new(),
            is_permanent: true,
            hops: 0,
            is_rewritten: false,
            target: Target::Missing(Reason::RedirectLoop),
        };
        if let Some(live) = self.live() {
            end.target = live.target(&path, self.tree);
            end.hops = live.hops(&path);
            end.is_permanent = false;
            if let Target::File { file, .. } = end.target {
                return Some(FinalAddress { path: self.served_path(&self.tree.display(file)), ..end });
            }
            return Some(FinalAddress { path: self.shown(&path), ..end });
        }
        while end.hops <= MAX_HOPS {
            match self.redirects.answer(self.host, &mut path, self.tree) {
                FirstAnswer::Host(HostAnswer::Redirect { .. }) => end.hops += 1,
                FirstAnswer::Line { line, to, .. } if line.is_http_redirect() => {
                    end.hops += 1;
                    end.is_permanent &= line.is_permanent();
                    match self.next_path(&to, &mut end) {
                        Some(next) => path = next,
                        None => return Some(end),
                    }
                }
                FirstAnswer::Line { line, to, otherwise } => {
                    end.is_rewritten = line.status < 400;
                    end.target = match self.resolve_redirect(&to, end.hops + 1) {
                        target if end.is_rewritten => target,
                        _ => Target::Missing(otherwise),
                    };
                    break;
                }
                FirstAnswer::Host(HostAnswer::File { file, route }) => {
                    end.target = Target::File { file, route };
                    break;
                }
                FirstAnswer::Host(HostAnswer::Nothing(reason)) => {
                    end.target = Target::Missing(reason);
                    break;
                }
            }
        }
        Some(FinalAddress { path: self.shown(&path), ..end })
    }

    /// Returns the path of a redirect's destination below the root; `None` for another site or no URL, which ends the
    /// redirects.
    fn next_path(&self, to: &str, end: &mut FinalAddress) -> Option<Vec<u8>> {
        let url = match host_name::join(&self.site_url, to) {
            Ok(url) => url,
            Err(error) => {
                (end.path, end.target) = (to.to_owned(), Target::Invalid(error));
                return None;
            }
        };
        if !self.is_own(&url) {
            (end.path, end.target) = (url.into(), Target::External);
            return None;
        }
        if let Some(own) = url.query() {
            end.query = format!("?{own}");
        }
        if let Some(own) = url.fragment() {
            end.fragment = format!("#{own}");
        }
        Some(self.path_below_root(&url))
    }

    /// Returns the decoded path of an own URL below the root of the export.
    fn path_below_root(&self, url: &Url) -> PathBuffer {
        let mut path = Vec::new();
        decode_path(url.path(), &mut path);
        if path.starts_with(&self.base_path) {
            path.drain(..self.base_path.len());
        }
        path
    }

    fn shown(&self, path: &[u8]) -> String {
        format!("/{}{}", String::from_utf8_lossy(&self.base_path), String::from_utf8_lossy(path))
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

    /// Returns the last redirect or rewrite on the way from a path (decoded, below the root), and its destination for
    /// this path.
    pub(crate) fn last_redirect(&self, mut path: Vec<u8>) -> Option<(&Redirect, String)> {
        let mut last = None;
        for _ in 0..=MAX_HOPS {
            match self.redirects.answer(self.host, &mut path, self.tree) {
                FirstAnswer::Host(HostAnswer::Redirect { .. }) => {}
                FirstAnswer::Line { line, to, .. } if line.status < 400 => {
                    let url = host_name::join(&self.site_url, &to).ok().filter(|url| self.is_own(url));
                    last = Some((line, to));
                    let Some(url) = url else { break };
                    path = self.path_below_root(&url);
                }
                FirstAnswer::Host(_) | FirstAnswer::Line { .. } => break,
            }
        }
        last
    }

    /// Looks up a path, and follows redirects of the host and of the redirects file.
    pub(super) fn follow(&self, path: &mut Vec<u8>, hops: usize) -> Target {
        if let Some(live) = self.live() {
            return live.target(path, self.tree);
        }
        let with_slash = path.ends_with(b"/");
        match self.redirects.answer(self.host, path, self.tree) {
            FirstAnswer::Host(HostAnswer::File { file, route }) => Target::File { file, route },
            FirstAnswer::Host(HostAnswer::Nothing(reason)) => Target::Missing(reason),
            FirstAnswer::Host(HostAnswer::Redirect { .. }) if hops < MAX_HOPS => {
                self.follow(path, hops + 1).after_redirect(with_slash)
            }
            FirstAnswer::Host(HostAnswer::Redirect { .. }) => Target::Missing(Reason::RedirectLoop),
            // The line only chooses the page of the error.
            FirstAnswer::Line { line, otherwise, .. } if line.status >= 400 => Target::Missing(otherwise),
            FirstAnswer::Line { line, to, .. } if hops < MAX_HOPS => {
                match self.resolve_redirect(&to, hops + 1) {
                    Target::File { file, .. } if line.is_http_redirect() => {
                        Target::File { file, route: Route::Redirect }
                    }
                    Target::Missing(Reason::RedirectLoop) => Target::Missing(Reason::RedirectLoop),
                    Target::Missing(_) => Target::Missing(Reason::BrokenRedirect),
                    target => target,
                }
            }
            FirstAnswer::Line { line, .. } if line.is_http_redirect() => {
                Target::Missing(Reason::RedirectLoop)
            }
            FirstAnswer::Line { otherwise, .. } => Target::Missing(otherwise),
        }
    }

    /// Resolves the destination of a redirect.
    pub(crate) fn resolve_redirect(&self, to: &str, hops: usize) -> Target {
        let url = match host_name::join(&self.site_url, to) {
            Ok(url) => url,
            Err(error) => return Target::Invalid(error),
        };
        if !self.is_own(&url) {
            return Target::External;
        }
        self.follow(&mut self.path_below_root(&url), hops)
    }
}
