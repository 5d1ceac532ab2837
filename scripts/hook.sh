#!/usr/bin/env bash
# Runs sitegate for pre-commit, from the clone that pre-commit made. Uses the released program if there is one for this
# machine. Otherwise the first run builds it, without the network features, which a check does not need.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fetched="$here/target/fetched/sitegate"
if [ ! -x "$fetched" ]; then
  code=0
  "$here/scripts/fetch.sh" "$here/target/fetched" || code=$?
  case "$code" in 0 | 3) ;; *) exit 2 ;; esac
fi
if [ -x "$fetched" ]; then exec "$fetched" "$@"; fi
cargo build --quiet --release --locked --package sitegate --no-default-features --manifest-path "$here/Cargo.toml" --target-dir "$here/target"
exec "$here/target/release/sitegate" "$@"
