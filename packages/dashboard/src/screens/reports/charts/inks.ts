/** What the parts of a bar are drawn in; a word beside each says what it is. */
export const INKS = ['fill-accent', 'fill-control', 'fill-warn-dot'] as const;
export const SWATCHES = ['bg-accent', 'bg-control', 'bg-warn-dot'] as const;
