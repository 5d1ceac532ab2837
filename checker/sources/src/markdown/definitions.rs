//! Link definitions, and how often the text uses them. Directives share the definitions of their page.

use std::collections::HashMap;
use std::ops::Range;

use crate::reference::{Manner, SourceReference, SourceScan};

use super::fragment::target_at;

/// A definition `[name]: destination`.
pub(super) struct Definition {
    pub name: String,
    /// Its whole range in the source.
    pub span: Range<usize>,
    /// Its destination in the source.
    pub range: Range<usize>,
    pub target: String,
}

/// The definitions of a page, and their uses.
#[derive(Default)]
pub(super) struct Definitions {
    definitions: Vec<Definition>,
    /// Names with the offsets of their uses.
    uses: Vec<(String, usize)>,
}

impl Definitions {
    pub fn define(&mut self, definition: Definition) {
        self.definitions.push(definition);
    }

    pub fn use_name(&mut self, name: &str, offset: usize) {
        self.uses.push((normalize(name), offset));
    }

    /// Adds the definitions to a scan with sorted inert ranges, which contain no uses. The first definition of a name
    /// counts.
    pub fn finish<'t>(mut self, source: &'t str, scan: &mut SourceScan<'t>) {
        let mut uses: HashMap<String, u32> = HashMap::new();
        for (name, offset) in self.uses {
            if !scan.is_inert(offset) {
                *uses.entry(name).or_default() += 1;
            }
        }
        self.definitions.sort_by_key(|definition| definition.span.start);
        for definition in self.definitions {
            if scan.is_inert(definition.span.start) {
                continue;
            }
            let count = uses.remove(&normalize(&definition.name)).unwrap_or_default();
            let is_comment = count == 0 && (definition.name == "//" || definition.target == "#");
            if is_comment {
                // `[//]: # (comment)`
                scan.inert.push(definition.span);
                continue;
            }
            let target = target_at(source, &definition.range, &definition.target);
            scan.references.push(SourceReference {
                range: definition.range,
                manner: Manner::Link,
                target,
                uses: count,
                is_shown_elsewhere: true,
            });
        }
    }
}

/// Normalizes the white space and the case of a name: `SS`, `ß` and `ẞ` are the same.
fn normalize(name: &str) -> String {
    let name = name.to_lowercase().to_uppercase().to_lowercase();
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
