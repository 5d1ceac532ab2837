#!/usr/bin/env bash
# A second proof of reproducibility, without Nix: Debian's reprotest builds the export and the program twice, in
# two folders, time zones, locales, umasks, homes and orders of files, the export at two times too, and diffoscope compares.
#
#   nix/reprotest.sh [--require] [site|checker]...     both without a name; --require: end with 3 where it cannot run
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

# What Debian has, installed where it is missing and we may.
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

# All that the builds need is fetched now, since under a false clock no certificate is valid.
mkdir "$work/source"
git -C "$top" ls-files -z | (cd "$top" && xargs -0 cp --parents --no-dereference --target-directory="$work/source")
for subject in "$@"; do
  case $subject in
    site) (cd "$work/source" && node scripts/install.mjs) ;;
    checker) (cd "$work/source" && cargo fetch --quiet --locked) ;;
    *)
      echo "site or checker, not $subject" >&2
      exit 2
      ;;
  esac
done

variations=+build_path,+environment,+exec_path,+home,+locales,+time,+timezone,+umask
if [[ -c /dev/fuse ]]; then
  variations+=,+fileordering
else
  echo 'This machine has no /dev/fuse: the order of files is not varied.'
fi

# The toolchain stays where it is when the home changes; paths in the program are those of no machine.
CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
toolchain=$(rustc --print sysroot)
# Rust's own tools see the real time: under Debian's libfaketime rustc hangs and cargo crawls.
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
    echo "$subject: not reproducible, or not built" >&2
    exit 1
  }
  echo "$subject: two builds, the same bytes: $(sha256sum < "$(find "$work/$subject" -name "${artifact[$subject]}" -print -quit)")"
done
