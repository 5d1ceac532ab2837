//! Lists the keys and tokens that are found in the content of a file.
//!
//! They are those that scanners for secrets agree on, without keys that are meant for browsers, such as those of Google
//! Maps and Firebase.

use Alphabet::{Any, Hex, Mixed};

/// The characters of a token, which decide whether it looks random.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Digits and letters of any case.
    Any,
    /// Digits, and letters of both cases: a name rarely has all of them.
    Mixed,
    /// Hexadecimal digits.
    Hex,
}

/// A kind of token.
pub(super) struct TokenPattern {
    /// Its kind, with an article.
    pub kind: &'static str,
    /// Texts of which each token has one.
    pub marks: &'static [&'static str],
    /// Number of bytes before the mark in which the token begins.
    pub before: usize,
    /// The token. If it has a group, the group is the secret.
    pub pattern: &'static str,
    pub alphabet: Alphabet,
    /// Whether the token may be longer than the pattern.
    pub is_start: bool,
}

/// Declares the tokens: the kind, the marks, the pattern, the alphabet, and how a token differs from its pattern.
macro_rules! token_patterns {
    ($($kind:literal [$($mark:literal),+] $pattern:literal $alphabet:ident $(before $before:literal)? $(is_start $is_start:literal)?;)+) => {
        /// The tokens.
        pub(super) const PATTERNS: &[TokenPattern] = &[$(TokenPattern {
            kind: $kind,
            marks: &[$($mark),+],
            before: [$($before,)? 0][0],
            pattern: $pattern,
            alphabet: $alphabet,
            is_start: [$($is_start,)? false][0],
        }),+];
    };
}

token_patterns! {
    "a GitHub token" ["ghp_", "gho_", "ghr_", "ghs_", "ghu_"] r"gh[oprsu]_[A-Za-z0-9]{36}" Any;
    "a GitHub token" ["github_pat_"] r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}" Any;
    "a GitLab token" ["glpat-"] r"glpat-[A-Za-z0-9_-]{20}" Any;
    "a GitLab token" ["glpat-"] r"glpat-[A-Za-z0-9_-]{27,300}\.[a-z0-9.]{9,12}" Any;
    "a GitLab token" ["gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-", "glagent-"]
        r"gl(?:dt|rt|ptt|soat|cbt|agent)-[A-Za-z0-9_-]{20,}" Mixed;
    "an npm token" ["npm_"] r"npm_[A-Za-z0-9]{36}" Any;
    "an npm token" ["_authToken"] r"_authToken ?= ?(?<secret>[A-Za-z0-9_./+=-]{20,})" Any;
    "an npm token" ["npmAuthToken"] r#"npmAuthToken: ?"?(?<secret>[A-Za-z0-9_./+=-]{20,})"# Any;
    "a PyPI token" ["pypi-AgE"] r"pypi-AgE[A-Za-z0-9_-]{60}" Mixed is_start true;
    "a RubyGems key" ["rubygems_"] r"rubygems_[a-f0-9]{48}" Hex;
    "a secret key of Stripe" ["sk_live_", "rk_live_"] r"[rs]k_live_[A-Za-z0-9]{24,99}" Any;
    "a signing secret of Stripe" ["whsec_"] r"whsec_[A-Za-z0-9+/]{32,}=*" Mixed;
    "a Slack token" ["xoxb-", "xoxp-"] r"xox[bp]-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9-]{24,64}" Any;
    "a Slack token" ["xapp-"] r"xapp-[0-9]-[A-Z0-9]{9,}-[0-9]{10,}-[a-f0-9]{60,}" Hex;
    "a Slack webhook" ["hooks.slack.com/services/"]
        r"hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/(?<secret>[A-Za-z0-9]{24})" Mixed;
    "a service account key of Google Cloud" ["\"private_key\""]
        r#""private_key"\s*:\s*"-----BEGIN PRIVATE KEY-----\\n(?<secret>[A-Za-z0-9+/\\]{200})"# Any is_start true;
    "a client secret of Google" ["GOCSPX-"] r"GOCSPX-[A-Za-z0-9_-]{28}" Mixed;
    "a secret access key of AWS" ["ccessKey", "ccesskey", "ccess_key", "ccess_Key", "CCESS_KEY", "CCESSKEY"]
        r#"(?:[Ss]ecret_?[Aa]ccess_?[Kk]ey|SECRET_?ACCESS_?KEY)["'` ]{0,2}[:=]["'` ]{0,2}[A-Za-z0-9/+]{40}"# Any before 8;
    "an access key of Azure" ["AccountKey="] r"AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)" Mixed;
    "a client secret of Azure" ["Q~"] r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}" Mixed before 4;
    "a SendGrid key" ["SG."] r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}" Mixed;
    "a Square token" ["sq0csp-"] r"sq0csp-[A-Za-z0-9_-]{43}" Mixed;
    "a Shopify token" ["shpat_", "shpca_", "shppa_", "shpss_"] r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" Hex;
    "a DigitalOcean token" ["dop_v1_", "doo_v1_", "dor_v1_"] r"do[opr]_v1_[a-f0-9]{64}" Hex;
    "a Docker Hub token" ["dckr_pat_"] r"dckr_pat_[A-Za-z0-9_-]{27}" Mixed;
    "a Hugging Face token" ["hf_"] r"hf_[A-Za-z0-9]{34}" Mixed;
    "an OpenAI key" ["T3BlbkFJ"]
        r"sk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_-]{20,74}T3BlbkFJ[A-Za-z0-9_-]{20,74}" Mixed before 100;
    "an Anthropic key" ["sk-ant-"] r"sk-ant-[a-z]+[0-9]{2}-[A-Za-z0-9_-]{80,}" Mixed;
    "a HashiCorp Vault token" ["hvs."] r"hvs\.[A-Za-z0-9_-]{90,}" Mixed;
    "a Terraform Cloud token" [".atlasv1."] r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}" Mixed before 14;
    "a Grafana token" ["glsa_"] r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}" Mixed;
    "a Linear key" ["lin_api_"] r"lin_api_[A-Za-z0-9]{40}" Mixed;
    "a Postman key" ["PMAK-"] r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}" Hex;
    "a Pulumi token" ["pul-"] r"pul-[a-f0-9]{40}" Hex;
    "a Supabase token" ["sbp_"] r"sbp_[a-f0-9]{40}" Hex;
    // A JSON Web Token with the role in its payload, which is Base64 at any of three offsets.
    "a service role key of Supabase" ["InJvbGUiOiJzZXJ2aWNlX3JvbGUi", "Jyb2xlIjoic2VydmljZV9yb2xlI", "icm9sZSI6InNlcnZpY2Vfcm9sZS"]
        r"eyJ[A-Za-z0-9_-]{10,200}\.eyJ[A-Za-z0-9_-]{20,600}\.(?<secret>[A-Za-z0-9_-]{40,})" Mixed before 600;
    "a token of a Telegram bot" [":AAE", ":AAF", ":AAG", ":AAH"]
        r"[0-9]{8,10}:AA[E-H][A-Za-z0-9_-]{32}" Mixed before 10;
    "a key of age" ["AGE-SECRET-KEY-1"] r"AGE-SECRET-KEY-1[0-9AC-HJ-NP-Z]{58}" Any;
    "credentials of a Kubernetes cluster" ["client-key-data:"]
        r#"client-key-data: ?"?(?<secret>[A-Za-z0-9+/]{100})"# Any is_start true;
    "credentials of a Kubernetes cluster" ["kind: Config"]
        r#"kind: Config\b(?s:.{0,600}?)\n\s+token: ?["']?(?<secret>[A-Za-z0-9._-]{20,})"# Any;
    "credentials of a Docker registry" ["\"auths\""]
        r#""auths"\s*:\s*\{[^}]{0,300}?"auth"\s*:\s*"(?<secret>[A-Za-z0-9+/]{16,}={0,2})""# Any;
}
