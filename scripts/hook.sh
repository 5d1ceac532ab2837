#!/usr/bin/env bash
# Runs sitegate for pre-commit, out of the clone that pre-commit made; the first run builds it there, without the network
# features, which a check does not need.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cargo build --quiet --release --locked --package sitegate --no-default-features --manifest-path "$here/Cargo.toml" --target-dir "$here/target"
exec "$here/target/release/sitegate" "$@"
