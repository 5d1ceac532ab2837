//! Models static hosts: the answer to a path, redirects, headers, media types, compression, and limits.
//!
//! [`Host`] lists the hosts, [`HOSTS`] has one row for each. A [`answer::HostProfile`] answers a path by the files that
//! exist; [`redirects::Redirects`] are what the host's files and the site's owner add to it.
//!
//! ```
//! use sitegate_host::answer::{Files, HostAnswer, HostProfile, Route};
//! use sitegate_host::{Host, TrailingSlash};
//!
//! struct OnePage;
//!
//! impl Files for OnePage {
//!     type File = ();
//!
//!     fn find(&self, path: &[u8]) -> Option<()> {
//!         (path == b"about.html").then_some(())
//!     }
//!
//!     fn is_folder(&self, path: &[u8]) -> bool {
//!         path.is_empty()
//!     }
//! }
//!
//! let netlify = HostProfile::new(Some(Host::Netlify), TrailingSlash::default(), None);
//! let found = netlify.answer(&mut b"about".to_vec(), &OnePage);
//! assert_eq!(found, HostAnswer::File { file: (), route: Route::Html });
//! ```

pub mod answer;
pub mod compression;
pub mod header_values;
pub mod headers;
pub mod headers_file;
mod hosts;
pub mod media;
pub mod redirect_page;
pub mod redirects;
pub mod upload;

pub use hosts::{
    ConfigFileFacts, HEADERS_FILE, HOSTS, Host, HostFacts, REDIRECTS_FILE, RedirectLimits, TrailingSlash,
    redirect_limits,
};
