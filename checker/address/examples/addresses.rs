//! Lists the addresses in an inventory, a sitemap or another list: `cargo run --example addresses -- sitemap.xml`.

use std::error::Error;
use std::io::{Write, stdout};

use sitegate_address::inventory::{Inventory, ReadSettings};
use sitegate_address::{SitePath, UrlReference};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: addresses FILE")?;
    let inventory = Inventory::read(&std::fs::read(file)?, &ReadSettings::default())?;
    for (address, _) in inventory.iter() {
        let path = SitePath::new(UrlReference::new(address).path());
        writeln!(stdout(), "{:30} {}", path.folder_with_slash(), path.name())?;
    }
    Ok(())
}
