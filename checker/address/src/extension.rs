//! Lists the extensions of pages, and of the files that generators make pages of.

/// Extensions of pages.
pub const PAGE_EXTENSIONS: [&str; 3] = ["html", "htm", "xhtml"];

/// Extensions of texts that generators make pages of: Markdown, `MDX`, Markdoc, reStructuredText, `AsciiDoc`, Org, and
/// notebooks of Jupyter.
pub const SOURCE_EXTENSIONS: [&str; 9] =
    ["md", "mdx", "markdown", "mdoc", "rst", "adoc", "asciidoc", "org", "ipynb"];

/// Whether files with this extension are pages, in any case.
#[inline]
pub fn is_page_extension(extension: impl AsRef<[u8]>) -> bool {
    is_one_of(extension.as_ref(), &PAGE_EXTENSIONS)
}

/// Whether generators make pages of files with this extension, in any case.
#[inline]
pub fn is_source_extension(extension: impl AsRef<[u8]>) -> bool {
    is_one_of(extension.as_ref(), &SOURCE_EXTENSIONS)
}

/// Whether an extension is in a list, in any case.
#[inline]
pub fn is_one_of(extension: &[u8], extensions: &[&str]) -> bool {
    extensions.iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
}
