import type { DeskLanguage } from '@foyer/protocol';

interface WorkerWords {
  offline_title: string;
  offline_text: string;
  offline_again: string;
}

/** The text of the page that is shown if no page of the desk could be loaded. */
const WORDS: Readonly<Record<DeskLanguage, WorkerWords>> = {
  en: {
    offline_title: 'Can’t reach Foyer',
    offline_text:
      'You’re offline, or the server is. Nothing is lost: your drafts stay in this browser, and messages wait on the server. This page retries automatically.',
    offline_again: 'Try again',
  },
  de: {
    offline_title: 'Foyer ist nicht erreichbar',
    offline_text:
      'Sie sind offline, oder der Server ist es. Nichts geht verloren: Ihre Entwürfe bleiben in diesem Browser, und Nachrichten warten auf dem Server. Diese Seite versucht es automatisch erneut.',
    offline_again: 'Erneut versuchen',
  },
};

/** Where the desk leaves what it speaks (`keepForWorker` of its `language.ts`). */
const SPOKEN = '/app/language';

/** The desk's last language in this browser, or else the browser's preferred one. */
export async function workerLanguage(): Promise<DeskLanguage> {
  const kept = await caches.match(SPOKEN).catch(() => undefined);
  const spoken = (await kept?.text()) ?? navigator.language.toLowerCase();
  return spoken.startsWith('de') ? 'de' : 'en';
}

export const workerWords = (language: DeskLanguage): WorkerWords => WORDS[language];
