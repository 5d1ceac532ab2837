//! Finds the address at which redirects end for clients, to which links can point instead.

use sitegate_address::{SitePath, UrlReference};

use super::redirect_walk::RedirectHop;
use super::{Base, Resolver, Target};

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
