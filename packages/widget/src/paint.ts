import type { WidgetLook } from '@foyer/protocol';
import { accentProperties, DEFAULT_COLOR, isColor } from '@foyer/protocol/values/accent';

/** The system's preference, used if the site leaves it to the visitor. */
export const darkness = matchMedia('(prefers-color-scheme: dark)');

/** Sets the colours of style/base.css: the site's accent, and light or dark. */
export const paint = (color: string | undefined, theme: WidgetLook['theme'] = 'auto'): void => {
  const { style, dataset } = document.documentElement;
  const accent = accentProperties(isColor(color) ? color : DEFAULT_COLOR);
  for (const [name, value] of Object.entries(accent)) style.setProperty(name, value);
  dataset.theme = theme === 'auto' ? (darkness.matches ? 'dark' : 'light') : theme;
};
