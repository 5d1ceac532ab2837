//! Reads any bytes as an inventory: no panic, and what is read is written and read again without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegate_address::inventory::{Inventory, ReadSettings, read_sitemap_index};

fuzz_target!(|bytes: &[u8]| {
    let settings = ReadSettings { root: "https://www.example.com/docs/".parse().ok(), min_requests: 1 };
    let _ = read_sitemap_index(bytes);
    for settings in [ReadSettings::default(), settings] {
        let Ok(inventory) = Inventory::read(bytes, &settings) else { continue };
        let text = inventory.to_text();
        let again =
            Inventory::read(text.as_bytes(), &ReadSettings::default()).expect("its own text is an inventory");
        assert_eq!(again.to_text(), text);
    }
});
