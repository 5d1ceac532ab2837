#!/bin/sh
# Installs sitegate @VERSION@ to ~/.local/bin, or to the folder that SITEGATE_BIN names. Runs it only if its archive has the
# checksum below.
set -eu

sums='@SUMS@'

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

main() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    *) fail "there is no program for $(uname -s) on $(uname -m); use \`cargo install --locked sitegate\`" ;;
  esac
  archive="sitegate-v@VERSION@-$target.tar.gz"
  bin=${SITEGATE_BIN:-$HOME/.local/bin}
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  curl --fail --silent --show-error --location --proto '=https,file' --output "$temporary/$archive" "@RELEASES@/$archive" ||
    fail "@RELEASES@/$archive could not be fetched"
  echo "$sums" | grep -F "  $archive" > "$temporary/sum" || fail "there is no checksum of $archive"
  if command -v sha256sum > /dev/null; then check='sha256sum --check'; else check='shasum --algorithm 256 --check'; fi
  (cd "$temporary" && $check sum > /dev/null 2>&1) || fail "$archive does not have the checksum of this release; not installed"
  tar -xzf "$temporary/$archive" -C "$temporary"
  mkdir -p "$bin"
  mv "$temporary/sitegate" "$bin/sitegate"
  echo "installed $bin/sitegate"
  case ":$PATH:" in *":$bin:"*) ;; *) echo "add $bin to the PATH" ;; esac
}

# Nothing runs before the last line has arrived.
main
