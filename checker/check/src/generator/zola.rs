//! Zola, of whose sources only the addresses are known.

use super::definition::{AddressKind, Generator};

pub(crate) static ZOLA: Generator = Generator {
    name: "Zola",
    address_keys: &[("path", AddressKind::TomlPath), ("slug", AddressKind::Slug)],
    // Paths from the folder of pages: `@/guide/_index.md`.
    without_sign: |reference| reference.strip_prefix('@').filter(|path| path.starts_with('/')),
    ..Generator::UNKNOWN
};
