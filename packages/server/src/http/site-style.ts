import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { accentProperties, DEFAULT_COLOR, isColor } from '@foyer/protocol/values/accent';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { ifMissing } from '../base/missing-file.ts';
import { packageFile } from '../base/package-files.ts';
import { createStaticResponse, IMMUTABLE, sendStatic } from './static-response.ts';

const PAGES = packageFile('pages/');
const WIDGET_ASSETS = fileURLToPath(packageFile('../widget/dist/assets/'));

/** The widget's font; without a built widget, the system's. */
export async function fontFace(): Promise<string> {
  const files = await readdir(WIDGET_ASSETS).catch(ifMissing([]));
  const font = files.find((file) => /^inter-[\w-]+\.woff2$/.test(file));
  return font === undefined
    ? ''
    : `@font-face{font-family:"Inter Door";src:url("/widget/assets/${font}") format("woff2");font-weight:400 700;font-display:swap}\n`;
}

const sheetFor = (base: string, color: string): string => {
  const properties = Object.entries(accentProperties(color)).map(([name, value]) => `${name}:${value}`);
  return `:root{${properties.join(';')}}\n${base}`;
};

/**
 * Serves a style sheet of `pages/` in each site's colour, so that its pages need no inline style.
 * @returns the address of the sheet for a colour, which changes with its content
 */
export async function registerSiteStyle(
  server: FastifyInstance,
  name: 'portal' | 'help',
): Promise<(color?: string) => string> {
  const read = (sheet: string): Promise<string> => readFile(new URL(`${sheet}.css`, PAGES), 'utf8');
  const base = (await Promise.all([fontFace(), read('site'), read(name)])).join('');
  const mark = hash('sha256', base, 'hex').slice(0, 12);
  const prefix = `/assets/${name}/`;
  server.get<{ Params: { file: string } }>(`${prefix}:file`, async (request, reply) => {
    const color = /^([0-9a-f]{6})-[0-9a-f]{12}\.css$/.exec(request.params.file)?.[1];
    if (color === undefined) throw new AppError('not_found', 'No such file.');
    const sheet = createStaticResponse('text/css; charset=utf-8', sheetFor(base, `#${color}`));
    return sendStatic(request, reply, sheet, IMMUTABLE);
  });
  return (color) => `${prefix}${(isColor(color) ? color : DEFAULT_COLOR).slice(1).toLowerCase()}-${mark}.css`;
}
