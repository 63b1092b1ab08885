/** Given in turn to tags that come without a colour, and offered for choice; each has 4.5 : 1 against white. */
export const TAG_COLORS = {
  teal: '#0f766e',
  blue: '#1d4ed8',
  amber: '#b45309',
  red: '#be123c',
  violet: '#6d28d9',
  green: '#15803d',
  pink: '#a21caf',
  grey: '#475569',
} as const;

export const TAG_COLOR_NAMES = Object.keys(TAG_COLORS) as (keyof typeof TAG_COLORS)[];
