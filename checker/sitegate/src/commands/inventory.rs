//! `sitegate inventory`: reads inventories, lists of addresses in any format, and live sites, and writes one inventory.

use std::path::{Path, PathBuf};

use clap::value_parser;
use sitegate_address::inventory::{Compression, Inventory, ReadSettings};
use url::Url;

use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::export_args::{self, ContractArgs};
use crate::inventory_file;
use crate::online;
use crate::terminal::{self, Outcome, at_least_one};

/// Whether to hide the options that need the network.
const NO_NETWORK: bool = !online::IS_BUILT;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Formats: inventories of sitegate, Sphinx' objects.inv, Antora's site-manifest.json, DocFX' \
                        xrefmap.yml and xrefmap.json, sitemaps, lists of URLs, CSV, and access logs (404s); all may be \
                        compressed by gzip.\n\n\
                        Exit codes:\n  0  written\n  2  a file or site cannot be read, or has no known format"
)]
pub struct Args {
    /// Inventories, lists of addresses, or URLs of live sites
    ///
    /// Several are joined. Of a live site, the pages in its sitemaps are read: those that robots.txt lists, or else
    /// sitemap.xml. A URL that ends in .xml, .xml.gz or .txt is that of a sitemap.
    #[arg(value_name = "FILE|URL", required = true)]
    sources: Vec<String>,
    /// Write to this file instead of standard output
    ///
    /// A name that ends in .gz compresses it.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// URL of the site's root
    ///
    /// Relative addresses are below it, and URLs of other origins are left out. objects.inv has relative addresses, so it needs the base path.
    #[arg(long, value_name = "URL")]
    root: Option<Url>,
    /// Minimum number of 404s
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    min_requests: u32,
    /// Crawl the pages of live sites for their anchors
    #[arg(long, help_heading = "Live site", hide = NO_NETWORK)]
    crawl: bool,
    /// Maximum number of pages to crawl
    #[arg(long, value_name = "PAGES", default_value_t = 1000, help_heading = "Live site", hide = NO_NETWORK, requires = "crawl", value_parser = at_least_one())]
    max_pages: u64,
    /// Also crawl URLs that robots.txt excludes
    #[arg(long, help_heading = "Live site", hide = NO_NETWORK, requires = "crawl")]
    ignore_robots: bool,
    /// Maximum seconds for all requests
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, help_heading = "Live site", hide = NO_NETWORK, value_parser = value_parser!(u64).range(1..=86_400))]
    max_time: u64,
    #[command(flatten)]
    contract: ContractArgs,
}

pub fn run(args: &Args) -> Outcome {
    args.output.as_deref().map(inventory_file::check_output).transpose()?;
    let mut joined: Option<Inventory> = None;
    for source in &args.sources {
        let inventory = match export_args::live_url(source)? {
            Some(url) => read_live(args, &url)?,
            None => read_file(args, Path::new(source))?,
        };
        let fail = |error| Error::usage(format!("{source}: {error}"));
        match &mut joined {
            None => joined = Some(inventory),
            Some(joined) => joined.join(inventory).map_err(fail)?,
        }
    }
    let inventory = joined.unwrap_or_default();
    match &args.output {
        Some(file) => inventory_file::write(file, &inventory)?,
        None => terminal::print(|out| {
            let mut text = Vec::new();
            inventory.write(Compression::None, &mut text)?;
            out.write_all(&text)
        })?,
    }
    Ok(0)
}

fn read_file(args: &Args, file: &Path) -> Result<Inventory, Error> {
    let settings = ReadSettings { root: args.root.clone(), min_requests: args.min_requests };
    let bytes = inventory_file::read_limited(file).map_err(Error::file(file))?;
    Inventory::read(&bytes, &settings).map_err(|error| Error::usage(format!("{}: {error}", file.display())))
}

/// Makes the inventory of a live site.
fn read_live(args: &Args, url: &Url) -> Result<Inventory, Error> {
    let contract = args.contract.load()?;
    let max_time = std::time::Duration::from_secs(args.max_time);
    if !args.crawl {
        return online::read_sitemaps(url, &contract, max_time);
    }
    let limits = CrawlLimits {
        max_pages: usize::try_from(args.max_pages).unwrap_or(usize::MAX),
        ignores_robots: args.ignore_robots,
        max_time,
        inventory: true,
    };
    online::crawl_inventory(url, contract, limits)
}
