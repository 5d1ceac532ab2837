// Checks how the project writes: words to avoid, long sentences and long lines. The words are in prose.json.
//
//   node scripts/prose.mjs [PATH…]    checks all tracked files, or only those below the paths
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** @type {{ words: { pattern: string, use: string }[], sentence: number, line: number, allow: { file: string, text: string }[] }} */
const { words, sentence: longest, line: widest, allow } = JSON.parse(readFileSync(join(root, 'scripts/prose.json'), 'utf8'));
const patterns = words.map(({ pattern, use }) => ({ pattern: new RegExp(pattern, 'gi'), use }));
// Fixtures, generated files, the website's copy and the licenses of others.
const excluded = /(^|\/)(cases|fixtures|snapshots|formats|tests\/commands|fonts|expected)\/|^(site\/content\/.*\.md|docs\/sample|THIRD-PARTY\.md|LICENSE)|\.d\.ts$|prose\.(mjs|json)$/;

/**
 * @typedef {{ line: number, text: string }} Passage prose, and the line that it begins on
 */

/**
 * Appends a line to the last passage.
 *
 * @param {Passage[]} passages
 * @param {string} line
 */
function append(passages, line) {
  const last = passages.at(-1);
  if (last) last.text += ` ${line.trim()}`;
}

/** Lines of Markdown that are prose, each paragraph as one passage. @param {string} source @returns {Passage[]} */
function markdown(source) {
  const passages = /** @type {Passage[]} */ ([]);
  let fence = '';
  let isOpen = false;
  source.split('\n').forEach((text, at) => {
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1] ?? '';
    if (mark && (!fence || mark.startsWith(fence))) fence = fence ? '' : mark;
    const isProse = !fence && !mark && text.trim() !== '' && !/^\s*(<|\||---|\[[^\]]+\]: )/.test(text);
    const isNew = !isOpen || /^\s*([-*] |\d+\. |#|>)/.test(text);
    if (isProse && isNew) passages.push({ line: at + 1, text: text.replace(/^\s*([-*>]|\d+\.|#+) /, '') });
    else if (isProse) append(passages, text);
    else if (/^\s*\|/.test(text)) for (const cell of text.split('|')) passages.push({ line: at + 1, text: cell.trim() });
    isOpen = isProse && !text.startsWith('#');
  });
  return passages;
}

/** Comments of a source file, those on successive lines as one passage; of Rust also the strings. @param {string} source @param {string} file @returns {Passage[]} */
function code(source, file) {
  const passages = /** @type {Passage[]} */ ([]);
  const comment = /\.(rs|mjs|js|ts|tsx|css)$/.test(file) ? /^\s*(?:\/\/[/!]?|\/?\*\*?)\s?(.*?)(?:\*\/)?$/ : /^\s*#(?!!)\s?(.*)$/;
  let last = -1;
  source.split('\n').forEach((text, at) => {
    const content = comment.exec(text)?.[1];
    if (content === undefined) return;
    if (last === at - 1 && content.trim() !== '' && passages.length > 0) append(passages, content);
    else passages.push({ line: at + 1, text: content.trim() });
    last = content.trim() === '' ? -1 : at;
  });
  if (file.endsWith('.rs')) {
    const isText = /\s\S+\s/;
    for (const { 0: text, 1: content = '', index } of source.matchAll(/(?<!')"((?:[^"\\]|\\[^])*)"/g)) {
      if (!text.includes('://') && isText.test(content)) {
        passages.push({ line: source.slice(0, index).split('\n').length, text: content.replaceAll(/\\\n\s*/g, '').replaceAll('\\n', '. ') });
      }
    }
    for (const { 1: name = '', index } of source.matchAll(/\bfn (\w+)/g)) {
      if (name.includes('_')) passages.push({ line: source.slice(0, index).split('\n').length, text: name.replaceAll('_', ' ') });
    }
  }
  return passages;
}

const plain = (/** @type {string} */ text) =>
  text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/`[^`]*`/g, '`…`').replaceAll(/\*\*|<[^>]+>/g, '');

/** @param {string} file @returns {string[]} */
function check(file) {
  const source = readFileSync(join(root, file), 'utf8');
  const isMarkdown = file.endsWith('.md');
  const found = /** @type {[number, string][]} */ ([]);
  for (const { line, text } of isMarkdown ? markdown(source) : code(source, file)) {
    const prose = plain(text);
    for (const { pattern, use } of patterns) {
      for (const [word] of prose.matchAll(pattern)) {
        const isAllowed = allow.some((entry) => file.startsWith(entry.file) && prose.includes(entry.text));
        if (!isAllowed) found.push([line, `“${word.trim()}”: write ${use}`]);
      }
    }
    for (const one of prose.split(/(?<=[.:;?!])\s+/)) {
      const count = one.split(/\s+/).length;
      if (count > longest) found.push([line, `a sentence of ${count} words; at most ${longest}`]);
    }
  }
  if (isMarkdown) {
    let inCode = false;
    source.split('\n').forEach((text, at) => {
      if (/^\s*```/.test(text)) inCode = !inCode;
      const isWide = [...text].length > widest && !inCode && !/^\s*(\||<|\[!|!\[)/.test(text);
      if (isWide) found.push([at + 1, `a line of ${[...text].length} columns; at most ${widest}`]);
    });
  }
  return found.toSorted(([a], [b]) => a - b).map(([line, fault]) => `${file}:${line}: ${fault}`);
}

const paths = process.argv.slice(2);
const tracked = execFileSync('git', ['ls-files', '--', ...(paths.length > 0 ? paths : ['.'])], { cwd: root, encoding: 'utf8' });
const files = tracked.split('\n').filter((file) => /\.(rs|md|mjs|js|ts|tsx|css|nix|sh|ya?ml|toml)$/.test(file) && !excluded.test(file));
const faults = files.flatMap(check);
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\n\n${faults.length} places to rewrite, in ${files.length} files`);
  process.exit(1);
}
