import { posix } from 'node:path';
import { type ESTree, parseSync } from 'vite';

const FILES: Record<string, string> = import.meta.glob('../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const sources = Object.entries(FILES)
  .filter(([file]) => !/\.test\.ts$|\/languages\//.test(file))
  .map(([file, text]) => ({ file: file.replace('../src/', ''), text }));

/** The modules from which a file imports phrases, by their paths below `src`. */
const wordsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/from '(\.[^']*\/(?:t|t-common)\.ts)'/g)].map(([, place]) =>
    posix.join(posix.dirname(file), place ?? ''),
  );

/** Whether a file that imports this module names the key, or its beginning in a template: `status_`. */
export function isSaid(module: string, key: string): boolean {
  return sources.some(({ file, text }) => {
    if (!wordsOf(file, text).includes(module) && file !== module) return false;
    if (text.includes(`'${key}'`)) return true;
    return [...text.matchAll(/`([a-z]\w*_)\$\{/g)].some(([, beginning]) => key.startsWith(beginning ?? ' '));
  });
}

type Node = ESTree.Node;

/** Attributes and properties whose strings nobody reads. */
const UNREAD = new Set(['className', 'keys', 'aria-keyshortcuts', 'autoComplete', 'to', 'd']);
/** Calls whose strings users don't see: errors for the console, and names of parts or headers. */
const UNREAD_CALLS = new Set([
  'Error',
  'TypeError',
  'screen',
  'page',
  'lazyPart',
  'cx',
  'setRequestHeader',
  'get',
  'getItem',
  'includes',
]);

const isReadable = (text: string): boolean => /^\P{L}*\p{Lu}\p{Ll}/u.test(text);

const nameOf = (node: unknown): string => {
  if (typeof node !== 'object' || node === null) return '';
  if ('name' in node && typeof node.name === 'string') return node.name;
  return 'property' in node ? nameOf(node.property) : '';
};

/** The strings of a file that users see, by their position or because they begin like a sentence, with their lines. */
export function stringsShown(file: string, code: string): string[] {
  const found: string[] = [];
  const note = (node: { start: number }, text: string): void => {
    const line = code.slice(0, node.start).split('\n').length;
    found.push(`${file}:${line}: ${text.replace(/\s+/g, ' ').trim()}`);
  };
  /** `shown`: between tags, where every letter is visible. */
  const walk = (node: unknown, shown: boolean): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one, shown);
      return;
    }
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    visit(node as Node, shown);
  };
  const walkAll = (node: object, shown: boolean, but: readonly string[] = []): void => {
    for (const [key, value] of Object.entries(node)) if (!but.includes(key)) walk(value, shown);
  };
  const visit = (node: Node, shown: boolean): void => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        walkAll(node, false, ['source']);
        break;
      case 'ImportExpression':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
        break;
      case 'SwitchCase':
        walk(node.consequent, false);
        break;
      case 'BinaryExpression':
        if (node.operator === '+') walkAll(node, shown);
        break;
      case 'MemberExpression':
        walk(node.object, false);
        break;
      case 'NewExpression':
      case 'CallExpression':
        if (!UNREAD_CALLS.has(nameOf(node.callee))) walkAll(node, false);
        break;
      case 'Property':
      case 'JSXAttribute': {
        const name = node.type === 'Property' ? node.key : node.name;
        if (!UNREAD.has(nameOf(name))) walk(node.value, false);
        break;
      }
      case 'JSXElement':
      case 'JSXFragment':
        walkAll(node, false, ['children']);
        for (const child of node.children) {
          if (child.type === 'JSXText') {
            if (/\p{L}/u.test(child.value)) note(child, child.value);
          } else walk(child, child.type === 'JSXExpressionContainer');
        }
        break;
      case 'JSXExpressionContainer':
      case 'ConditionalExpression':
        walkAll(node, shown, ['test']);
        if (node.type === 'ConditionalExpression') walk(node.test, false);
        break;
      case 'LogicalExpression':
        walk(node.left, false);
        walk(node.right, shown);
        break;
      case 'ArrowFunctionExpression':
        walkAll(node, false);
        break;
      case 'TemplateLiteral':
        for (const { value } of node.quasis)
          if (shown ? /\p{L}/u.test(value.raw) : isReadable(value.raw) || / \p{L}{2,} /u.test(value.raw))
            note(node, value.raw);
        walk(node.expressions, false);
        break;
      case 'Literal':
        if (typeof node.value !== 'string') break;
        if (shown ? /\p{L}/u.test(node.value) : isReadable(node.value)) note(node, node.value);
        break;
      default:
        walkAll(node, false);
    }
  };
  walk(parseSync(file, code).program, false);
  return found;
}
