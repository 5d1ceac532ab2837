#!/usr/bin/env bash
# A second proof of reproducibility, without Nix. Debian's reprotest builds the export and the program twice, with
# different folders, time zones, locales, umasks, homes and file orders, and for the export also at different times.
# Then diffoscope compares the builds.
#
#   nix/reprotest.sh [--require] [site|checker]...     default: both; --require: exit with 3 if it cannot run
set -euo pipefail
top=$(realpath "$(dirname "$(realpath "$0")")/..")
required=
if [[ ${1:-} == --require ]]; then
  required=1
  shift
fi
if (($# == 0)); then set -- site checker; fi

cannot() {
  echo "reprotest did not run: $1"
  if [[ -n $required ]]; then exit 3; fi
  exit 0
}

# Installs missing Debian packages, if possible.
tools=(reprotest diffoscope-minimal disorderfs faketime)
missing=()
for tool in "${tools[@]}"; do
  dpkg-query -W -f '${Status}' "$tool" 2> /dev/null | grep -q 'ok installed' || missing+=("$tool")
done
if ((${#missing[@]} > 0)); then
  if [[ $(id -u) != 0 ]] || ! command -v apt-get > /dev/null; then cannot "install ${missing[*]} (Debian packages)"; fi
  apt-get update -qq || cannot 'apt-get reaches no mirror'
  apt-get install -qq --yes --no-install-recommends "${missing[@]}" > /dev/null || cannot "apt-get brings no ${missing[*]}"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Fetches all dependencies first: with a false clock, certificates are invalid.
mkdir "$work/source"
git -C "$top" ls-files -z | (cd "$top" && xargs -0 cp --parents --no-dereference --target-directory="$work/source")
for subject in "$@"; do
  case $subject in
    site) (cd "$work/source" && node scripts/install.mjs) ;;
    checker) (cd "$work/source" && cargo fetch --quiet --locked) ;;
    *)
      echo "expected site or checker, not $subject" >&2
      exit 2
      ;;
  esac
done

variations=+build_path,+environment,+exec_path,+home,+locales,+time,+timezone,+umask
if [[ -c /dev/fuse ]]; then
  variations+=,+fileordering
else
  echo 'This machine has no /dev/fuse: the file order is not varied.'
fi

# The toolchain stays in place when the home changes. The program contains no paths of the machine.
CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
toolchain=$(rustc --print sysroot)
# Rust's tools use the real time: with Debian's libfaketime, rustc hangs and cargo is slow.
declare -A build=(
  [site]="node scripts/build.mjs && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf export.tar -C site/dist/client ."
  [checker]="unset LD_PRELOAD && CARGO_HOME=$CARGO_HOME RUSTC=$toolchain/bin/rustc RUSTFLAGS=\"--remap-path-prefix=\$PWD=/source --remap-path-prefix=$CARGO_HOME=/cargo\" $toolchain/bin/cargo build --quiet --release --locked --offline --package sitegate && cp target/release/sitegate program"
)
declare -A artifact=([site]=export.tar [checker]=program)

for subject in "$@"; do
  echo "── $subject"
  mkdir "$work/$subject"
  reprotest --variations="-all,$variations" --store-dir "$work/$subject" \
    -c "${build[$subject]}" "$work/source" "${artifact[$subject]}" -- null > "$work/$subject.log" 2>&1 || {
    tail -n 100 "$work/$subject.log"
    echo "$subject: not reproducible, or the build failed" >&2
    exit 1
  }
  echo "$subject: two builds with the same bytes: $(sha256sum < "$(find "$work/$subject" -name "${artifact[$subject]}" -print -quit)")"
done
