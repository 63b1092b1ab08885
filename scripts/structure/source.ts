/** Reads the product's source files into what the structure rules look at: imports, functions and sizes. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';

/** One import of another product file. */
export interface Import {
  /** The imported file, relative to the repository. */
  file: string;
  /** Erased at run time: `import type`, or nothing but `type` names. */
  typeOnly: boolean;
  /** Loaded on demand by `import()`. Not part of a value cycle: the importing file is complete by then. */
  dynamic: boolean;
}

/** One function with its length in lines, from its first to its last line. */
export interface FunctionSize {
  name: string;
  line: number;
  lines: number;
}

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  file: string;
  lines: number;
  imports: Import[];
  /** Specifiers of packages from outside the repository, such as `zod` and `node:fs`. */
  externals: string[];
  functions: FunctionSize[];
  /** Names of exported functions without a doc comment directly above them. */
  undocumented: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Calls `visit` for every node below `node`, with its ancestors, nearest last. */
function walk(node: Node, visit: (node: Node, parents: Node[]) => void, parents: Node[] = []): void {
  visit(node, parents);
  const path = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, path);
    }
  }
}

/** Every file of the repository that git would list under `folder`, without tests and declarations. */
export function productFiles(root: string, folder: string): string[] {
  const files: string[] = [];
  const read = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'dist') read(path);
      } else if (/\.tsx?$/.test(entry.name) && !/(\.test\.tsx?|\.d\.ts)$/.test(entry.name)) {
        files.push(relative(root, path).replaceAll('\\', '/'));
      }
    }
  };
  if (existsSync(join(root, folder))) read(join(root, folder));
  return files.sort();
}

/** The packages by name, for imports such as `@foyer/protocol/bounds`. */
function packageExports(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(root, 'packages'))) {
    const manifest = join(root, 'packages', name, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name: id, exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      name: string;
      exports?: Record<string, unknown>;
    };
    for (const [path, target] of Object.entries(exports ?? {})) {
      const file = typeof target === 'string' ? target : Object.values(target as Record<string, string>)[0];
      if (file) found.set(join(id, path), join('packages', name, file));
    }
  }
  return found;
}

/** The file of a specifier such as `@foyer/protocol` or, by a `./*` pattern, `@foyer/protocol/values/bounds`. */
function inPackage(specifier: string, packages: Map<string, string>): string | null {
  const exact = packages.get(specifier);
  if (exact) return exact;
  const [scope, name, ...rest] = specifier.split('/');
  const pattern = packages.get(`${scope}/${name}/*`);
  return pattern && rest.length > 0 ? pattern.replace('*', rest.join('/')) : null;
}

function resolve(
  root: string,
  from: string,
  specifier: string,
  packages: Map<string, string>,
): string | null {
  const path = specifier.startsWith('.') ? join(dirname(from), specifier) : inPackage(specifier, packages);
  if (!path) return null;
  const candidates = [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')];
  return (
    candidates.find((file) => existsSync(join(root, file)) && statSync(join(root, file)).isFile()) ?? null
  );
}

/** The name that a reader would use for a function: its own, or that of the variable or property holding it. */
function functionName(node: Node, parents: Node[]): string {
  const named = (value: unknown) =>
    isNode(value) && typeof value.name === 'string' ? value.name : undefined;
  const own = named(node.id);
  if (own) return own;
  for (const parent of parents.toReversed()) {
    const name = named(parent.id) ?? named(parent.key);
    if (name) return name;
    if (/Function|Program/.test(parent.type)) break;
  }
  return '(anonymous)';
}

const IS_FUNCTION = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The names of the functions that an `export function` or `export const` statement declares. */
function exportedFunctions({ type, declaration }: Node): string[] {
  if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return [];
  const declared = [declaration, ...((declaration.declarations as Node[] | undefined) ?? [])];
  return declared
    .filter((one) => IS_FUNCTION.has(isNode(one.init) ? one.init.type : one.type))
    .map((one) => functionName(one, []));
}

/** Exported functions without a doc comment on the lines directly above; a blank line between them counts as none. */
function undocumentedExports(text: string, { program, comments }: ReturnType<typeof parseSync>): string[] {
  const docs = comments.filter((one) => one.type === 'Block' && one.value.startsWith('*'));
  return (program.body as unknown as Node[])
    .filter(({ start }) => !docs.some(({ end }) => end <= start && /^\r?\n?$/.test(text.slice(end, start))))
    .flatMap(exportedFunctions);
}

/** Returns the line of an offset, counted from 1, by binary search over the line starts. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function typeOnly(node: Node, list: string): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = (node[list] as Node[] | undefined) ?? [];
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}

/** Parses one file. Throws if it does not parse: a rule that skips such a file would check nothing. */
function readSource(root: string, file: string, packages: Map<string, string>): SourceFile {
  const text = readFileSync(join(root, file), 'utf8');
  const parsed = parseSync(file, text);
  const { program, errors } = parsed;
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const lineAt = lineFinder(text);
  const imports: Import[] = [];
  const externals: string[] = [];
  const functions: FunctionSize[] = [];
  const add = (source: unknown, kind: Pick<Import, 'typeOnly' | 'dynamic'>) => {
    if (!isNode(source) || typeof source.value !== 'string') return;
    const target = resolve(root, file, source.value, packages);
    if (target && /\.tsx?$/.test(target)) imports.push({ file: target, ...kind });
    else if (!target && !source.value.startsWith('.')) externals.push(source.value);
  };
  walk(program as unknown as Node, (node, parents) => {
    if (node.type === 'ImportDeclaration') {
      add(node.source, { typeOnly: typeOnly(node, 'specifiers'), dynamic: false });
    } else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      add(node.source, { typeOnly: typeOnly(node, 'specifiers'), dynamic: false });
    } else if (node.type === 'ImportExpression') {
      add(node.source, { typeOnly: false, dynamic: true });
    } else if (node.type === 'TSImportType') {
      add(node.source, { typeOnly: true, dynamic: false });
    } else if (IS_FUNCTION.has(node.type)) {
      const line = lineAt(node.start);
      functions.push({ name: functionName(node, parents), line, lines: lineAt(node.end) - line + 1 });
    }
  });
  const lines = text.trimEnd().split('\n').length;
  return { file, lines, imports, externals, functions, undocumented: undocumentedExports(text, parsed) };
}

/** All product files of the packages, parsed. */
export function readProduct(root: string): SourceFile[] {
  const packages = packageExports(root);
  return readdirSync(join(root, 'packages'))
    .flatMap((name) => productFiles(root, join('packages', name, 'src')))
    .map((file) => readSource(root, file, packages));
}
