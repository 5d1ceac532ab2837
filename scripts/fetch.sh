#!/usr/bin/env bash
# Fetches the program of this version's release for this machine. Runs it only if its checksum is in the release's SHA256SUMS
# and, if `gh` is installed, its attestation names the release workflow of this repository and this version's tag.
#
#   scripts/fetch.sh FOLDER    writes FOLDER/sitegate; exits with 3 if there is no such release, so that it must be built
#
# RELEASES is the URL of the releases. The default is the repository that this clone comes from.
# COMMIT is the commit that must have built the program, if this repository is pinned by one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${1:?"Usage: scripts/fetch.sh FOLDER"}"
folder=$(cd "$1" && pwd)
unpack=(tar -xzf)
extension=.tar.gz
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux-musl ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
  Darwin-arm64) target=aarch64-apple-darwin ;;
  Darwin-x86_64) target=x86_64-apple-darwin ;;
  MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc extension=.zip unpack=(unzip -q) ;;
  *) exit 3 ;;
esac
version=v$(sed -n '/^\[workspace.package\]/,/^version/ s/^version = "\(.*\)"$/\1/p' "$here/../Cargo.toml")
archive="sitegate-$version-$target$extension"
if [ -z "${RELEASES:-}" ]; then
  origin=$(git -C "$here" config --get remote.origin.url 2> /dev/null) || exit 3
  RELEASES=$(sed -E 's|^git@([^:]+):|https://\1/|; s|\.git$||' <<< "$origin")/releases/download
fi
repository=$(sed -E 's|/releases/download$||; s|.*/([^/]+/[^/]+)$|\1|' <<< "$RELEASES")
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cd "$temporary"
for file in SHA256SUMS "$archive"; do
  if ! curl --fail --silent --show-error --location --output "$file" "$RELEASES/$version/$file"; then
    echo "sitegate $version could not be fetched from $RELEASES; building it instead" >&2
    exit 3
  fi
done
check() { sha256sum --check --status 2> /dev/null || shasum --algorithm 256 --check --status 2> /dev/null; }
if ! grep -E "^[0-9a-f]{64}  $archive$" SHA256SUMS > sum || ! check < sum; then
  echo "$RELEASES/$version/$archive does not match the SHA256SUMS of its release; not running it" >&2
  exit 1
fi
if command -v gh > /dev/null; then
  # The tag's name is part of the signature, so an archive of another version or branch is refused.
  by=(--repo "$repository" --signer-workflow "$repository/.github/workflows/program.yml" --source-ref "refs/tags/$version")
  if ! gh attestation verify "$archive" "${by[@]}" > /dev/null; then
    echo "$RELEASES/$version/$archive has no attestation by $repository for the tag $version; not running it" >&2
    exit 1
  fi
  if [ -n "${COMMIT:-}" ] && ! gh attestation verify "$archive" "${by[@]}" --source-digest "$COMMIT" > /dev/null; then
    echo "sitegate $version was not built from the commit $COMMIT, which pins it; building it instead" >&2
    exit 3
  fi
else
  echo "sitegate $version: there is no gh, so only the checksum was verified, not the attestation" >&2
fi
mkdir unpacked
(cd unpacked && "${unpack[@]}" "../$archive")
mv unpacked/sitegate* "$folder/"
