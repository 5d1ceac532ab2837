//! Decides without parsing whether a script may load anything.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// Words of the language or of bundlers; every script that loads something contains one.
///
/// A `src` or `href` counts if it is a script or a style sheet of the same site.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?-u:\.(?:src|href)[ \n]*=[ \n]*["'`](?:[\w.-]|/[^/"'`])[^"'`:\n]*\.(?:css|m?js)["'`?#])|url\(|import|Worker|Worklet|new URL|fetch|webpack|\.push\(\[\[|sourceMappingURL|__VP_|__SSG_|System|static/|pagePath|require\(\[|require\(\{|requirejs|require\.config|require\s*=|define\(["'`\[]|bundlePath|path_to_searchindex|buildAssetsDir|setDynamicModuleResourcesMap|SwaggerUI|Redoc\.init|createApiReference|\$docsify|Reveal\.initialize"#,
    )
    .ok()
});

/// Whether a script may load anything. If not, it need not be parsed.
pub fn may_load(text: &[u8]) -> bool {
    WORDS.as_ref().is_none_or(|words| words.is_match(text))
}
