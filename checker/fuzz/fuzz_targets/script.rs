//! Parses any bytes as a script: no panic, and every span is inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegate_script::{Memory, read_script};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let script = read_script(&text, &mut Memory::default());
    let spans = script.loads.iter().map(|load| &load.span).chain(&script.computed).chain(&script.module_syntax);
    for span in spans {
        assert!(text.get(span.start as usize..span.end as usize).is_some());
    }
});
