#!/usr/bin/env bash
# Fetches the released program for this machine, and verifies its checksum in released.txt. So pinning a commit of this
# repository also pins the program.
#
#   scripts/fetch.sh FOLDER    writes FOLDER/sitegate; exits with 3 if there is no release, so that it must be built
#
# RELEASES is the URL of the releases. The default is the repository that this clone comes from.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?"Usage: scripts/fetch.sh FOLDER"}
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux-musl ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
  Darwin-arm64) target=aarch64-apple-darwin ;;
  Darwin-x86_64) target=x86_64-apple-darwin ;;
  MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc ;;
  *) exit 3 ;;
esac
entry=$(grep -E "^[0-9a-f]{64}  sitegate-v[0-9A-Za-z.-]+-$target\.tar\.gz$" "$here/released.txt") || exit 3
archive=${entry#*  }
version=${archive#sitegate-}
version=${version%"-$target.tar.gz"}
if [ -z "${RELEASES:-}" ]; then
  origin=$(git -C "$here" remote get-url origin 2> /dev/null) || exit 3
  RELEASES=$(sed -E 's|^git@([^:]+):|https://\1/|; s|\.git$||' <<< "$origin")/releases/download
fi
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
if ! curl --fail --silent --show-error --location --output "$temporary/$archive" "$RELEASES/$version/$archive"; then
  echo "sitegate $version could not be fetched from $RELEASES; building it instead" >&2
  exit 3
fi
check() { sha256sum --check --status 2> /dev/null || shasum --algorithm 256 --check --status 2> /dev/null; }
if ! (cd "$temporary" && check <<< "$entry"); then
  echo "$RELEASES/$version/$archive does not match its checksum in scripts/released.txt; not running it" >&2
  exit 1
fi
mkdir -p "$temporary/unpacked" "$folder"
tar -xzf "$temporary/$archive" -C "$temporary/unpacked"
mv "$temporary"/unpacked/sitegate* "$folder/"
