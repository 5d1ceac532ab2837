# Builds a release with settings from environment variables, for CI:
#
#   SITE_ORIGIN=https://www.example.com nix build --impure --file nix/from-environment.nix
let
  inherit (builtins) currentSystem getEnv getFlake;
in
(getFlake (toString ../.)).lib.mkRelease {
  system = currentSystem;
  name = getEnv "SITE_NAME";
  origin = getEnv "SITE_ORIGIN";
  demoUrl = getEnv "SITE_DEMO_URL";
  email = {
    team = getEnv "SITE_EMAIL_TEAM";
    legal = getEnv "SITE_EMAIL_LEGAL";
    privacy = getEnv "SITE_EMAIL_PRIVACY";
  };
}
