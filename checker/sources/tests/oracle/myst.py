"""Writes myst.json: texts with directives and roles of MyST, and the destinations that they render.

Run with `pip install myst-parser`: python …/myst.py > …/myst.json
There are no prices such as "$5 or $10", which MyST reads as a formula, and most other generators do not.
Names of documents are rendered as they are written, because nothing resolves them.
"""

import json
import sys

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import directives, roles
from docutils.parsers.rst import Directive
from docutils.parsers.rst.directives.admonitions import Note
from docutils.parsers.rst.directives.body import Container
from myst_parser.docutils_ import Parser

found: list[str] = []


class Toctree(Directive):
    """The directive of Sphinx: each entry is a document."""

    has_content = True
    optional_arguments = 1
    option_spec = {"maxdepth": int, "hidden": directives.flag, "caption": directives.unchanged, "glob": directives.flag}

    def run(self):
        for line in self.content:
            entry = line.strip()
            if entry and entry != "self" and "*" not in entry:
                found.append(entry[:-1].rsplit("<", 1)[1] if entry.endswith(">") else entry)
        return []


class Dropdown(Note):
    """A directive of sphinx-design with Markdown."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {"open": directives.flag, "class": directives.class_option}


class Code(Directive):
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {"caption": directives.unchanged, "linenos": directives.flag}

    def run(self):
        return [nodes.literal_block("", "\n".join(self.content))]


class Include(Directive):
    required_arguments = 1
    has_content = True
    option_spec = {"lines": directives.unchanged, "language": directives.unchanged}

    def run(self):
        found.append(self.arguments[0])
        return []


def role(name, rawtext, text, lineno, inliner, options=None, content=None):
    found.append(text[:-1].rsplit("<", 1)[1] if text.endswith(">") else text)
    return [], []


directives.register_directive("toctree", Toctree)
for name in ["dropdown", "tab-item", "tab-set", "grid", "margin", "seealso", "versionadded", "todo"]:
    directives.register_directive(name, Dropdown)
for name in ["code-block", "code-cell", "mermaid", "prompt", "unknown-code"]:
    directives.register_directive(name, Code)
for name in ["include", "literalinclude"]:
    directives.register_directive(name, Include)
for name in ["doc", "any", "download"]:
    roles.register_local_role(name, role)
roles.register_local_role("ref", lambda *_args, **_named: ([], []))

L = "[x](/y)"
N = "[n](/n)"
texts = [
    L,
    f"```{{note}}\n{L}\n```",
    f"```{{note}} Title {L}\n[z](/w)\n```",
    f"```{{note}}\n:class: a\n\n{L}\n```",
    f"```{{note}}\n---\nclass: a\n---\n{L}\n```",
    f"````{{note}}\n```{{tip}}\n{L}\n```\n[z](/w)\n````",
    f"`````{{note}}\n````{{tip}}\n```{{warning}}\n{L}\n```\n````\n`````",
    f"~~~{{note}}\n{L}\n~~~",
    f":::{{note}}\n{L}\n:::",
    f":::{{admonition}} Title\n{L}\n:::",
    f"::::{{note}}\n:::{{tip}}\n{L}\n:::\n[z](/w)\n::::",
    f":::{{note}}\n- {L}\n- `{N}`\n:::",
    f":::{{note}}\n:class: a\n\n{L}\n:::",
    f":::{{note}}\n    {N}\n:::",
    f":::{{note}}\n```\n{N}\n```\n{L}\n:::",
    f"```{{code-block}} md\n{N}\n```\n{L}",
    f"```{{code-block}} md\n:linenos:\n\n{N}\n```",
    f":::{{code-block}} md\n{N}\n:::\n{L}",
    f"::::{{code-block}} md\n{N}\n:::\n{N}\n::::\n{L}",
    f":::{{mermaid}}\n{N}\n:::",
    f"```{{mermaid}}\n{N}\n```",
    f"```{{code-cell}} python\n{N}\n```",
    f"```{{unknown-code}}\n{N}\n```",
    f"```python\n{N}\n```",
    f"```{{math}}\n{N}\n```",
    f":::{{math}}\n{N}\n:::",
    f"```{{raw}} html\n{N}\n```",
    f"```{{admonition}} T\n```\n{L}",
    f"- ```{{note}}\n  {L}\n  ```",
    f"> ```{{note}}\n> {L}\n> ```",
    f"> :::{{note}}\n> {L}\n> :::",
    f"1. a\n\n   ```{{note}}\n   {L}\n\n   ```{{image}} i.png\n   ```\n   ```",
    f"````{{note}}\n> {L}\n\n| a |\n|---|\n| [z](/w) |\n````",
    f"````{{note}}\n```\n{N}\n```\n{L}\n````",
    f"````{{note}}\n    {N}\n\n{L}\n````",
    "```{image} i.png\n```",
    "```{image} i.png\n:alt: a\n:target: t.md\n```",
    "```{image} i.png\n---\nalt: a\ntarget: t.md\n---\n```",
    f"```{{figure}} i.png\n:target: t.md\n\nCaption {L}\n```",
    f":::{{figure}} i.png\n:target: t.md\n\nCaption {L}\n:::",
    ":::{image} i.png\n:::",
    ":::{image} i.png\n:target: /t\n:::",
    "```{image} https://e.org/i.png\n```",
    "```{toctree}\none\ntwo/three.md\n```",
    "```{toctree}\n:maxdepth: 2\n:caption: a b\n\none\nTitle <two>\nself\n```",
    "```{toctree}\n---\nmaxdepth: 2\n---\none\nTitle <https://e.org>\n```",
    "```{toctree}\n:glob:\n\na/*\nb\n```",
    ":::{toctree}\n:hidden:\n\none\nT <two>\n:::\n\n[x](/y)",
    "```{include} a.md\n```",
    "```{include} a.md\n:lines: 1-2\n```",
    "```{literalinclude} a.py\n:language: python\n```",
    ":::{include} a.md\n:::\n[x](/y)",
    "{doc}`a`",
    "{doc}`Title <a/b>` and {any}`c` and {download}`d.zip`",
    "{doc}``a``",
    "{ref}`n` [x](/y)",
    "`{doc}` {doc}`a`",
    "```\n{doc}`n`\n```",
    "    {doc}`n`",
    "% [n](/n)\n[x](/y)",
    "a\n% [n](/n)\n[x](/y)",
    "% a\n% [n](/n)\n\n[x](/y)",
    "a % [x](/y)",
    "(label)=\n# T\n\n[x](/y)",
    "+++\n[x](/y)",
    "$a$ [x](/y) $b$",
    "$[n](/n)$ [x](/y)",
    "$$\n[n](/n)\n$$\n\n[x](/y)",
    "[x](a.md) [z](a.md#b) <https://e.org>",
    "[x][a]\n\n[a]: /y",
    "```{note}\n[x][a]\n```\n\n[a]: /y",
    f"```{{dropdown}} A `b`\n:open:\n{L}\n```",
    f"::::{{tab-set}}\n:::{{tab-item}} A\n{L}\n:::\n:::{{tab-item}} B\n```\n{N}\n```\n:::\n::::",
    f"```{{list-table}}\n* - {L}\n  - b\n* - c\n  - [z](/w)\n```",
    f"<!-- {N} -->\n\n{L}",
    f"a[^b]\n\n[^b]: {L}",
    f"````{{note}}\n```{{code-block}} md\n{N}\n```\n````",
    f"```{{note}}\n{L}",
    f":::{{note}}\n{L}",
    f"| a |\n|---|\n| {L} |",
    f"```{{seealso}}\n{L}\n```",
]

settings = {
    "report_level": 5,
    "myst_enable_extensions": ["colon_fence", "dollarmath"],
    "output_encoding": "unicode",
    "myst_suppress_warnings": ["myst"],
    "file_insertion_enabled": False,
    "myst_all_links_external": True,
}


def destinations(text: str) -> list[str]:
    found.clear()
    tree = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    for node in tree.findall():
        for key in ("refuri", "uri"):
            value = getattr(node, "attributes", {}).get(key)
            if value:
                found.append(value)
        if isinstance(node, nodes.problematic):
            print("problem:", repr(text), node.astext(), file=sys.stderr)
    return list(found)


print(json.dumps([{"input": text, "destinations": destinations(text)} for text in texts], indent=1, ensure_ascii=False))
