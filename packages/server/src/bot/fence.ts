import { randomBytes } from 'node:crypto';
import type { SiteContext } from '../core/context.ts';

const BOUNDARY_CHARS = 12;

/** Lines with a boundary that no text between them can contain. */
export interface Fence {
  readonly boundary: string;
  /** The text between two such lines, without the boundary itself. */
  readonly fenced: (name: string, text: string) => string;
}

const fenceWith = (boundary: string): Fence => ({
  boundary,
  fenced: (name, text) => `<${name}-${boundary}>\n${text.replaceAll(boundary, '')}\n</${name}-${boundary}>`,
});

/** With a random boundary, which the text between its lines can't know. */
export const newFence = (): Fence => fenceWith(randomBytes(9).toString('base64url'));

/** The same for all chats of a site, so that prompts have the same beginning; derived from the server's secret. */
export const siteFence = ({ services, site }: Pick<SiteContext, 'services' | 'site'>): Fence =>
  fenceWith(services.derivedToken(`prompt fence ${site.id}`).slice(0, BOUNDARY_CHARS));
