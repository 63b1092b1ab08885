import type { WidgetLook } from '@foyer/protocol';
import { picturePath } from './pictures.ts';

/** The columns that define a site's look. */
export interface LookRow {
  readonly color: string;
  readonly position: WidgetLook['position'];
  readonly theme: WidgetLook['theme'];
  readonly launcher_text: string;
  readonly logo: string | null;
}

/** `logo_url` is a path on this server; null without a logo. */
export function presentLook({ color, position, theme, launcher_text, logo }: LookRow): WidgetLook {
  return { color, position, theme, launcher_text, logo_url: picturePath(logo) };
}
