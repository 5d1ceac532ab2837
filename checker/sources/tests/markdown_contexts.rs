//! The contexts that show a link, and those that only contain the text of one.

use sitegate_sources::{SourceOptions, scan};

/// Contexts that show no link: `@` is `[x](/y)`.
const HIDDEN: &[&str] = &[
    // Code.
    "    @",
    "\t@",
    "- a\n\n      @",
    "> \t\t@",
    "`@`",
    "`` ` @ ``",
    "`a\n@`",
    "```\n@\n```",
    "```js title=\"a\" {1,2}\n@\n```",
    "~~~ ```\n@\n~~~",
    "````md\n```\n@\n```\n````",
    "```\n@",
    "a\n\n[^1]: @",
    // The word `markdown` is no attribute, or has the value 0, or its element is code.
    "<pre><code class=\"hljs markdown\">\n@\n</code></pre>",
    "<pre class=\"markdown\">\n@\n</pre>",
    "<div class=\"markdown\">\n@\n</div>",
    "<div title=\"a markdown b\">\n@\n</div>",
    "<div data-lang=markdown>\n@\n</div>",
    "<div>Write markdown here:<br>\n@\n</div>",
    "<div markdown=\"0\">\n@\n</div>",
    "<pre markdown=\"1\">\n@\n</pre>",
    "  <div markdown>\n  @\n  </div>",
    "- ```\n  @\n  ```",
    "> ```\n> @\n> ```",
    "``` {.python #id}\n@\n```",
    "```{python}\n@\n```",
    "```{r, echo=FALSE}\n@\n```",
    "!!! note\n\n        @",
    "!!! note\n    ~~~\n    @\n    ~~~",
    "=== \"a\"\n\n    ```\n    @\n    ```",
    "1. a\n\n   ```\n   @\n   ```",
    "| a |\n|---|\n| `@` |",
    "| a |\n|---|\n    @",
    "# `@`",
    ":::note\n```\n@\n```\n:::",
    ":::note\n\n    @\n\n:::",
    "[^1]: a\n\n        @",
    "<pre>\n@\n</pre>",
    "<pre><code>\n\n@\n</code></pre>",
    // Comments.
    "<!-- @ -->",
    "<!--\n\n@\n\n-->",
    "a <!-- @ --> b",
    "<!-- @",
    "<div><!--\n\n@\n\n--></div>",
    "[//]: # (@)",
    "[//]: # \"@\"",
    "[comment]: <> (@)",
    "% @",
    "> % @",
    "{# @ #}",
    "{#\n\n@\n\n#}",
    "{% comment %}@{% endcomment %}",
    "{%- comment -%}\n\n@\n\n{%- endcomment -%}",
    "{{/* @ */}}",
    "{{!-- @ --}}",
    "<%# @ %>",
    "<%-- @ --%>",
    "{/* @ */}",
    "{/*\n\n@\n\n*/}",
    "<? @ ?>",
    "<![CDATA[@]]>",
    "<!A @>",
    // Raw blocks and elements.
    "{% raw %}@{% endraw %}",
    "{% raw %}\n\n@\n\n{% endraw %}",
    "{%- raw -%}\n```\n@\n```\n{%- endraw -%}",
    "{% verbatim %}@{% endverbatim %}",
    "{% highlight md %}\n@\n{% endhighlight %}",
    "{{< highlight md >}}\n@\n{{< /highlight >}}",
    "{{% raw %}}@{{% /raw %}}",
    "<script>@</script>",
    "<script>\n\n@\n</script>",
    "<style>\n@\n\n@\n</style>",
    "<textarea>\n@\n\n@\n</textarea>",
    "a <textarea>@</textarea>",
    "a <title>@</title>",
    "a <xmp>@</xmp>",
    "a <iframe>@</iframe>",
    "a <noscript>@</noscript>",
    "<div><textarea>\n\n@\n\n</textarea></div>",
    "<div>\n@\n</div>",
    "<b title=\"@\">",
    "a <b title=\"@\">c</b>",
    // Formulas.
    "$@$",
    "$$@$$",
    "$$\n@\n$$",
    "$$\n\n@\n\n$$",
    "\\(@\\)",
    "\\[\n@\n\\]",
    // Text that looks like a link.
    "\\@",
    "[x]\\(/y)",
    "![a @ b](/z)",
    "[a](/z \"@\")",
    "[a]: /z \"@\"",
    // Front matter.
    "---\na: '@'\n---\n",
    "+++\na = '@'\n+++\n",
    "\u{feff}---\r\na: '@'\r\n---\r\n",
    // Directives.
    "```{code-block} md\n@\n```",
    "```{math}\n@\n```",
    "```{raw} html\n@\n```",
    "```{mermaid}\n@\n```",
    ":::{code-block} md\n@\n:::",
    ":::{mermaid}\n@\n:::",
];

/// Contexts that show a link.
const SHOWN: &[&str] = &[
    "@",
    "a @ b",
    "# @",
    "@\n===",
    "- @\n  - @",
    "> @",
    "**@** *@* ~~@~~",
    "a\n    @",
    "1. a\n\n   @",
    "| a |\n|---|\n| @ |",
    "<div>\n\n@\n\n</div>",
    "<b>@</b>",
    "a <pre>@</pre>",
    "a <code>@</code>",
    "<!-- a -->\n\n@",
    "a <!-- b --> @",
    "`<!--` @",
    "`<!--`\n\n@\n\n`-->`",
    "```\n<!--\n```\n\n@",
    "    <!--\n\n@",
    "`{% raw %}` @ `{% endraw %}`",
    "```\n{% raw %}\n```\n@\n```\n{% endraw %}\n```",
    "`{#` @ `#}`",
    "`{/*` @ `*/}`",
    "# a {#id}\n\n@\n\n# b {#c}",
    "```a```\n@",
    "`a @",
    "costs $5 @ or $10",
    "$5 @",
    "$$ @",
    "US$ @ $",
    "\\$a @ b\\$",
    "$`a`$ @ $`b`$",
    "\\[ @ \\]",
    "!!! note\n    @",
    "!!! note \"a\"\n\n    @\n\n    b",
    "??? tip\n\n    - a\n\n        @",
    "=== \"a\"\n\n    @\n\n=== \"b\"\n\n    @",
    "- a\n\n    !!! note\n\n        @",
    ":::note\n@\n:::",
    "::: tip a\n@\n:::\n@",
    "> :::note\n> @\n> :::",
    "- :::note\n  @\n  :::\n- @",
    ":::note @\n:::",
    "**a**:::b\n@",
    "[^1]: @\n\na[^1]",
    "[^1]: a\n\n    @\n\nb[^1]",
    "{{< note >}}\n@\n{{< /note >}}",
    "{% if a %}@{% endif %}",
    "{{ a }} @",
    "{# a #}\n@",
    "a {# b #} @",
    "---\na: b\n---\n@",
    "\u{feff}---\na: b\n---\n\n@",
    "---\r\na: b\r\n---\r\n\r\n@\r\n",
    "a\n\n---\n\n@",
    "<details>\n<summary>a</summary>\n\n@\n\n</details>",
    "a <textarea>b</textarea> @",
    "<div markdown=\"1\">\n@\n</div>",
    "<figure markdown>@</figure>",
    "1. a\n\n    <figure markdown>\n        @\n    </figure>",
    "!!! note\n    <figure markdown>\n        @\n    </figure>",
    "```{note}\n@\n```",
    ":::{other-extension}\n@\n:::",
    ":::{glossary}\na\n  @\n\n    :::{note}\n    b\n    :::\n:::",
    "````{tip}\n```{note}\n@\n```\n````",
    "```{figure} /z.png\n@\n```",
    "- [ ] @",
    "[![i](/z)](/w) @",
    "%}\n@",
    "100 % @",
];

/// Returns the number of links to `/y`.
fn count(text: &str) -> usize {
    let scan = scan("a.md", text, SourceOptions::default());
    scan.references.iter().filter(|reference| reference.target == "/y" && reference.uses > 0).count()
}

#[test]
fn finds_no_link_in_text_that_is_none() {
    let found: Vec<_> =
        HIDDEN.iter().map(|context| context.replace('@', "[x](/y)")).filter(|text| count(text) > 0).collect();
    assert_eq!(found, [""; 0]);
}

/// A context hides nothing after it, if it ends. A comment in an element ends only in HTML: Markdown shows `--&gt;`.
#[test]
fn finds_links_after_hidden_text() {
    let unclosed = ["```\n@", "<!-- @", "[a]: /z \"@\"", "<div><!--\n\n@\n\n--></div>"];
    for context in HIDDEN.iter().filter(|context| !unclosed.contains(context)) {
        let text = format!("{}\n\n# [x](/y)\n", context.replace('@', "[x](/y)"));
        assert_eq!(count(&text), 1, "{text}");
    }
}

#[test]
fn finds_each_link_that_is_shown() {
    let is_missed = |context: &&&str| count(&context.replace('@', "[x](/y)")) != context.matches('@').count();
    let missed: Vec<_> = SHOWN.iter().filter(is_missed).collect();
    assert_eq!(missed, [&""; 0]);
}
