//! Finds the comments and raw blocks of template languages in any authored text.

use std::ops::Range;

use memchr::memmem;

/// Tags of Liquid, Jinja and Twig whose content is code, text or a comment.
const RAW_TAGS: [&str; 7] = ["raw", "verbatim", "comment", "highlight", "codeblock", "doc", "literal"];

/// Shortcodes of Hugo and its themes whose content is code or raw HTML.
const RAW_SHORTCODES: [&str; 11] = [
    "highlight",
    "raw",
    "code",
    "codeblock",
    "rawhtml",
    "mermaid",
    "math",
    "katex",
    "latex",
    "chroma",
    "comment",
];

/// Comments that end at the first end mark.
const COMMENTS: [(&str, &str); 8] = [
    ("{{/*", "*/}}"),
    ("{{- /*", "*/ -}}"),
    ("{{</*", "*/>}}"),
    ("{{%/*", "*/%}}"),
    ("{{!--", "--}}"),
    ("{/*", "*/}"),
    ("<%#", "%>"),
    ("<%--", "--%>"),
];

/// Returns the ranges of a part of a text that a template language hides: its comments and raw blocks. What begins in code,
/// given as sorted ranges, hides only code. The markup in a raw block is shown as text in examples, or as it is; which of
/// both is not known.
pub(crate) fn hidden_outside(text: &str, range: Range<usize>, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[..range.end];
    let mut ends = Ends::default();
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(open) = memchr::memchr2(b'{', b'<', &bytes[at..]).map(|open| at + open) {
        at = open + 1;
        let next = code.partition_point(|code| code.end <= open);
        if let Some(code) = code.get(next).filter(|code| code.start <= open) {
            at = code.end.min(range.end);
            continue;
        }
        if let Some(end) = hidden_end(bytes, open, &mut ends) {
            found.push(open..end);
            at = end;
        }
    }
    found
}

/// Ends that a text does not have, so that openers without an end do not search the whole text again each time.
#[derive(Default)]
pub(super) struct Ends {
    /// The next start of an end mark; `None` if there is no more.
    marks: Vec<(&'static str, Option<usize>)>,
    /// Names of blocks without an end after the last opener.
    unclosed: Vec<&'static str>,
}

impl Ends {
    /// Returns the offset after the next end mark. The offsets of a mark must not decrease between calls.
    pub fn after(&mut self, bytes: &[u8], mark: &'static str, from: usize) -> Option<usize> {
        let index = self.marks.iter().position(|known| known.0 == mark).unwrap_or_else(|| {
            self.marks.push((mark, Some(0)));
            self.marks.len() - 1
        });
        let next = &mut self.marks[index].1;
        if next.is_some_and(|at| at < from) || *next == Some(0) {
            *next = memmem::find(bytes.get(from..)?, mark.as_bytes()).map(|found| from + found);
        }
        next.map(|at| at + mark.len())
    }

    /// Returns the end of a block, unless an earlier block of the same name had none.
    fn block_end(&mut self, name: &'static str, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        if self.unclosed.contains(&name) {
            return None;
        }
        let end = find();
        if end.is_none() {
            self.unclosed.push(name);
        }
        end
    }
}

/// Returns the end of what is hidden from an offset.
fn hidden_end(bytes: &[u8], open: usize, ends: &mut Ends) -> Option<usize> {
    let rest = &bytes[open..];
    if let Some((mark, end)) = COMMENTS.iter().find(|(mark, _)| rest.starts_with(mark.as_bytes())) {
        return ends.after(bytes, end, open + mark.len());
    }
    match (rest.get(1)?, rest.get(2)?) {
        (b'{', b'!') => ends.after(bytes, "}}", open + 3),
        // `{{#if}}` of Handlebars, `{#id}` of headings and `{#if …}` of Svelte are no comments.
        (b'#', _) if open > 0 && bytes[open - 1] == b'{' || is_attribute_list(&rest[2..]) => None,
        (b'#', _) => ends.after(bytes, "#}", open + 2),
        (b'%', _) => {
            let (name, name_end) = tag_name(bytes, open + 2)?;
            let after = ends.after(bytes, "%}", name_end)?;
            if name == b"#" {
                return Some(after);
            }
            let name = RAW_TAGS.iter().find(|raw| raw.as_bytes() == name)?;
            ends.block_end(name, || tag_end(bytes, name, after))
        }
        (b'{', b'<' | b'%') => {
            let (name, name_end) = tag_name(bytes, open + 3)?;
            let name = RAW_SHORTCODES.iter().find(|raw| raw.as_bytes() == name)?;
            let after = ends.after(bytes, "}}", name_end)?;
            ends.block_end(name, || shortcode_end(bytes, name, after))
        }
        _ => None,
    }
}

/// Whether a text begins with `id}` or `id .class key=value}`, without an end of a comment.
fn is_attribute_list(rest: &[u8]) -> bool {
    let end = rest.iter().position(|byte| matches!(byte, b'}' | b'{' | b'\n'));
    let Some(end) = end.filter(|end| rest[*end] == b'}' && *end > 0) else { return false };
    rest[0].is_ascii_alphanumeric() && rest[end - 1] != b'#'
}

/// Returns the name in a tag and the offset after it, from the offset after `{%`.
fn tag_name(bytes: &[u8], from: usize) -> Option<(&[u8], usize)> {
    let mut start = from + usize::from(bytes.get(from).is_some_and(|byte| b"-~+".contains(byte)));
    start += bytes.get(start..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let rest = &bytes[start..];
    let length = match rest.first()? {
        b'#' => 1,
        _ => rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count(),
    };
    (length > 0).then_some((&rest[..length], start + length))
}

/// Returns the offset after `{% endraw %}`. Comments nest in Liquid; if the ends are fewer, the first one counts.
fn tag_end(bytes: &[u8], name: &str, from: usize) -> Option<usize> {
    let mut depth = 1_usize;
    let mut first = None;
    for tag in memmem::find_iter(&bytes[from..], b"{%").map(|tag| from + tag) {
        let Some((found, found_end)) = tag_name(bytes, tag + 2) else { continue };
        if found.strip_prefix(b"end") == Some(name.as_bytes()) {
            let end = memmem::find(&bytes[found_end..], b"%}").map(|end| found_end + end + 2)?;
            first = first.or(Some(end));
            depth -= 1;
            if depth == 0 {
                return Some(end);
            }
        } else if name == "comment" && found == b"comment" {
            depth += 1;
        }
    }
    first
}

/// Returns the offset after `{{< /highlight >}}`.
fn shortcode_end(bytes: &[u8], name: &str, from: usize) -> Option<usize> {
    memmem::find_iter(&bytes[from..], b"{{").map(|close| from + close).find_map(|close| {
        let rest =
            bytes.get(close + 2..)?.strip_prefix(b"<").or_else(|| bytes[close + 2..].strip_prefix(b"%"))?;
        let end_name = rest.trim_ascii_start().strip_prefix(b"/")?.trim_ascii_start();
        end_name.starts_with(name.as_bytes()).then_some(())?;
        memmem::find(&bytes[close..], b"}}").map(|end| close + end + 2)
    })
}

#[cfg(test)]
mod tests {
    use super::hidden_outside;

    fn hidden(text: &str) -> Vec<&str> {
        let found = hidden_outside(text, 0..text.len(), &[]);
        found.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_comments_and_raw_blocks() {
        for text in [
            "{% raw %}a{% endraw %}",
            "{%- verbatim -%}{{ a }}{%- endverbatim -%}",
            "{% comment %}a{% comment %}b{% endcomment %}c{% endcomment %}",
            "{% comment %}a{% comment %}b{% endcomment %}",
            "{% highlight ruby %}a{% endhighlight %}",
            "{% # a %}",
            "{# a {{ b }} #}",
            "{#a#}",
            "{#\n a\n#}",
            "{{/* a */}}",
            "{{- /* a */ -}}",
            "{{</* ref \"a\" */>}}",
            "{{%/* ref \"a\" */%}}",
            "{{!-- a }} b --}}",
            "{{! a }}",
            "{{< highlight go \"a=b\" >}}a{{< /highlight >}}",
            "{{% raw %}}a{{% / raw %}}",
            "<%# a %>",
            "<%-- a --%>",
            "{/* a */}",
        ] {
            assert_eq!(hidden(&format!("x {text} y")), [text]);
        }
    }

    #[test]
    fn finds_nothing_else() {
        for text in [
            "# T {#id} #}",
            "# T {#id .class} #}",
            "{#if a}{/if} #}",
            "{{#if a}} #}",
            "{% raw %} a",
            "{% if a %}b{% endif %}",
            "{{< ref \"a\" >}}",
            "{{< note >}}a{{< /note >}}",
            "{ /* a */ }",
            "{# a",
            "{{< highlight go >}}a",
            "{%",
            "{{<",
            "{#",
            "<%",
        ] {
            assert!(hidden(text).is_empty(), "{text}");
        }
    }
}
