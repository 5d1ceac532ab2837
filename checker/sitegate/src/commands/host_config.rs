//! `sitegate host-config`: prints the host configuration that the contract needs.

use sitegate_check::has_auto_hashes;
use std::path::PathBuf;

use clap::ValueEnum;
use sitegate_host::{Host, HostFacts};
use sitegate_server::host_config::{self, ConfigFile};

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Host to configure
    ///
    /// One of: nginx, apache, caddy, netlify, cloudflare-pages, vercel, firebase, cloudfront, s3-website.
    #[arg(value_enum, hide_possible_values = true)]
    host: ConfiguredHost,
    #[command(flatten)]
    export: ExportArgs,
    /// Folder, for nginx and Caddy
    #[arg(long, value_name = "PATH", default_value = "/srv/site")]
    root: PathBuf,
    /// Bucket that serves the site
    #[arg(long, value_name = "NAME", default_value = "BUCKET")]
    bucket: String,
    /// Prefix of the site in the bucket
    #[arg(long, value_name = "PREFIX", default_value = "")]
    prefix: String,
    /// Do not let anyone list the bucket (s3-website)
    ///
    /// Without the permission to list, unknown paths answer 403 instead of 404, with the same page.
    #[arg(long)]
    no_listing: bool,
    /// Print only this file, for hosts that read two
    #[arg(long, value_name = "NAME")]
    file: Option<String>,
}

/// The note about the permission of `s3-website` that is easily overlooked.
const LISTING: &str = "this policy lets anyone list all keys of the bucket, also of files that no page links to, such \
                       as drafts. S3 needs this to answer 404 for unknown paths; with --no-listing, they answer 403";

/// A host that `host-config` can configure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConfiguredHost {
    /// Function, response headers policies, error responses and bucket policy, as JSON
    Cloudfront,
    /// Website configuration and policy of a bucket, as JSON
    S3Website,
    /// Server block for the folder of the export
    Nginx,
    /// Directives for `.htaccess` or a virtual host
    Apache,
    /// Caddyfile for the folder of the export
    Caddy,
    /// `_headers` and `_redirects`
    Netlify,
    /// `_headers` and `_redirects`
    CloudflarePages,
    /// `vercel.json`
    Vercel,
    /// `firebase.json`
    Firebase,
}

impl ConfiguredHost {
    /// Returns the facts of the host.
    fn facts(self) -> &'static HostFacts {
        let host = match self {
            ConfiguredHost::Cloudfront => Host::Cloudfront,
            ConfiguredHost::S3Website => Host::S3Website,
            ConfiguredHost::Nginx => Host::Nginx,
            ConfiguredHost::Apache => Host::Apache,
            ConfiguredHost::Caddy => Host::Caddy,
            ConfiguredHost::Netlify => Host::Netlify,
            ConfiguredHost::CloudflarePages => Host::CloudflarePages,
            ConfiguredHost::Vercel => Host::Vercel,
            ConfiguredHost::Firebase => Host::Firebase,
        };
        host.facts()
    }
}

pub fn run(args: &Args) -> Outcome {
    let mut contract = args.export.contract.load()?;
    // Only the hashes of inline code need the export.
    let facts = args.host.facts();
    if has_auto_hashes(&contract) && facts.max_policy.is_some() {
        let (_, root) = args.export.load()?;
        host_config::resolve_auto(&mut contract, &root, facts.host).map_err(Error::Server)?;
    }
    if !facts.answers_410 && contract.permalinks.patterns_of_410().next().is_some() {
        terminal::print_note("this host has no setting for status 410, so addresses of `gone` get 404");
    }
    if args.no_listing && args.host != ConfiguredHost::S3Website {
        return Err(Error::usage("--no-listing: only s3-website has a policy with this permission"));
    }
    if args.host == ConfiguredHost::S3Website && !args.no_listing {
        terminal::print_note(LISTING);
    }
    let one = |name, text| vec![ConfigFile { name, text }];
    let mut files = match args.host {
        ConfiguredHost::Cloudfront => {
            one("cloudfront.json", host_config::cloudfront(&contract, &args.bucket, &args.prefix)?)
        }
        ConfiguredHost::S3Website => one(
            "website.json",
            host_config::s3_website(&contract, &args.bucket, &args.prefix, !args.no_listing)?,
        ),
        ConfiguredHost::Nginx => one("nginx.conf", host_config::nginx(&contract, &args.root)?),
        ConfiguredHost::Apache => one(".htaccess", host_config::apache(&contract)?),
        ConfiguredHost::Caddy => one("Caddyfile", host_config::caddy(&contract, &args.root)?),
        ConfiguredHost::Netlify => host_config::netlify(&contract)?,
        ConfiguredHost::CloudflarePages => host_config::cloudflare_pages(&contract)?,
        ConfiguredHost::Vercel => host_config::vercel(&contract)?,
        ConfiguredHost::Firebase => host_config::firebase(&contract)?,
    };
    if let Some(wanted) = &args.file {
        let names: Vec<&str> = files.iter().map(|file| file.name).collect();
        let Some(at) = names.iter().position(|name| name == wanted) else {
            return Err(Error::usage(format!("--file: write {}", names.join(" or "))));
        };
        files = vec![files.swap_remove(at)];
    }
    let has_names = files.len() > 1;
    for ConfigFile { name, text } in &files {
        let heading = if has_names { format!("# {name}\n") } else { String::new() };
        terminal::print(|out| write!(out, "{heading}{text}"))?;
    }
    Ok(0)
}
