//! Lists the URLs that a page links to or loads: `cargo run --example urls PAGE`.

#![allow(clippy::print_stdout, reason = "an example")]

use std::error::Error;

use sitegate_check::{FoundUrl, found_urls};

/// Maximum number of URLs.
const MAX_URLS: usize = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: urls PAGE")?;
    let address = format!("https://www.example.com/{path}").parse()?;
    for FoundUrl { url, is_link } in found_urls(std::fs::read(&path)?, path.as_bytes(), &address, MAX_URLS) {
        println!("{} {url}", if is_link { "links" } else { "loads" });
    }
    Ok(())
}
