import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A regular expression of the product's source. */
export interface Pattern {
  source: string;
  flags: string;
}

export interface PatternsOfFile {
  /** From the root of the repository. */
  file: string;
  patterns: Pattern[];
  /** Calls of `RegExp` whose pattern is only known at run time, as they are written. */
  built: string[];
}

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = ['protocol', 'client', 'server', 'sdk', 'widget', 'dashboard'];
const PRODUCT = /^(?:src|worker|bin)\/(?!.*\.test\.tsx?$)(?!.*\.d\.ts$).*\.(?:tsx?|js)$/;

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Shows every node of a syntax tree to `see`. */
export function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, see);
  } else if (isNode(value)) {
    see(value);
    for (const below of Object.values(value)) visit(below, see);
  }
}

/** The text of an expression made of literals and of constants of the same file; else undefined. */
function textOf(node: unknown, constants: ReadonlyMap<string, string>): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'Identifier') return constants.get(String(node.name));
  if (node.type !== 'TemplateLiteral') return undefined;
  const [quasis, expressions] = [node.quasis, node.expressions];
  if (!Array.isArray(quasis) || !Array.isArray(expressions)) return undefined;
  let text = '';
  for (const [at, quasi] of quasis.entries()) {
    const value = at < expressions.length ? textOf(expressions[at], constants) : '';
    if (value === undefined) return undefined;
    text += quasi.value.cooked + value;
  }
  return text;
}

function readFile(file: string): PatternsOfFile {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`);
  const found: PatternsOfFile = { file, patterns: [], built: [] };
  const constants = new Map<string, string>();
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator' && isNode(node.id) && node.id.type === 'Identifier') {
      const text = textOf(node.init, constants);
      if (text !== undefined) constants.set(String(node.id.name), text);
    }
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (node.type === 'Literal' && regex) found.patterns.push({ source: regex.pattern, flags: regex.flags });
    const isMaker = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isMaker || !isNode(node.callee) || node.callee.name !== 'RegExp') return;
    const [pattern, flags] = Array.isArray(node.arguments) ? node.arguments : [];
    const text = textOf(pattern, constants);
    if (text === undefined) found.built.push(source.slice(node.start, node.end).replace(/\s+/g, ' '));
    else found.patterns.push({ source: text, flags: textOf(flags, constants) ?? '' });
  });
  return found;
}

/** Every regular expression that the packages ship, by file. */
export function productPatterns(): PatternsOfFile[] {
  return PACKAGES.flatMap((name) =>
    readdirSync(join(ROOT, 'packages', name), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => PRODUCT.test(path))
      .map((path) => readFile(`packages/${name}/${path}`)),
  ).filter(({ patterns, built }) => patterns.length > 0 || built.length > 0);
}
