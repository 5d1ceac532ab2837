//! What rules need to be known beyond what is always kept.

use crate::contract::pattern::Paths;
use crate::parse::Wanted;

/// What rules need to be known beyond what is always kept.
#[derive(Debug, Default)]
pub struct Needs {
    /// Of the bytes of files.
    pub wanted: Wanted,
    /// The hosts outside the site.
    pub hosts: bool,
    /// The files that are not what their names say.
    pub damage: bool,
    /// The text fragments that are not answered.
    pub quotes: bool,
    /// What files weigh.
    pub weighed: Option<Weighed>,
}

/// The files that are weighed.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// Files by themselves.
    pub files: Paths,
    /// Pages, with all that they load.
    pub pages: Paths,
    /// Those of the files that are weighed by gzip too.
    pub gzip_files: Paths,
    /// Those of the pages that are weighed by gzip too.
    pub gzip_pages: Paths,
}
