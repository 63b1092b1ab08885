/** Foyer's deep teal, for a site that has not chosen. */
export const DEFAULT_COLOR = '#0f5e5a';

export const isColor = (value: unknown): value is string =>
  typeof value === 'string' && /^#[\da-f]{6}$/i.test(value);

/** Close enough to sRGB's curve, which has a straight piece near black, to choose between two. */
const GAMMA = 2.2;

/** White where it reads at 4.5 : 1 on the colour, else black: one of the two always does. */
export const contrasting = (color: string): string => {
  const light = (at: number, weight: number) =>
    weight * (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** GAMMA;
  // From 1.05 / (luminance + 0.05) >= 4.5
  return light(1, 0.2126) + light(3, 0.7152) + light(5, 0.0722) < 0.183 ? '#fff' : '#000';
};
