/** A mail and its expected result, written down before the first run. */
export interface Case {
  name: string;
  raw: Buffer;
  /** The state in the mail log, and its reason. */
  state: 'ticket' | 'reply' | 'suspended' | 'ignored' | 'bounce' | 'rejected';
  reason?: string;
  /** The text as the desk shows it. */
  text?: string;
  /** A part of the collapsed text; null: nothing is collapsed. */
  quoted?: string | null;
  subject?: string;
  /** The names of its files. */
  files?: string[];
  /** Whether the HTML is shown first. */
  isRich?: boolean;
  /** The HTML has its quote collapsed. */
  collapses?: boolean;
}

/** The first mail of the thread that replies belong to. */
export const THREAD = 'thread@first.example';
/** The text that they quote. */
export const OLD = 'Your parcel is on its way.';

export const inThread = (subject: string): Record<string, string> => ({
  Subject: subject,
  'In-Reply-To': `<${THREAD}>`,
  References: `<${THREAD}>`,
});
