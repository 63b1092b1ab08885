/**
 * Assigned in turn to tags without a colour, and offered as choices. Each has a contrast of at least 4.5 : 1 with
 * white.
 */
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
