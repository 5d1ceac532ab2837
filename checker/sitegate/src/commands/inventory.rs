//! `sitegate inventory`: reads inventories and lists of addresses in any format, and writes one inventory.

use std::path::PathBuf;

use clap::value_parser;
use sitegate_inventory::{Compression, Inventory, ReadSettings};
use url::Url;

use crate::error::Error;
use crate::inventory_file;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Formats: inventories of sitegate, Sphinx' objects.inv, Antora's site-manifest.json, DocFX' \
                        xrefmap.yml and xrefmap.json, sitemaps, lists of URLs, CSV, and access logs (404s); all may be \
                        compressed by gzip or zstd.\n\n\
                        Exit codes:\n  0  written\n  2  a file cannot be read, or has no known format"
)]
pub struct Args {
    /// Inventories or lists of addresses; several are joined
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file instead of standard output
    ///
    /// A name that ends in .gz or .zst compresses it.
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
}

pub fn run(args: &Args) -> Outcome {
    let settings = ReadSettings { root: args.root.clone(), min_requests: args.min_requests };
    let mut joined: Option<Inventory> = None;
    for file in &args.files {
        let bytes = inventory_file::read_limited(file).map_err(Error::file(file))?;
        let fail = |error| Error::usage(format!("{}: {error}", file.display()));
        let inventory = Inventory::read(&bytes, &settings).map_err(fail)?;
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
