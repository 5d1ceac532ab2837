//! `sitegate edge`: prints the host configuration that the contract needs.

use sitegate_check::has_auto_hashes;
use std::path::PathBuf;

use clap::ValueEnum;
use sitegate_host::{Host, HostFacts};
use sitegate_server::edge::{self, ConfigFile};

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Host to configure
    ///
    /// One of: nginx, apache, caddy, netlify, cloudflare-pages, gitlab-pages, vercel, firebase,
    /// azure-static-web-apps, cloudfront, s3-website.
    #[arg(value_enum, hide_possible_values = true)]
    host: EdgeHost,
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

/// A host that `edge` can configure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EdgeHost {
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
    /// `_redirects`
    GitlabPages,
    /// `vercel.json`
    Vercel,
    /// `firebase.json`
    Firebase,
    /// `staticwebapp.config.json`
    AzureStaticWebApps,
}

impl EdgeHost {
    /// Returns the facts of the host.
    fn facts(self) -> &'static HostFacts {
        let host = match self {
            EdgeHost::Cloudfront => Host::Cloudfront,
            EdgeHost::S3Website => Host::S3Website,
            EdgeHost::Nginx => Host::Nginx,
            EdgeHost::Apache => Host::Apache,
            EdgeHost::Caddy => Host::Caddy,
            EdgeHost::Netlify => Host::Netlify,
            EdgeHost::CloudflarePages => Host::CloudflarePages,
            EdgeHost::GitlabPages => Host::GitlabPages,
            EdgeHost::Vercel => Host::Vercel,
            EdgeHost::Firebase => Host::Firebase,
            EdgeHost::AzureStaticWebApps => Host::AzureStaticWebApps,
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
        edge::resolve_auto(&mut contract, &root, facts.host).map_err(Error::Server)?;
    }
    if !facts.answers_410 && contract.permalinks.patterns_of_410().next().is_some() {
        terminal::print_note("this host has no setting for status 410, so addresses of `gone` get 404");
    }
    if args.no_listing && args.host != EdgeHost::S3Website {
        return Err(Error::usage("--no-listing: only s3-website has a policy with this permission"));
    }
    if args.host == EdgeHost::S3Website && !args.no_listing {
        terminal::print_note(LISTING);
    }
    let one = |name, text| vec![ConfigFile { name, text }];
    let mut files = match args.host {
        EdgeHost::Cloudfront => {
            one("cloudfront.json", edge::cloudfront(&contract, &args.bucket, &args.prefix)?)
        }
        EdgeHost::S3Website => {
            one("website.json", edge::s3_website(&contract, &args.bucket, &args.prefix, !args.no_listing)?)
        }
        EdgeHost::Nginx => one("nginx.conf", edge::nginx(&contract, &args.root)?),
        EdgeHost::Apache => one(".htaccess", edge::apache(&contract)?),
        EdgeHost::Caddy => one("Caddyfile", edge::caddy(&contract, &args.root)?),
        EdgeHost::Netlify => edge::netlify(&contract)?,
        EdgeHost::CloudflarePages => edge::cloudflare_pages(&contract)?,
        EdgeHost::GitlabPages => edge::gitlab_pages(&contract)?,
        EdgeHost::Vercel => edge::vercel(&contract)?,
        EdgeHost::Firebase => edge::firebase(&contract)?,
        EdgeHost::AzureStaticWebApps => edge::azure_static_web_apps(&contract)?,
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
