/** The colours of a bar's parts; each also has a label. */
export const INKS = ['fill-accent', 'fill-control', 'fill-warn-dot'] as const;
export const SWATCHES = ['bg-accent', 'bg-control', 'bg-warn-dot'] as const;
