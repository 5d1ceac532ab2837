"""Writes toml.json: random TOML, and its strings as Python's tomllib reads them. Run: python3 toml.py > toml.json"""

import json
import random
import tomllib

random.seed(45)
VALUES = ["/x/", "a/b.md", "é/ü.md", "/y/#f", "https://e.org/a?b=c", "a b/c.md", "a\\b/c.md", "it's/x.md"]


def string(value):
    escaped = "".join(c if c.isascii() and c != "/" else f"\\u{ord(c):04X}" for c in value.replace("\\", "\\\\"))
    forms = [json.dumps(value, ensure_ascii=False), f'"{escaped}"']
    if "'" not in value:
        forms += [f"'{value}'"] * 2
    return random.choice(forms)


def value(depth, found):
    kind = random.randrange(8 if depth < 2 else 4)
    if kind < 4:
        chosen = random.choice(VALUES)
        found.append(chosen)
        return string(chosen)
    if kind == 4:
        return random.choice(["1", "true", '"""/x/"""', "'''/x/'''", '"word"', "2024-01-01", '"""\n/x/ # a\n"""'])
    items = [value(depth + 1, found) for _ in range(random.randint(1, 3))]
    if kind < 7:
        return "[" + random.choice([", ", ",\n  ", ", # '/c/'\n  "]).join(items) + "]"
    return "{ " + ", ".join(f"k{index} = {item}" for index, item in enumerate(items)) + " }"


def strings(table, found):
    for item in table.values() if isinstance(table, dict) else table:
        if isinstance(item, str) and "/" in item:
            found.append(item)
        elif isinstance(item, (dict, list)):
            strings(item, found)


cases = []
while len(cases) < 150:
    found = []
    lines = []
    for index in range(random.randint(1, 6)):
        lines.append(random.choice(["", "", f"[t{index}]", f"[[l{index}]]", "# a = '/c/'"]))
        name = random.choice([f"a{index}", f'"/k{index}/"', f"b-c{index}", f"d.e{index}"])
        lines.append(f"{name} = {value(0, found)}{random.choice(['', ' # /c/'])}")
    text = "\n".join(line for line in lines if line) + "\n"
    try:
        read = []
        strings(tomllib.loads(text), read)
    except tomllib.TOMLDecodeError:
        continue
    multi_line = text.count('"""/x/"""') + text.count("'''/x/'''") + text.count('"""\n/x/')
    assert len(read) == len(found) + multi_line, text
    cases.append({"input": text, "destinations": found})
print("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]")
