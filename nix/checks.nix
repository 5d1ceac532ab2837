# The checks of `nix flake check`: tests, the gate, and proofs that the gate rejects faults and builds reproduce.
{
  lib,
  pkgs,
  source,
  mkRelease,
  checker,
  site,
  release,
  contract,
}:
let
  inherit (pkgs.stdenv.hostPlatform) system;

  # The gate must reject an export with a fault made by a shell command, by the expected rule.
  refusals = [
    {
      rule = "missing-page";
      change = "rm terms/index.html";
    }
    {
      rule = "broken-link";
      change = ''sed -i 's|href="/terms"|href="/trems"|' index.html'';
    }
    {
      rule = "broken-anchor";
      change = ''sed -i 's|href="/#benefits"|href="/#benfits"|' smart-caching/index.html'';
    }
    {
      rule = "missing-asset";
      change = "find assets -name '*.css' -delete";
    }
    {
      rule = "broken-import";
      change = "rm -r assets/chunks";
    }
    {
      rule = "wrong-count";
      change = "sed -i 's|data-clause|data-claus|' terms/index.html";
    }
    {
      rule = "wrong-text";
      change = "sed -i 's|End of Terms<|The end<|' terms/index.html";
    }
    {
      rule = "wrong-attribute";
      change = ''sed -i 's| target="_blank"||' index.html'';
    }
    {
      rule = "wrong-order";
      change = ''sed -i 's|id="benefits"|id="benefit"|' index.html'';
    }
  ];

  # Another site, to test `mkRelease` with any export.
  foreign = pkgs.runCommand "foreign-site" { } ''
    mkdir "$out"
    printf '<!doctype html><html lang="en"><title>Home</title><a href="/#top" id="top">Top</a>\n' > "$out/index.html"
  '';

  deployment = {
    name = "Example Company";
    origin = "https://www.example.net";
    demoUrl = "https://calendar.example.net/demo";
    email = {
      team = "team@example.net";
      legal = "legal@example.net";
      privacy = "privacy@example.net";
    };
  };
in
{
  gate = release;
  inherit checker;

  rust = checker.overrideAttrs (old: {
    pname = "sitegate-tests";
    src = source [
      ../.cargo # the seed of generated tests
      ../Cargo.toml
      ../Cargo.lock
      ../README.md
      ../CHANGELOG.md
      ../CONTRIBUTING.md
      ../docs
      ../packages/sitegate/README.md # whose install commands are tested
      ../sitegate.report.schema.json
      ../sitegate.review.schema.json
      ../sitegate.schema.json
      ../sitegate.toml
      ../checker
      ../site/content/site.json
    ];
    nativeBuildInputs = old.nativeBuildInputs ++ [
      pkgs.git # its renames of sources are tested
      pkgs.nodejs # runs CloudFront's function
    ];
    SSL_CERT_FILE = "${pkgs.cacert}/etc/ssl/certs/ca-bundle.crt"; # the publisher loads them, even for a local server
    buildPhase = "RUST_TEST_THREADS=$((2 * NIX_BUILD_CORES)) cargo test --offline --workspace"; # no lints, which depend on the toolchain
    dontCargoInstall = true;
    installPhase = ''touch "$out"'';
  });

  # The tests without a browser, with the export and the checker of the release.
  web = site.overrideAttrs {
    pname = "web-tests";
    src = source [
      ../.oxlintrc.json
      ../docs/.vitepress # imported by scripts
      ../package.json
      ../package-lock.json
      ../scripts
      ../site
      ../sitegate.schema.json # whose page is tested
      ../sitegate.toml
      ../tsconfig.json
      ../vitest.config.ts
    ];
    SITEGATE = lib.getExe checker;
    buildPhase = ''
      runHook preBuild
      npx tsc --noEmit
      npx oxlint --deny-warnings --ignore-pattern node_modules # without git, oxlint cannot ignore them
      mkdir -p site/dist
      cp -r --no-preserve=mode ${site} site/dist/client
      npx vitest run --project unit --project contract
      runHook postBuild
    '';
    installPhase = ''touch "$out"'';
  };

  # The export must not depend on the folder, time or locale of the build.
  reproducible =
    let
      elsewhere = site.overrideAttrs {
        pname = "site-built-elsewhere";
        TZ = "Pacific/Kiritimati";
        LC_ALL = "tr_TR.UTF-8";
        preUnpack = "mkdir -p a/deeper/place && cd a/deeper/place && umask 077";
      };
    in
    pkgs.runCommand "reproducible" { } ''
      diff --recursive --no-dereference ${site} ${elsewhere}
      touch "$out"
    '';

  mutations = pkgs.runCommand "mutations" { nativeBuildInputs = [ checker ]; } (
    ''
      refused() { # RULE: the export in ./site must fail the gate by this rule
        local code=0
        sitegate check --config ${contract} --format json site > findings.json || code=$?
        if [ "$code" != 1 ] || ! grep -q "\"rule\": *\"$1\"" findings.json; then
          echo "$1: the gate exited with $code, but this rule should have failed"
          cat findings.json
          exit 1
        fi
        chmod -R u+w site && rm -r site
      }
      fresh() { cp -r ${site} site && chmod -R u+w site; }
    ''
    + lib.concatMapStrings (
      { rule, change }:
      ''
        fresh
        (cd site; ${change})
        if diff -rq ${site} site > /dev/null; then echo ${lib.escapeShellArg "${change}: changed nothing"}; exit 1; fi
        refused ${rule}
      ''
    ) refusals
    + ''
      fresh
      sitegate check --config ${contract} site
      touch "$out"
    ''
  );

  # The settings of a deployment reach all pages and pass the gate, and no sample address remains.
  settings =
    let
      own = mkRelease ({ inherit system; } // deployment);
    in
    pkgs.runCommand "settings" { } ''
      grep -rqF ${deployment.origin} ${own}/site/index.html
      grep -rqF ${deployment.demoUrl} ${own}/site/index.html
      grep -rqF ${deployment.email.legal} ${own}/site/terms/index.html
      if grep -rE 'www\.example\.com|cal\.example\.com|(team|legal|privacy)@example\.com' ${own}/site; then
        echo 'the release contains a sample address'; exit 1
      fi
      touch "$out"
    '';

  # Any export can pass the gate, with the default rules or with a contract.
  foreign =
    let
      byDefault = mkRelease {
        inherit system;
        site = foreign;
      };
      byContract = mkRelease {
        inherit system;
        site = foreign;
        contract = builtins.toFile "sitegate.toml" ''
          [pages]
          required = ["/"]
        '';
      };
    in
    pkgs.runCommand "foreign" { } ''
      grep -q '"contract": *null' ${byDefault}/seal.json
      if grep -q '"contract": *null' ${byContract}/seal.json; then exit 1; fi
      cmp ${foreign}/index.html ${byDefault}/site/index.html
      touch "$out"
    '';
}
