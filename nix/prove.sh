#!/usr/bin/env bash
# Proves flake.nix on a machine without access to a binary cache. Debian's Nix, unpacked but not installed, evaluates
# all outputs and builds release and checks in its sandbox, with the toolchain of this machine (nix/host).
#
#   nix/prove.sh [--require] [--all] [--released]
#
#   --require   exit with 3 if the proof cannot run, instead of skipping it
#   --released  `npm run release` and `npm run sbom` were just run
#   --all       also build the checks `rust` and `web`, the tests that `npm test` has, for people who have only Nix; and
#               the program a second time, even if nothing changed that decides its bits
#
# The program is copied to .sitegate/nix/sitegate, so that .ci/run need not compile it again.
#
# docs/internals/supply-chain.md describes what this proves and what it does not.
set -euo pipefail
top=$(realpath "$(dirname "$(realpath "$0")")/..")
cache=${SITEGATE_PROOF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sitegate-proof}
suite=trixie
required=${PROOF_REQUIRED:-}
all=${PROOF_ALL:-}
released=
for option in "$@"; do
  case $option in
    --require) required=1 ;;
    --all) all=1 ;;
    --released) released=1 ;;
    *)
      echo "prove.sh: unknown option $option" >&2
      exit 2
      ;;
  esac
done
built=$top/.sitegate/nix/sitegate

cannot() {
  echo "The Nix proof did not run: $1"
  if [[ -n $required ]]; then exit 3; fi
  exit 0
}

say() { printf '\n── %s (%d s)\n' "$1" "$SECONDS"; }

fail() {
  echo "The Nix proof failed: $1" >&2
  exit 1
}

# ── What the machine must have ───────────────────────────────────────────────────────────────────────────

outside() {
  [[ $(uname -s) == Linux ]] || cannot 'it needs Linux'
  [[ $(id -u) == 0 ]] || cannot 'it needs root, to give Nix its sandbox'
  local tool
  for tool in apt-get dpkg-deb unshare git cargo rustc node npm; do
    command -v "$tool" > /dev/null || cannot "there is no $tool"
  done
  [[ -r ${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt} ]] || cannot 'there are no CA certificates'
  git -C "$top" rev-parse --is-inside-work-tree > /dev/null 2>&1 || cannot 'it needs a git checkout, since a flake is what git tracks'
  unshare --mount --map-root-user sh -c 'mount --bind /usr /usr && mount -o remount,bind,ro /usr' 2> /dev/null \
    || cannot 'this machine gives no user and mount namespaces'
}

# Nix binds sandbox-paths writable, and for a fixed-output build it also creates (and truncates) the target of its
# CA file. So Nix runs in a mount namespace where the machine is read-only.
enter() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  exec env PROOF_SECONDS=$SECONDS PROOF_REQUIRED="$required" PROOF_ALL="$all" unshare --mount --map-root-user -- bash -euo pipefail -c '
    mount --make-rprivate /
    for path in /usr /etc "$(rustc --print sysroot)"; do
      mount --bind "$path" "$path"
      mount -o remount,bind,ro "$path"
    done
    if touch /etc/.proof 2> /dev/null || touch /usr/.proof 2> /dev/null; then echo "the machine is not read-only" >&2; exit 1; fi
    exec "$@"' _ "$(realpath "$0")"
}

# ── Debian's Nix ─────────────────────────────────────────────────────────────────────────────────────────

unpack_nix() {
  if [[ -x $cache/root/nix ]]; then return; fi
  mkdir -p "$cache"/{apt/lists/partial,apt/cache/archives/partial,root}
  # The mirror of this machine, and a suite with a recent enough Nix.
  local mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg deb
  # shellcheck disable=SC2016 # apt-get's own variable
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep --max-count=1 '/debian/$') || cannot 'apt-get knows no Debian mirror'
  [[ -r $keyring ]] || cannot 'the keys of the Debian archive are missing'
  echo "deb [signed-by=$keyring] $mirror $suite main" > "$cache/apt/sources.list"
  : > "$cache/apt/status"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$cache/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$cache/apt/lists" -o "Dir::Cache=$cache/apt/cache" -o "Dir::State::status=$cache/apt/status"
    -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o Debug::NoLocking=1)
  "${apt[@]}" update || cannot "the mirror does not answer for $suite"
  "${apt[@]}" install --yes --download-only nix-bin patchelf || cannot "nix-bin cannot be had from $suite"
  for deb in "$cache"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x --no-same-owner --no-same-permissions -C "$cache/root"
  done
  # Nix runs itself for its helpers, so it must find its own loader and libraries.
  local lib loader
  lib=$(dirname "$(find "$cache/root/usr/lib" -name 'libc.so.6' -print -quit)")
  loader=$(find "$lib" -name 'ld-linux-*.so.*' -print -quit)
  "$loader" --library-path "$lib" "$cache/root/usr/bin/patchelf" --set-interpreter "$loader" --force-rpath --set-rpath "$lib" \
    --output "$cache/root/nix" "$cache/root/usr/bin/nix"
}

configure_nix() {
  mkdir -p "$cache"/{conf,store}
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" ${NODE_EXTRA_CA_CERTS:+"$NODE_EXTRA_CA_CERTS"} > "$cache/ca.crt"
  local rust node
  rust=$(rustc --print sysroot)
  node=$(dirname "$(dirname "$(realpath "$(command -v node)")")")
  cat > "$cache/conf/nix.conf" <<CONF
experimental-features = nix-command flakes
build-users-group =
substituters =
flake-registry =
ssl-cert-file =
sandbox = true
sandbox-fallback = false
require-drop-supplementary-groups = false
max-jobs = auto
warn-dirty = false
sandbox-paths = /bin /usr /lib /lib64 /etc/alternatives /etc/ld.so.cache /opt/host-rust=$rust /opt/host-node=$node /opt/host-ca.crt=$cache/ca.crt
CONF
  unset NIX_SSL_CERT_FILE
  NPM_CONFIG_REGISTRY=$(npm config get registry 2> /dev/null)
  export NPM_CONFIG_REGISTRY SSL_CERT_FILE=$cache/ca.crt
}

# Nix is one program; its commands are links to it.
nix_as() {
  local name=$1
  shift
  (export NIX_CONF_DIR=$cache/conf NIX_USER_CONF_FILES=''; unset SSL_CERT_FILE; exec -a "$name" "$cache/root/nix" --store "$cache/store" "$@")
}
nix() { nix_as nix "$@"; }

# ── The flake as git tracks it, and its inputs ──────────────────────────────────────────────────────────

copy_flake() { # FOLDER
  mkdir -p "$1"
  git -C "$top" ls-files -z | (cd "$top" && xargs -0 cp --parents --no-dereference --target-directory="$1")
}

make_host() {
  cp -r "$top/nix/host" "$work/host"
  { rustc -vV; node --version; npm --version; cc --version 2> /dev/null || true; dpkg-query -W libc6 2> /dev/null || true; } > "$work/host/identity"
}

# Crates come from cargo's cache, under the checksum in Cargo.lock.
add_crates() {
  cargo fetch --quiet --locked --manifest-path "$flake/Cargo.toml"
  mkdir "$work/crates"
  awk -F'"' '/^name = /{n=$2} /^version = /{v=$2} /^checksum = /{print n "-" v}' "$flake/Cargo.lock" | while read -r crate; do
    cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$crate.crate" "$work/crates/crate-$crate.tar.gz"
  done
  nix_as nix-store --add-fixed sha256 "$work"/crates/*.tar.gz > /dev/null
}

# ── What must fail ───────────────────────────────────────────────────────────────────────────────────────

# Builds a copy of the flake with one fault. The build must fail with the expected reason.
refused() { # NAME, REASON (a pattern), OUTPUT, CHANGE (a command run in the copy)
  local copy=$work/fault log=$work/fault.log
  rm -rf "$copy"
  copy_flake "$copy"
  (cd "$copy" && eval "$4")
  if diff -rq --no-dereference "$flake" "$copy" > /dev/null; then fail "$1: the change had no effect"; fi
  if nix build "$copy#$3" "${offline[@]}" --no-link -L > "$log" 2>&1; then fail "$1: was built anyway"; fi
  grep -qE "$2" "$log" || { tail -n 30 "$log"; fail "$1: failed for another reason"; }
  echo "refused: $1"
}

faults() {
  local react
  react=$(node -p 'require(process.argv[1]).packages["node_modules/react"].version' "$flake/package-lock.json")
  refused 'a broken link' 'broken-link' default "sed -i 's|(/terms)|(/trems)|' site/content/privacy.md"
  refused 'a tampered integrity' 'hash mismatch' site \
    "node -e 'const fs = require(\"fs\"), lock = JSON.parse(fs.readFileSync(\"package-lock.json\")); lock.packages[\"node_modules/react\"].integrity = \"sha512-\" + Buffer.alloc(64, 7).toString(\"base64\"); fs.writeFileSync(\"package-lock.json\", JSON.stringify(lock))'"
  refused 'another version under the same integrity' 'hash mismatch' site \
    "node -e 'const fs = require(\"fs\"), lock = JSON.parse(fs.readFileSync(\"package-lock.json\")); lock.packages[\"node_modules/react\"].version = \"$react\".replace(/\\d+\$/, \"0\"); fs.writeFileSync(\"package-lock.json\", JSON.stringify(lock))'"
  refused 'a changed checksum in Cargo.lock' 'no crate of this name, version and checksum' checker \
    "sed -i '0,/^checksum = \"..../s//checksum = \"0000/' Cargo.lock"
  rm -rf "$work/fault"
  copy_flake "$work/fault"
  sed -i 's/nixos-26.05/nixos-25.11/' "$work/fault/flake.nix"
  if nix flake metadata --offline --no-update-lock-file "path:$work/fault" > "$work/fault.log" 2>&1; then fail 'flake.lock does not match flake.nix, but no error was reported'; fi
  grep -qE 'updating the lock file|lock file changes' "$work/fault.log" || fail 'flake.lock was rejected for another reason'
  echo 'refused: a flake.lock that does not match flake.nix'
}

# ── The proof ────────────────────────────────────────────────────────────────────────────────────────────

if [[ -z ${PROOF_SECONDS:-} ]]; then
  rm -f "$built"
  outside
  # The release of a machine without Nix, for comparison.
  if [[ -z $released ]]; then
    say 'npm run release'
    (cd "$top" && npm run --silent release && npm run --silent sbom)
  fi
  enter
fi
SECONDS=$PROOF_SECONDS

mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9 # concurrent proofs share one store
work=$(mktemp -d)
rebuild=
trap '{ [[ -z $rebuild ]] || pkill --parent "$rebuild"; } || true; chmod -R u+w "$work"; rm -rf "$work"' EXIT
flake=$work/flake
offline=(--override-input nixpkgs "path:$work/host" --no-write-lock-file)

say 'Nix'
unpack_nix
configure_nix
nix --version
nix build --no-link --impure --expr "derivation { name = \"sandbox\"; system = builtins.currentSystem; builder = \"/bin/sh\"; args = [ \"-c\" \"echo $RANDOM > \$out\" ]; }" \
  || cannot 'the sandbox of Nix cannot be set up on this machine'
copy_flake "$flake"
make_host
add_crates

say 'The lock file matches the flake, and all outputs evaluate on all systems'
nix flake metadata --offline --no-update-lock-file "path:$flake"
nix flake check --all-systems --no-build "$flake" "${offline[@]}"
nix --quiet flake show --all-systems "$flake" "${offline[@]}"

say 'Settings in the environment give the release of these settings'
cp -r "$flake" "$work/environment" && rm "$work/environment/flake.lock"
sed -i "s|^  inputs.nixpkgs.url = .*|  inputs.nixpkgs.url = \"path:$work/host\";|" "$work/environment/flake.nix"
given=$(SITE_ORIGIN=https://www.example.net nix eval --raw --impure --file "$work/environment/nix/from-environment.nix" drvPath)
wanted=$(nix eval --raw --impure "$flake#lib" "${offline[@]}" \
  --apply 'lib: (lib.mkRelease { system = builtins.currentSystem; origin = "https://www.example.net"; }).drvPath')
[[ $given == "$wanted" ]] || fail "$given is not $wanted"

say 'The program'
nix build "$flake#checker" "${offline[@]}" --no-link --print-build-logs
install -D "$cache/store$(nix eval --raw "$flake#checker.outPath" "${offline[@]}")/bin/sitegate" "$built"

# A second build of the program takes as long as the first. It is done if something changed that decides whether builds
# have the same bits: dependencies, compiler, flags, or the build itself. nix/same-bits has their last digest.
inputs=$(cd "$flake" && find Cargo.lock Cargo.toml checker/*/Cargo.toml rust-toolchain.toml flake.lock flake.nix nix/host -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1)
if [[ -z $all && $inputs == "$(cat "$flake/nix/same-bits")" ]]; then
  say 'The release and its checks'
  echo 'The program is not built a second time: nix/same-bits has the digest of what decides its bits'
else
  say 'The release and its checks, and the program a second time'
  # The second build does not use both cores to its end.
  nix build "$flake#checker" "${offline[@]}" --no-link --rebuild > "$work/rebuild.log" 2>&1 &
  rebuild=$!
fi
system=$(nix eval --raw --impure --expr builtins.currentSystem)
mapfile -t checks < <(nix eval --raw "$flake#checks.$system" "${offline[@]}" --apply 'checks: toString (builtins.attrNames checks)' | tr ' ' '\n')
# `npm test` runs the same tests on the same sources.
if [[ -z $all ]]; then mapfile -t checks < <(printf '%s\n' "${checks[@]}" | grep -vxE 'rust|web'); fi
echo "checks: ${checks[*]}"
nix build "${checks[@]/#/$flake#checks.$system.}" "${offline[@]}" --no-link --keep-going --print-build-logs

say 'Rebuild the site and the release, and compare the bits'
nix build "$flake"#{site,default} "${offline[@]}" --no-link --rebuild
for package in checker site default; do
  echo "$package: $(nix hash path "$cache/store$(nix eval --raw "$flake#$package.outPath" "${offline[@]}")")"
done

say 'Nix and npm build the same release'
release=$cache/store$(nix eval --raw "$flake#default.outPath" "${offline[@]}")
diff --recursive --no-dereference "$release/site" "$top/site/dist/client"
# A seal of this checkout names its commit; Nix builds from files alone, and knows none.
without_commit() { node -e 'const { commit, ...seal } = require(process.argv[1]); console.log(JSON.stringify(seal, null, 2))' "$1"; }
cmp <(without_commit "$release/seal.json") <(without_commit "$top/.sitegate/seal.json")
diff --recursive "$release/sbom" "$top/.sitegate/sbom"
echo "equal: $(node -p 'const seal = require(process.argv[1]); seal.files.length + " files, tree " + seal.tree' "$release/seal.json")"

say 'The app publishes the same release'
nix run "$flake#publish" "${offline[@]}" -- "file://$work/published"
# The target also has its state.
diff --recursive --exclude=.sitegate "$release/site" "$work/published"

say 'What must fail'
faults

if [[ -n $rebuild ]]; then
  say 'The second build of the program has the same bits'
  wait "$rebuild" || { tail -n 30 "$work/rebuild.log"; fail 'the second build of the program failed'; }
  echo "Write $inputs to nix/same-bits, so that the next proof need not build it a second time"
fi

say 'The Nix proof passed'
