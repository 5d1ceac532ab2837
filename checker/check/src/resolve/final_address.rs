//! Defines the address at which redirects end.

use sitegate_address::UrlReference;

use super::target::Target;

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
