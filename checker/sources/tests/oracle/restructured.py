"""Renders reStructuredText with Sphinx, and compares the references with those of a scan.

    python -m venv v && v/bin/pip install sphinx        # 9.0.4, with docutils 0.22.4
    v/bin/python restructured.py update                  # writes the references of restructured.json again
    v/bin/python restructured.py add FILE…               # adds texts, which are separated by lines of `%%%%`
    cargo build --example list_references
    v/bin/python restructured.py compare PROGRAM FILE…   # compares files; PROGRAM is target/debug/examples/list_references
    v/bin/python restructured.py docstrings PROGRAM FILE…   # the same for the docstrings of Python modules

Directives that read files are replaced by ones that name them. Unknown directives have reStructuredText as content, as
those of most extensions.
"""

import ast
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.directives.misc import Raw
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude
from sphinx.directives.other import Include, TocTree
from sphinx.directives.patches import CSVTable
from sphinx.errors import PycodeError
from sphinx.parsers import RSTParser
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective, _parse_str_to_doctree, sphinx_domains
from sphinx.util.nodes import explicit_title_re

FIXTURE = pathlib.Path(__file__).with_name('restructured.json')
TABLE = pathlib.Path(__file__).parents[2] / 'src/restructured/directive_kinds.rs'
INERT = set(re.findall(r'"([\w:-]+)"', TABLE.read_text().split('INERT: &[&str] = &[')[1].split('];')[0]))


def named(path):
    return nodes.inline('', '', named=path)


class AnyOption(dict):
    """Accepts every option."""

    def __bool__(self):
        return True

    def __missing__(self, name):
        return directives.unchanged


class Named(SphinxDirective):
    """A directive that reads a file."""

    def run(self):
        # Angle brackets name files of docutils.
        has_file = self.arguments and not self.arguments[0].startswith('<')
        found = [named(directives.uri(self.arguments[0]))] if has_file else []
        return found + [named(self.options[name]) for name in ('file', 'url', 'diff') if name in self.options]


def reading(original):
    return type('Reading', (Named,), {
        name: getattr(original, name)
        for name in ('required_arguments', 'optional_arguments', 'final_argument_whitespace', 'option_spec', 'has_content')
    })


class Literal(Directive):
    """A directive whose content is code."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = AnyOption()

    def run(self):
        return []


class Unknown(SphinxDirective):
    """A directive of an extension."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = AnyOption()

    def run(self):
        return self.parse_content_to_nodes(allow_section_headings=True)


class Entries(TocTree):
    """A toctree that names its entries."""

    def run(self):
        found = []
        for entry in self.content:
            explicit = explicit_title_re.match(entry)
            is_url = re.match('(?P<schema>.+)://.*', entry)
            if not entry or 'glob' in self.options and re.match(r'.*[*?\[].*', entry) and not explicit and not is_url:
                continue
            reference = explicit.group(2) if explicit else entry
            if reference != 'self':
                found.append(named(reference))
        return found


def without_reading(original):
    """Returns a directive that names a file instead of reading it, but has its own content."""

    def run(self):
        path = self.options.get('file') or self.options.get('url')
        if not path:
            return original.run(self)
        title = self.make_title()[0] if hasattr(self, 'make_title') else None
        return ([title] if title else []) + [named(path)]

    return type('WithoutReading', (original,), {'run': run})


GRAPH = {'optional_arguments': 1, 'has_content': True, 'final_argument_whitespace': True, 'option_spec': AnyOption()}
REPLACED = {
    'toctree': Entries,
    'include': reading(Include),
    'literalinclude': reading(LiteralInclude),
    'graphviz': type('Graph', (Named,), GRAPH),
    'csv-table': without_reading(CSVTable),
    'raw': without_reading(Raw),
}
find_directive, find_role = directives.directive, roles.role


def directive(name, language, document):
    if replaced := REPLACED.get(name.lower()):
        return replaced, []
    found, messages = find_directive(name, language, document)
    return (found, messages) if found else (Literal if name.lower() in INERT else Unknown, [])


def role(name, language, lineno, reporter):
    found, messages = find_role(name, language, lineno, reporter)
    if found or not name:
        return found, messages
    return (lambda name, raw, text, *_, **__: ([nodes.literal(raw, text)], [])), []


EXTENSIONS = {'extensions': ['sphinx.ext.todo', 'sphinx.ext.ifconfig']}


class Renderer:
    def __init__(self):
        folder = tempfile.mkdtemp()
        pathlib.Path(folder, 'index.rst').write_text('')
        self.app = Sphinx(folder, None, folder + '/o', folder + '/d', 'dummy', EXTENSIONS, status=None, warning=None)
        directives.directive, roles.role = directive, role

    def references(self, text):
        """Returns the destinations in a text, in the order of the document."""
        with sphinx_domains(self.app.env):
            parser = RSTParser()
            parser._config, parser._env = self.app.config, self.app.env
            self.app.env.current_document.docname = 'index'
            self.app.env.current_document.default_domain = self.app.env.domains['py']
            document = _parse_str_to_doctree(
                text,
                filename=self.app.srcdir / 'index.rst',
                default_settings={**self.app.env.settings, 'env': self.app.env},
                env=self.app.env,
                parser=parser,
                transforms=self.app.registry.get_transforms(),
            )
        return list(destinations(document))


GENERATED = {'pep', 'rfc', 'cve', 'cwe'}


def destinations(node):
    for child in node.children:
        if isinstance(child, (nodes.substitution_definition, nodes.system_message, nodes.Text)):
            continue
        if 'named' in child.attributes:
            yield child['named']
        elif isinstance(child, nodes.reference) and 'refuri' in child and not GENERATED & set(child['classes']):
            yield child['refuri']
        elif isinstance(child, nodes.image):
            yield child['uri']
        elif child.attributes.get('reftype') in ('doc', 'any', 'download') and child['refdomain'] not in ('c', 'cpp'):
            yield child['reftarget']
        yield from destinations(child)


def canonical(targets):
    # Sphinx writes `mailto:` before addresses, and resolves the paths of images from the root.
    return collections.Counter(re.sub(r'^(mailto:|/+|(\.\./)+)', '', target) for target in targets)


def scanned(program, paths):
    """Returns the targets of each file, each as often as it is used."""
    found = collections.defaultdict(list)
    output = subprocess.run([program, *paths], check=True, capture_output=True).stdout.decode()
    for line in output.rstrip('\n').split('\n'):
        if line:
            path, _, manner, uses, target = line.split('\t', 4)
            target = re.sub(r'\\u\{(\w+)\}', lambda match: chr(int(match[1], 16)), target)
            if manner not in ('Value', 'Text'):
                found[path] += [re.sub(r'\\(.)', r'\1', target)] * int(uses)
    return found


def compare(program, paths):
    renderer, found = Renderer(), scanned(program, paths)
    total, missed, false, failed = 0, 0, 0, 0
    for path in paths:
        text = pathlib.Path(path).read_text('utf-8-sig', 'replace')
        try:
            expected = canonical(renderer.references(text))
        except Exception as error:
            failed += 1
            print(f'{path}: {type(error).__name__} {error}')
            continue
        actual = canonical(found[path])
        total += sum(expected.values())
        for name, difference in (('missed', expected - actual), ('false', actual - expected)):
            for target, count in difference.items():
                print(f'{path}: {name} {count} {target!r}')
        missed += sum((expected - actual).values())
        false += sum((actual - expected).values())
    print(f'{len(paths) - failed} files, {total} references, {missed} missed, {false} false, {failed} not rendered')


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def documented(node):
    """Returns the docstrings of modules, classes and functions, but not those inside of functions."""
    if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and (text := ast.get_docstring(node)):
        yield text
    for child in ast.iter_child_nodes(node):
        if not isinstance(node, FUNCTIONS):
            yield from documented(child)


def docstrings(program, paths):
    renderer, found = Renderer(), scanned(program, paths)
    total, missed, false, files = 0, 0, 0, 0
    for path in paths:
        try:
            code = pathlib.Path(path).read_text()
            texts = list(documented(ast.parse(code)))
            attributes = ModuleAnalyzer.for_string(code, path).find_attr_docs()
        except (SyntaxError, ValueError, PycodeError):
            continue
        files += 1
        expected = collections.Counter()
        for text in [*texts, *('\n'.join(lines) for lines in attributes.values())]:
            expected += canonical(renderer.references(text))
        actual = canonical(found[path])
        total += sum(expected.values())
        for name, difference in (('missed', expected - actual), ('false', actual - expected)):
            for target, count in difference.items():
                print(f'{path}: {name} {count} {target!r}')
        missed += sum((expected - actual).values())
        false += sum((actual - expected).values())
    print(f'{files} files, {total} references, {missed} missed, {false} false')


def update(texts):
    renderer = Renderer()
    cases = [{'text': text, 'references': sorted(canonical(renderer.references(text)).elements())} for text in texts]
    FIXTURE.write_text(json.dumps(cases, ensure_ascii=False, indent=1) + '\n')


def main(command, *arguments):
    if command == 'compare':
        compare(arguments[0], arguments[1:])
    elif command == 'docstrings':
        docstrings(arguments[0], arguments[1:])
    else:
        texts = [case['text'] for case in json.loads(FIXTURE.read_text())] if FIXTURE.exists() else []
        for path in arguments:
            texts += pathlib.Path(path).read_text().split('%%%%\n')
        update(list(dict.fromkeys(texts)))


if __name__ == '__main__':
    main(*sys.argv[1:])
