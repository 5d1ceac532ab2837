# A replacement for nixpkgs that uses the machine's own tools, for machines without access to a binary cache. Used by
# nix/prove.sh. It has only the part of nixpkgs that ../../flake.nix uses. Nix itself is real: its evaluator, sandbox
# and fixed-output hashes. The toolchain is not pinned, so these builds are proofs, never releases.
{
  outputs =
    _:
    let
      inherit (builtins)
        any
        all
        attrNames
        attrValues
        concatMap
        concatStringsSep
        elem
        elemAt
        filter
        fromJSON
        fromTOML
        isFunction
        isString
        length
        listToAttrs
        map
        mapAttrs
        match
        readFile
        removeAttrs
        replaceStrings
        split
        stringLength
        substring
        toJSON
        toString
        ;

      # The versions of the machine's tools, written by prove.sh, so that other tools give other derivations.
      identity = readFile ./identity;

      lib = rec {
        inherit
          all
          attrNames
          elem
          mapAttrs
          ;
        genAttrs = names: f: listToAttrs (map (name: { inherit name; value = f name; }) names);
        filterAttrs =
          keep: set:
          listToAttrs (
            concatMap (name: if keep name set.${name} then [ { inherit name; value = set.${name}; } ] else [ ]) (attrNames set)
          );
        mapAttrsToList = f: set: attrValues (mapAttrs f set);
        importJSON = file: fromJSON (readFile file);
        importTOML = file: fromTOML (readFile file);
        hasPrefix = prefix: text: substring 0 (stringLength prefix) text == prefix;
        last = list: elemAt list (length list - 1);
        splitString = separator: text: filter isString (split (replaceStrings [ "." ] [ "\\." ] separator) text);
        concatStrings = concatStringsSep "";
        concatMapStrings = f: list: concatStrings (map f list);
        optionalAttrs = condition: value: if condition then value else { };
        optionalString = condition: value: if condition then value else "";
        escapeShellArg = text: "'${replaceStrings [ "'" ] [ "'\\''" ] text}'";
        getExe = package: "${package}/bin/${package.meta.mainProgram or package.pname or package.name}";
        strings.sanitizeDerivationName =
          text:
          let
            clean = concatStringsSep "-" (filter (part: isString part && part != "") (split "[^[:alnum:]+._?=-]+" text));
          in
          if hasPrefix "." clean then "_${clean}" else if clean == text then clean else "-${clean}";
        fetchers.proxyImpureEnvVars = [
          "http_proxy"
          "https_proxy"
          "no_proxy"
        ];
        licenses.mit.spdxId = "MIT";
        fileset = {
          unions = paths: paths;
          toSource =
            { root, fileset }:
            {
              outPath = builtins.path {
                path = root;
                name = "source";
                filter =
                  path: _:
                  any (
                    wanted:
                    let
                      want = toString wanted;
                    in
                    path == want || hasPrefix "${want}/" path || hasPrefix "${path}/" want
                  ) fileset;
              };
            };
        };
      };

      pkgsFor =
        system:
        let
          setup = builtins.toFile "setup.sh" ''
            set -eu -o pipefail
            export PATH=/usr/bin:/bin HOME=/homeless-shelter LC_ALL=''${LC_ALL:-C.UTF-8} TZ=''${TZ:-UTC}
            export SOURCE_DATE_EPOCH=''${SOURCE_DATE_EPOCH:-315532800}
            preConfigureHooks=() postConfigureHooks=()
            runHook() {
              local hooks="$1Hooks[@]" hook
              for hook in "''${!hooks-}"; do [ -z "$hook" ] || "$hook"; done
              eval "''${!1:-}"
            }
            for input in ''${nativeBuildInputs:-}; do
              if [ -d "$input/bin" ]; then PATH=$input/bin:$PATH; fi
              if [ -f "$input/nix-support/setup-hook" ]; then . "$input/nix-support/setup-hook"; fi
            done
            cd "$NIX_BUILD_TOP"
            if [ -n "''${buildCommandPath:-}" ]; then . "$buildCommandPath"; exit 0; fi
            runHook preUnpack
            cp -r "$src" source && chmod -R u+w source && cd source
            runHook preConfigure
            runHook postConfigure
            for phase in buildPhase checkPhase installPhase; do
              if [ "$phase" = checkPhase ] && [ -z "''${doCheck:-}" ]; then continue; fi
              echo "Running phase: $phase"
              eval "''${!phase:-}"
            done
          '';

          mkDerivation =
            attrs:
            let
              name = attrs.name or "${attrs.pname}-${attrs.version}";
              drv = derivation (
                removeAttrs attrs [
                  "meta"
                  "passthru"
                  "env"
                ]
                // attrs.env or { }
                // {
                  inherit name system;
                  builder = "/bin/bash";
                  args = [
                    "-e"
                    setup
                  ];
                }
                // lib.optionalAttrs (!(attrs ? outputHash)) { inherit identity; }
              );
            in
            drv
            // attrs.passthru or { }
            // {
              inherit name;
              meta = attrs.meta or { };
              overrideAttrs = change: mkDerivation (attrs // (if isFunction change then change attrs else change));
            }
            // lib.optionalAttrs (attrs ? pname) { inherit (attrs) pname; };

          runCommand =
            name: attrs: buildCommand:
            mkDerivation (
              attrs
              // {
                inherit name buildCommand;
                passAsFile = [ "buildCommand" ] ++ attrs.passAsFile or [ ];
              }
              // lib.optionalAttrs (attrs ? outputHash) {
                outputHashAlgo = null;
                outputHashMode = "flat";
              }
            );

          # A package with programs of the machine.
          host =
            name: programs:
            runCommand name { meta.mainProgram = name; } (
              "mkdir -p $out/bin\n"
              + concatStringsSep "\n" (map (program: "ln -s ${programs.${program}} $out/bin/${program}") (attrNames programs))
            );
          hostRust = names: lib.genAttrs names (program: "/opt/host-rust/bin/${program}");
          hostNode = names: lib.genAttrs names (program: "/opt/host-node/bin/${program}");
          rust = host "rust" (hostRust [
            "cargo"
            "rustc"
            "rustdoc"
          ]);

          writeShellApplication =
            {
              name,
              text,
              runtimeInputs ? [ ],
            }:
            runCommand name
              {
                inherit text;
                passAsFile = [ "text" ];
                meta.mainProgram = name;
              }
              ''
                mkdir -p $out/bin
                {
                  printf '#!/bin/bash\nset -euo pipefail\nPATH=%s:$PATH\n' '${
                    concatStringsSep ":" (map (input: "${input}/bin") runtimeInputs)
                  }'
                  cat "$textPath"
                } > $out/bin/${name}
                chmod +x $out/bin/${name}
                bash -n $out/bin/${name}
              '';

          # Crates come from the store, where prove.sh puts them under the checksum in Cargo.lock.
          vendored =
            lockFile:
            let
              crates = filter (crate: crate ? checksum) (lib.importTOML lockFile).package;
              tarball =
                crate:
                derivation {
                  name = "crate-${crate.name}-${crate.version}.tar.gz";
                  inherit system;
                  builder = "/bin/sh";
                  args = [
                    "-c"
                    "echo 'no crate of this name, version and checksum is in the store' >&2; exit 1"
                  ];
                  outputHashAlgo = "sha256";
                  outputHashMode = "flat";
                  outputHash = crate.checksum;
                };
            in
            runCommand "cargo-vendor-dir" { } (
              "mkdir $out\n"
              + concatStringsSep "\n" (
                map (crate: ''
                  mkdir $out/${crate.name}-${crate.version}
                  tar xf ${tarball crate} -C $out/${crate.name}-${crate.version} --strip-components=1
                  printf '{"files":{},"package":"%s"}' ${crate.checksum} > $out/${crate.name}-${crate.version}/.cargo-checksum.json
                '') crates
              )
            );
        in
        {
          inherit lib runCommand writeShellApplication;
          stdenv = {
            inherit mkDerivation;
            hostPlatform = {
              inherit system;
              isLinux = match ".*-linux" system != null;
              isMusl = false;
              node = {
                platform = elemAt (lib.splitString "-" system) 1;
                arch =
                  {
                    x86_64 = "x64";
                    aarch64 = "arm64";
                  }
                  .${elemAt (lib.splitString "-" system) 0};
              };
            };
          };
          stdenvNoCC = { inherit mkDerivation; };
          mkShell = attrs: runCommand "shell" (attrs.env or { } // { inputs = attrs.inputsFrom ++ attrs.packages; }) "touch $out";

          nodejs = host "nodejs" (hostNode [
            "node"
            "npm"
            "npx"
          ]);
          cargo = rust;
          clippy = host "clippy" (hostRust [
            "cargo-clippy"
            "clippy-driver"
          ]);
          rustfmt = host "rustfmt" (hostRust [
            "rustfmt"
            "cargo-fmt"
          ]);
          actionlint = host "actionlint" { };
          cargo-deny = host "cargo-deny" { };
          cargo-nextest = host "cargo-nextest" { };
          chromium = host "chromium" { };
          git = host "git" { };
          nixfmt-tree = host "treefmt" { };
          rust-analyzer = host "rust-analyzer" { };
          zizmor = host "zizmor" { };
          cacert = runCommand "cacert" { } ''
            mkdir -p $out/etc/ssl/certs
            cp /opt/host-ca.crt $out/etc/ssl/certs/ca-bundle.crt
            test -s $out/etc/ssl/certs/ca-bundle.crt
          '';

          rustPlatform = {
            rustLibSrc = "/opt/host-rust/lib/rustlib/src/rust/library";
            buildRustPackage =
              attrs:
              mkDerivation (
                {
                  doCheck = true;
                  preConfigure = ''
                    export CARGO_HOME=$NIX_BUILD_TOP/cargo
                    mkdir -p "$CARGO_HOME"
                    printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "%s"\n' ${vendored attrs.cargoLock.lockFile} > "$CARGO_HOME/config.toml"
                  '';
                  buildPhase = "cargo build --offline --release \${cargoBuildFlags:-}";
                  checkPhase = "cargo test --offline --release";
                  installPhase = "mkdir -p $out/bin; find target/release -maxdepth 1 -type f -executable -exec cp -t $out/bin {} +";
                }
                // removeAttrs attrs [ "cargoLock" ]
                // {
                  nativeBuildInputs = [ rust ] ++ attrs.nativeBuildInputs or [ ];
                }
              );
          };

          importNpmLock = {
            __functor =
              _:
              {
                package,
                packageLock,
                packageSourceOverrides,
              }:
              let
                locked = packageLock // {
                  packages = mapAttrs (
                    path: module:
                    removeAttrs module [ "funding" ]
                    // lib.optionalAttrs (packageSourceOverrides ? ${path}) { resolved = "file:${packageSourceOverrides.${path}}"; }
                  ) packageLock.packages;
                };
                pin = mapAttrs (name: _: locked.packages."node_modules/${name}".resolved);
              in
              runCommand "npm-deps"
                {
                  package = toJSON (
                    package
                    // mapAttrs (_: pin) (
                      lib.filterAttrs (
                        name: _:
                        elem name [
                          "dependencies"
                          "devDependencies"
                        ]
                      ) package
                    )
                  );
                  lock = toJSON locked;
                  passAsFile = [
                    "package"
                    "lock"
                  ];
                }
                ''
                  mkdir $out
                  cp $packagePath $out/package.json
                  cp $lockPath $out/package-lock.json
                '';
            npmConfigHook = runCommand "npm-config-hook" { } ''
              mkdir -p $out/nix-support
              cat > $out/nix-support/setup-hook <<'HOOK'
              npmConfigHook() {
                export HOME=$TMPDIR
                mkdir "$TMPDIR/orig" && mv package.json package-lock.json "$TMPDIR/orig"
                cp --no-preserve=mode $npmDeps/package.json $npmDeps/package-lock.json .
                npm install --offline --ignore-scripts --no-audit --no-fund
                npm rebuild --offline
                mv "$TMPDIR/orig"/* .
              }
              postConfigureHooks+=(npmConfigHook)
              HOOK
            '';
          };
        };
    in
    {
      inherit lib;
      legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ] pkgsFor;
    };
}
