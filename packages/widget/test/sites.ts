import type { WidgetSite } from '@foyer/protocol';

/** A site as in a welcome. */
export const testSite = (name: string): WidgetSite => ({
  name,
  look: { color: '#112233', position: 'right', launcher_text: '', logo_url: null, theme: 'auto' },
  greeting: 'Hello',
  email_offer_after_s: 180,
  sound: true,
  typing_preview: true,
  language: 'en',
  languages: [],
  reply_time_s: null,
  has_articles: false,
  survey: { ask: 'always', scale: 'stars', question: '', thanks: '' },
  starters: [],
  uploads: { max_bytes: 1024, max_files: 1, kinds: [] },
});
