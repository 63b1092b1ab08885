import type { DeskLanguage } from '@foyer/protocol';

interface WorkerWords {
  offline_title: string;
  offline_text: string;
  offline_again: string;
}

/** What is said where no page of the desk could be loaded. */
const WORDS: Readonly<Record<DeskLanguage, WorkerWords>> = {
  en: {
    offline_title: 'Foyer can’t be reached',
    offline_text:
      'You are offline, or the server is. Nothing is lost: what you have written stays in this browser, and messages wait on the server. This page tries again by itself.',
    offline_again: 'Try again',
  },
  de: {
    offline_title: 'Foyer ist nicht erreichbar',
    offline_text:
      'Sie sind offline, oder der Server ist es. Nichts geht verloren: Was Sie geschrieben haben, bleibt in diesem Browser, und Nachrichten warten auf dem Server. Diese Seite versucht es von selbst noch einmal.',
    offline_again: 'Noch einmal versuchen',
  },
};

/** A worker does not see what the desk has been told to speak: the browser's own language it is. */
export function workerLanguage(): DeskLanguage {
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

export const workerWords = (): WorkerWords => WORDS[workerLanguage()];
