//! Generates host configurations from a contract.

mod apache;
mod aws;
mod caddy;
mod config_file;
mod json_hosts;
mod nginx;
mod patterns;
mod wildcard_hosts;

pub use apache::apache;
pub use aws::{cloudfront, s3_website};
pub use caddy::caddy;
pub use config_file::{ConfigFile, resolve_auto};
pub use json_hosts::{firebase, vercel};
pub use nginx::nginx;
pub use wildcard_hosts::{cloudflare_pages, netlify};
