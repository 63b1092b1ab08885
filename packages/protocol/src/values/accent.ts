/** Foyer's deep teal, used until the site's own colour is known. */
export const DEFAULT_COLOR = '#0f5e5a';
const WHITE = '#ffffff';
const INK = '#000000';
/** The backgrounds of light and dark mode in style/base.css. */
const LIGHT_GROUND = '#ffffff';
const DARK_GROUND = '#1c2120';

export const isColor = (value: unknown): value is string =>
  typeof value === 'string' && /^#[\da-f]{6}$/i.test(value);

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** WCAG contrast, 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};

/** White if its contrast on the colour is at least 4.5 : 1, otherwise black: one of them always is. */
export const textOn = (color: string): string => (contrast(WHITE, color) >= 4.5 ? WHITE : INK);

const mix = (color: string, target: string, share: number): string => {
  const goal = channels(target);
  const mixed = channels(color).map((channel, index) =>
    Math.round(channel + ((goal[index] ?? 0) - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
};

/** The colour, moved towards black or white until its contrast with the background is `ratio`. */
export const standingOut = (color: string, ground: string, ratio: number): string => {
  const target = luminance(ground) > 0.18 ? '#000000' : WHITE;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, ground) >= ratio) return mixed;
  }
  return target;
};

/** The custom properties of style/base.css derived from the site's accent colour. */
export const accentProperties = (color: string): Record<string, string> => {
  const fillLight = standingOut(color, LIGHT_GROUND, 1.3);
  const fillDark = standingOut(color, DARK_GROUND, 1.7);
  return {
    '--accent-light': fillLight,
    '--on-accent-light': textOn(fillLight),
    '--accent-text-light': standingOut(color, '#f4f3ef', 4.6),
    '--accent-dark': fillDark,
    '--on-accent-dark': textOn(fillDark),
    '--accent-text-dark': standingOut(color, '#262c2b', 4.6),
  };
};
