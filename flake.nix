{
  description = "sitegate, the gate a static site must pass before it goes live, and the website that it gates here";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      fs = lib.fileset;

      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ];
      forAllSystems = f: lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});

      workspace = lib.importTOML ./Cargo.toml;
      program = lib.importTOML ./checker/sitegate/Cargo.toml;
      package = lib.importJSON ./package.json;
      packageLock = lib.importJSON ./package-lock.json;

      source =
        paths:
        fs.toSource {
          root = ./.;
          fileset = fs.unions paths;
        };

      # The contract of this site, with the file that it reads the site's origin from.
      ownContract = "${
        source [
          ./sitegate.toml
          ./site/content/site.json
        ]
      }/sitegate.toml";

      # Some packages lock one binary for each platform. npm installs only the matching one, so only
      # that one is fetched.
      fits =
        hostPlatform: module:
        let
          here = {
            os = hostPlatform.node.platform;
            cpu = hostPlatform.node.arch;
            libc = if hostPlatform.isMusl then "musl" else "glibc";
          };
          allows =
            key: list:
            list == [ ]
            || lib.elem here.${key} list
            || lib.all (lib.hasPrefix "!") list && !lib.elem "!${here.${key}}" list;
        in
        lib.all (key: allows key (module.${key} or [ ])) (lib.attrNames here);

      # package-lock.json has a version and an integrity hash for each dependency, but no host. Each
      # tarball is a fixed-output derivation: npm fetches it from the configured registry, and Nix
      # verifies its hash. So the lock file is the only source of truth.
      npmTarball =
        pkgs: path: module:
        let
          name = module.name or (lib.last (lib.splitString "node_modules/" path));
        in
        pkgs.runCommand "${lib.strings.sanitizeDerivationName name}-${module.version}.tgz"
          {
            outputHash = module.integrity;
            nativeBuildInputs = [ pkgs.nodejs ];
            impureEnvVars = lib.fetchers.proxyImpureEnvVars ++ [ "NPM_CONFIG_REGISTRY" ];
            env.NODE_EXTRA_CA_CERTS = "${pkgs.cacert}/etc/ssl/certs/ca-bundle.crt";
          }
          ''
            HOME=$TMPDIR npm pack --silent ${lib.escapeShellArg "${name}@${module.version}"}
            mv ./*.tgz "$out"
          '';

      npmDeps =
        pkgs:
        pkgs.importNpmLock {
          inherit package packageLock;
          packageSourceOverrides = lib.mapAttrs (npmTarball pkgs) (
            lib.filterAttrs (
              _: module:
              module ? integrity && (!(module.optional or false) || fits pkgs.stdenv.hostPlatform module)
            ) packageLock.packages
          );
        };

      mkChecker =
        pkgs:
        pkgs.rustPlatform.buildRustPackage {
          pname = "sitegate";
          inherit (workspace.workspace.package) version;
          src = source [
            ./Cargo.toml
            ./Cargo.lock
            ./LICENSE
            ./README.md
            ./checker
          ];
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package=sitegate" ];
          doCheck = false; # checks.rust runs the tests, in the test profile
          meta = {
            inherit (program.package) description;
            license = lib.licenses.mit;
            mainProgram = "sitegate";
          };
        };

      # The settings as environment variables for the site and its contract. The defaults are in
      # site/content/site.json.
      environment =
        {
          name ? "",
          origin ? "",
          demoUrl ? "",
          email ? { },
        }:
        lib.filterAttrs (_: value: value != "" && value != null) {
          SITE_NAME = name;
          SITE_ORIGIN = origin;
          SITE_DEMO_URL = demoUrl;
          SITE_EMAIL_TEAM = email.team or "";
          SITE_EMAIL_LEGAL = email.legal or "";
          SITE_EMAIL_PRIVACY = email.privacy or "";
        };

      mkSite =
        pkgs: env:
        pkgs.stdenvNoCC.mkDerivation {
          pname = package.name;
          inherit (package) version;
          src = source [
            ./package.json
            ./package-lock.json
            ./tsconfig.json
            ./scripts
            ./site
          ];
          npmDeps = npmDeps pkgs;
          nativeBuildInputs = [
            pkgs.nodejs
            pkgs.importNpmLock.npmConfigHook
          ];
          inherit env;
          preBuild = ''
            cp package-lock.json node_modules/.installed-lock.json # marks all packages as installed
          '';
          buildPhase = ''
            runHook preBuild
            npm run build
            runHook postBuild
          '';
          installPhase = ''
            runHook preInstall
            cp -r site/dist/client "$out"
            runHook postInstall
          '';
          dontFixup = true; # publish the exact bytes of the build
        };

      mkSbom =
        pkgs:
        (mkChecker pkgs).overrideAttrs (old: {
          pname = "sbom";
          src = source [
            ./Cargo.toml
            ./Cargo.lock
            ./README.md
            ./checker
            ./package.json
            ./package-lock.json
            ./scripts
          ];
          nativeBuildInputs = old.nativeBuildInputs ++ [ pkgs.nodejs ];
          buildPhase = "node scripts/sbom.mjs sbom";
          dontCargoInstall = true;
          installPhase = ''cp -r sbom "$out"'';
        });

      mkRelease =
        {
          system,
          site ? null,
          contract ? if site == null then ownContract else null,
          ...
        }@args:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          sitegate = mkChecker pkgs;
          env = environment (
            removeAttrs args [
              "system"
              "site"
              "contract"
            ]
          );
          export = if site == null then mkSite pkgs env else site;
          allowed = lib.concatMapStrings (variable: " --allow-env ${variable}") (lib.attrNames env);
          config = if contract == null then "--no-config" else "--config ${contract}${allowed}";

          # Programs that act on a release, with the settings that it was built with.
          command =
            name: text:
            pkgs.writeShellApplication {
              inherit name;
              runtimeInputs = [ sitegate ];
              text = ''
                unset SITE_NAME SITE_ORIGIN SITE_DEMO_URL SITE_EMAIL_TEAM SITE_EMAIL_LEGAL SITE_EMAIL_PRIVACY
                ${lib.concatStrings (
                  lib.mapAttrsToList (variable: value: "export ${variable}=${lib.escapeShellArg value}\n") env
                )}${text}
              '';
            };

          release =
            pkgs.runCommand "release-${package.version}"
              {
                inherit env;
                nativeBuildInputs = [ sitegate ];
                passthru = {
                  inherit export contract;
                  publish = command "publish" ''exec sitegate publish ${config} --seal ${release}/seal.json "$@" ${release}/site'';
                  verify = command "verify" ''exec sitegate verify ${config} --seal ${release}/seal.json "$@"'';
                  preview = command "preview" ''exec sitegate serve ${config} "$@" ${release}/site'';
                };
              }
              ''
                mkdir "$out"
                cp -r ${export} "$out/site"
                sitegate check ${config} --seal "$out/seal.json" "$out/site"
                ${lib.optionalString (site == null) ''cp -r ${mkSbom pkgs} "$out/sbom"''}
              '';
        in
        release;
    in
    {
      # A release: { site/, seal.json, sbom/ }. It exists only if the gate passes.
      #
      #   mkRelease {
      #     system = "x86_64-linux";
      #     name = "…"; origin = "https://…"; demoUrl = "https://…";         # all optional; the defaults
      #     email = { team = "…"; legal = "…"; privacy = "…"; };              # are those of site.json
      #     site = ./dist;                                                    # another site's export …
      #     contract = "${self}/sitegate.toml";                               # … and its contract, if any
      #   }
      #
      # The result has the programs `publish`, `verify` and `preview`, which act on this release only.
      lib = { inherit mkRelease; };

      # Adds `sitegate` to a nixpkgs.
      overlays.default = final: _: { sitegate = mkChecker final; };

      packages = forAllSystems (pkgs: {
        checker = mkChecker pkgs;
        site = mkSite pkgs { };
        sbom = mkSbom pkgs;
        default = mkRelease { inherit (pkgs.stdenv.hostPlatform) system; };
      });

      checks = forAllSystems (
        pkgs:
        let
          inherit (pkgs.stdenv.hostPlatform) system;
          inherit (self.packages.${system}) checker site default;
        in
        import ./nix/checks.nix {
          inherit lib pkgs source mkRelease checker site;
          release = default;
          contract = ownContract;
        }
      );

      apps = forAllSystems (
        pkgs:
        let
          inherit (self.packages.${pkgs.stdenv.hostPlatform.system}) checker default;
          app = program: description: {
            type = "app";
            program = lib.getExe program;
            meta = { inherit description; };
          };
        in
        {
          default = app checker "Check, seal, publish or preview any static site";
          publish = app default.publish "Publish the gated release";
          verify = app default.verify "Ask a live site whether it answers as the gated release";
          preview = app default.preview "Serve the gated release on this machine";
        }
      );

      devShells = forAllSystems (pkgs: {
        default = pkgs.mkShell {
          inputsFrom = [ self.packages.${pkgs.stdenv.hostPlatform.system}.checker ];
          packages = [
            pkgs.nodejs
            pkgs.cargo
            pkgs.clippy
            pkgs.rustfmt
            pkgs.rust-analyzer
            pkgs.cargo-deny
            pkgs.cargo-nextest
            pkgs.actionlint
            pkgs.zizmor
          ];
          env = {
            RUST_SRC_PATH = pkgs.rustPlatform.rustLibSrc;
          }
          // lib.optionalAttrs pkgs.stdenv.hostPlatform.isLinux {
            CHROMIUM = lib.getExe pkgs.chromium; # for the browser tests; outside of Nix they find or fetch one
          };
        };
      });

      formatter = forAllSystems (pkgs: pkgs.nixfmt-tree);
    };
}
