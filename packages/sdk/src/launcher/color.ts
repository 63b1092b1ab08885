/** Foyer's deep teal, for a site that has not chosen. */
export const DEFAULT_COLOR = '#0f5e5a';

/** True only for `#rrggbb`: the value ends up in CSS, so names and other notations count as no colour. */
export const isColor = (value: unknown): value is string =>
  typeof value === 'string' && /^#[\da-f]{6}$/i.test(value);

/** Approximates sRGB's curve, which is linear near black; exact enough to choose black or white text. */
const GAMMA = 2.2;

/** White where its contrast on the colour is at least 4.5 : 1, else black. One of them always reaches that. */
export const contrasting = (color: string): string => {
  const light = (at: number, weight: number) =>
    weight * (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** GAMMA;
  // From 1.05 / (luminance + 0.05) >= 4.5
  return light(1, 0.2126) + light(3, 0.7152) + light(5, 0.0722) < 0.183 ? '#fff' : '#000';
};
