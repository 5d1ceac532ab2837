//! Zola. Only the URL keys of its sources are supported.

use super::definition::{AddressKind, Generator};

pub(crate) static ZOLA: Generator = Generator {
    name: "Zola",
    address_keys: &[("path", AddressKind::TomlPath), ("slug", AddressKind::Slug)],
    // Paths from the content folder: `@/guide/_index.md`.
    strip_prefix: |reference| reference.strip_prefix('@').filter(|path| path.starts_with('/')),
    ..Generator::UNKNOWN
};
