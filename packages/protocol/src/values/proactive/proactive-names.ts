/** When a proactive message may be shown: at any time, or within the site's office hours. */
export const PROACTIVE_HOURS = ['always', 'office'] as const;
export type ProactiveHours = (typeof PROACTIVE_HOURS)[number];
