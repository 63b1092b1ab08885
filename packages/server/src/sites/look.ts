import type { WidgetLook } from '@foyer/protocol';
import { picturePath } from './pictures.ts';

/** What a site's row says of its look. */
export interface LookRow {
  readonly color: string;
  readonly position: WidgetLook['position'];
  readonly theme: WidgetLook['theme'];
  readonly launcher_text: string;
  readonly logo: string | null;
}

export function presentLook({ color, position, theme, launcher_text, logo }: LookRow): WidgetLook {
  return { color, position, theme, launcher_text, logo_url: picturePath(logo) };
}
