/**
 * The rules of the code's layout. ARCHITECTURE.md explains them; `npm run structure` checks them.
 * A file or folder that no rule names is an error: add a new folder here first.
 */
import { dirname } from 'node:path';
import { findCycles } from './cycles.ts';
import type { SourceFile } from './source.ts';

/** Longest function, longest file, and most product files of one folder. Tables of data are exempt from the second. */
export const LIMITS = { functionLines: 60, fileLines: 500, folderFiles: 20, sharedPrefix: 5 } as const;

/** Which other packages a package may import. Browsers never import the server. */
const PACKAGES: Record<string, readonly string[]> = {
  protocol: [],
  client: ['protocol'],
  server: ['protocol'],
  sdk: ['protocol'],
  widget: ['protocol'],
  dashboard: ['protocol'],
};

const SERVER = 'packages/server/src/';

/** External imports that only some files may use: a pattern of specifiers, and those files. */
const EXTERNALS: readonly { what: RegExp; where: RegExp }[] = [
  { what: /^node:/, where: /^packages\/server\// },
  { what: /^(?!zod$)/, where: /^packages\/(?!protocol\/)/ },
  { what: /^(@fastify\/|fastify$)/, where: /^packages\/server\/src\/(http|app|realtime)\// },
];

/**
 * The server's folders, lowest layer first. A folder imports from lower layers only; folders on one line do not import
 * each other. A name with a slash in front is a file at the root of `src`.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['db'],
  ['core'],
  ['net', 'files', 'i18n', 'text', 'mime', 'ai', 'jobs', 'rollups', 'redis'],
  ['limits', 'backup', 'syslog'],
  ['intents'],
  ['sites'],
  ['mail', 'secrets'],
  ['notifications'],
  ['visitors'],
  ['attachments'],
  ['knowledge'],
  ['tags', 'mentions', 'sla', 'proactive'],
  ['conversations'],
  ['tickets', 'actions'],
  ['bot'],
  ['email'],
  ['writing'],
  ['inbox', 'team'],
  ['reports'],
  ['webhooks'],
  ['rules'],
  ['site-archive'],
  ['imports'],
  ['erasure', 'redactions'],
  ['retention', 'samples'],
  ['/config.ts', '/data-folder.ts'],
  ['/server-secret.ts'],
  ['/registry.ts'],
  ['http', 'realtime'],
  ['app'],
  ['/main.ts', 'demo'],
  ['cli'],
];

const level = new Map(LAYERS.flatMap((names, index) => names.map((name) => [name, index] as const)));

/** The layer name of a server file: its first folder, or `/file.ts` at the root. */
function layerName(file: string): string {
  const [first = '', ...rest] = file.slice(SERVER.length).split('/');
  return rest.length === 0 ? `/${first}` : first;
}

/** One broken rule: what is wrong, where. Sorted and stable, so that it can be compared with the known ones. */
export type Violation = string;

function packageViolations({ file, imports }: SourceFile): Violation[] {
  const name = file.split('/')[1] ?? '';
  const allowed = PACKAGES[name];
  if (!allowed) return [`package without a rule: ${name}`];
  return imports
    .map((one) => one.file.split('/')[1] ?? '')
    .filter((other) => other !== name && !allowed.includes(other))
    .map((other) => `package: ${file} imports ${other}`);
}

function externalViolations({ file, externals }: SourceFile): Violation[] {
  return externals
    .filter((name) => EXTERNALS.some(({ what, where }) => what.test(name) && !where.test(file)))
    .map((name) => `external: ${file} imports ${name}`);
}

function layerViolations({ file, imports }: SourceFile): Violation[] {
  if (!file.startsWith(SERVER)) return [];
  const name = layerName(file);
  const own = level.get(name);
  if (own === undefined) return [`folder without a layer: ${name}`];
  return imports
    .filter((one) => one.file.startsWith(SERVER) && layerName(one.file) !== name)
    .filter((one) => (level.get(layerName(one.file)) ?? Number.POSITIVE_INFINITY) >= own)
    .map((one) => `layer: ${file.slice(SERVER.length)} imports ${one.file.slice(SERVER.length)}`);
}

/** Files that hold one table of phrases or data and little else, or that a script writes. */
const isData = (file: string) => /\/languages\/|-words\.ts$|-names\.ts$|\.generated\.ts$/.test(file);

function sizeViolations({ file, lines, functions }: SourceFile): Violation[] {
  const long = functions
    .filter((one) => one.lines > LIMITS.functionLines)
    .map((one) => `function: ${one.name} in ${file} is over ${LIMITS.functionLines} lines`);
  const isLong = lines > LIMITS.fileLines && !isData(file);
  return isLong ? [...long, `file: ${file} is over ${LIMITS.fileLines} lines`] : long;
}

/** Packages whose exported functions need a doc comment. In the others, components and schemas explain themselves. */
const DOCUMENTED = /^packages\/(server|client|sdk)\//;

function commentViolations({ file, undocumented }: SourceFile): Violation[] {
  if (!DOCUMENTED.test(file)) return [];
  return undocumented.map((name) => `function: ${name} in ${file} is exported without a doc comment`);
}

function folderViolations(files: readonly SourceFile[]): Violation[] {
  const folders = Map.groupBy(files, ({ file }) => dirname(file));
  return [...folders].flatMap(([folder, members]) => {
    const names = members.map(({ file }) => file.slice(folder.length + 1));
    const prefixes = Map.groupBy(
      names.filter((name) => /^[a-z]+-/.test(name)),
      (name) => name.slice(0, name.indexOf('-')),
    );
    // Hooks are called use-… by React's convention.
    const shared = [...prefixes]
      .filter(([prefix]) => prefix !== 'use')
      .filter(([, group]) => group.length >= LIMITS.sharedPrefix);
    return [
      ...(names.length > LIMITS.folderFiles
        ? [`folder: ${folder} has over ${LIMITS.folderFiles} files`]
        : []),
      ...shared.map(([prefix]) => `prefix: ${folder}/${prefix}-* should be a folder`),
    ];
  });
}

/** Every broken rule of the product, sorted. */
export function findViolations(files: readonly SourceFile[]): Violation[] {
  const cycles = (['value', 'type'] as const).flatMap((kind) =>
    findCycles(files, kind).map((members) => `${kind} cycle: ${members.join(' ')}`),
  );
  const each = files.flatMap((file) => [
    ...packageViolations(file),
    ...externalViolations(file),
    ...layerViolations(file),
    ...sizeViolations(file),
    ...commentViolations(file),
  ]);
  return [...new Set([...each, ...folderViolations(files), ...cycles])].sort();
}
