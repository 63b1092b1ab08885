import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const MAX_BYTES = 150 * 1024;

const source = (path: string): string => join(import.meta.dirname, 'src', path);

const ENTRY = source('main.tsx');
/** Besides the entry, the first load includes what a signed-in agent sees first: frame, inbox and an open chat. */
const FIRST_SCREENS = [
  'desk/shell/Shell.tsx',
  'screens/inbox/InboxScreen.tsx',
  'screens/inbox/chat/ConversationScreen.tsx',
].map(source);

/** What these modules import dynamically is needed right after them: the frame's menus and the inbox's parts. */
const SOON = [
  'desk/shell/MainNav.tsx',
  'screens/inbox/InboxScreen.tsx',
  'screens/inbox/list/InboxHead.tsx',
  'screens/inbox/list/InboxList.tsx',
].map(source);
/** What these import dynamically are overlays, loaded when the desk is idle. */
const IDLE = [source('desk/shell/layers.ts')];

/** A browser loads the phrases of one language with the code. The limit counts German, the longest. */
const WORDS = /\/languages\/de\.ts$/;
/** The phrases of a folder in one language. */
const PHRASES = /\/languages\/(\w+)\.ts$/;
const ICONS = /\/node_modules\/lucide-react\//;

type Bundle = Rolldown.OutputBundle;

const isWords = (part: Bundle[string] | undefined): boolean =>
  part?.type === 'chunk' && part.moduleIds.length > 0 && part.moduleIds.every((id) => WORDS.test(id));

/** The files that a browser has to load, with all that they import, before it can show the first screen. */
export function firstLoad(bundle: Bundle): Set<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    chunk.imports.forEach(visit);
    chunk.dynamicImports.filter((part) => isWords(bundle[part])).forEach(visit);
  };
  for (const [name, chunk] of Object.entries(bundle)) {
    if (chunk.type !== 'chunk') continue;
    if (chunk.moduleIds.some((id) => id === ENTRY || FIRST_SCREENS.includes(id))) visit(name);
  }
  return files;
}

/** Prints the weight of the first load's script and fails the build over the limit. */
export function weighFirstLoad(): Plugin {
  return {
    name: 'weigh-first-load',
    apply: 'build',
    enforce: 'post',
    writeBundle(_options, bundle) {
      let bytes = 0;
      for (const name of firstLoad(bundle)) {
        const chunk = bundle[name];
        if (chunk?.type === 'chunk') bytes += brotliCompressSync(chunk.code).length;
      }
      const kib = (bytes / 1024).toFixed(1);
      const line = `first load: ${kib} KB brotli of script (limit ${MAX_BYTES / 1024} KB)`;
      if (bytes > MAX_BYTES) this.error(line);
      process.stdout.write(`${line}\n`);
    },
  };
}

/**
 * Puts the first load into one file, what every desk loads right after it into a second, what it loads when idle into a
 * third, and the phrases of each beside it. By default the bundler gives each set of screens that share a module a file
 * of its own: a hundred small files compress a sixth worse, and over HTTP/1.1 a browser loads only six at a time.
 */
export function gatherLoads(): Plugin {
  const groupOf = new Map<string, string>();
  return {
    name: 'gather-loads',
    apply: 'build',
    buildEnd() {
      const partsOf = (id: string): readonly string[] => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
      const gather = (id: string, group: string): void => {
        // A package's first module imports all others. A group takes those in use along with their screens.
        if (groupOf.has(id) || id.includes('/node_modules/')) return;
        groupOf.set(id, group);
        for (const each of this.getModuleInfo(id)?.importedIds ?? []) gather(each, group);
        for (const part of partsOf(id)) {
          const language = PHRASES.exec(part)?.[1];
          if (language !== undefined) groupOf.set(part, `${group}-${language}`);
        }
      };
      for (const id of [ENTRY, ...FIRST_SCREENS]) gather(id, 'app');
      for (const id of SOON.flatMap(partsOf)) gather(id, 'desk');
      for (const id of IDLE.flatMap(partsOf)) gather(id, 'overlays');
    },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: { groups: [{ name: (id) => groupOf.get(id) ?? null }, { name: 'icons', test: ICONS }] },
    }),
  };
}
