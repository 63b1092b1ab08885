import type { Language } from '@foyer/protocol';

/** What the help centre says around the site's own texts; `{…}` stands for what is put in. */
export interface HelpWords {
  /** The help centre's name where the site gives it none. */
  help: string;
  search: string;
  searchFor: string;
  articles: string;
  article: string;
  allArticles: string;
  more: string;
  contents: string;
  updated: string;
  wasHelpful: string;
  yes: string;
  no: string;
  thanks: string;
  thanksNo: string;
  results: string;
  noResults: string;
  noResultsHint: string;
  notFound: string;
  notFoundHint: string;
  nothingYet: string;
  nothingYetHint: string;
  page: string;
  next: string;
  previous: string;
  skip: string;
  breadcrumb: string;
  slower: string;
  failed: string;
}

const EN: HelpWords = {
  help: '{site} Help',
  search: 'Search',
  searchFor: 'Search for answers',
  articles: '{count} articles',
  article: '1 article',
  allArticles: 'All {count} articles',
  more: 'More articles',
  contents: 'On this page',
  updated: 'Updated {date}',
  wasHelpful: 'Was this helpful?',
  yes: 'Yes',
  no: 'No',
  thanks: 'Thank you. Good to know that it helped.',
  thanksNo: 'Thank you. We will look at what is missing. You can also write to us in the chat.',
  results: 'Articles about “{question}”',
  noResults: 'Nothing found about “{question}”',
  noResultsHint: 'Try fewer or other words, or ask us in the chat.',
  notFound: 'There is no such page',
  notFoundHint: 'It may have moved or been taken back. Search for what you need:',
  nothingYet: 'There are no articles yet',
  nothingYetHint: 'Ask us in the chat, and we will help you there.',
  page: 'Page {page} of {pages}',
  next: 'Next page',
  previous: 'Previous page',
  skip: 'Skip to the content',
  breadcrumb: 'You are here',
  slower: 'Too much came at once. Please try again in {seconds} seconds.',
  failed: 'Something went wrong on our side. Please try again in a moment.',
};

const DE: HelpWords = {
  help: '{site} Hilfe',
  search: 'Suchen',
  searchFor: 'Nach Antworten suchen',
  articles: '{count} Artikel',
  article: '1 Artikel',
  allArticles: 'Alle {count} Artikel',
  more: 'Weitere Artikel',
  contents: 'Auf dieser Seite',
  updated: 'Aktualisiert am {date}',
  wasHelpful: 'War das hilfreich?',
  yes: 'Ja',
  no: 'Nein',
  thanks: 'Danke. Schön, dass es geholfen hat.',
  thanksNo: 'Danke. Wir sehen nach, was fehlt. Sie können uns auch im Chat schreiben.',
  results: 'Artikel zu „{question}“',
  noResults: 'Nichts gefunden zu „{question}“',
  noResultsHint: 'Versuchen Sie es mit weniger oder anderen Wörtern, oder fragen Sie uns im Chat.',
  notFound: 'Diese Seite gibt es nicht',
  notFoundHint: 'Vielleicht ist sie umgezogen oder wurde zurückgezogen. Suchen Sie, was Sie brauchen:',
  nothingYet: 'Es gibt noch keine Artikel',
  nothingYetHint: 'Fragen Sie uns im Chat, wir helfen Ihnen dort.',
  page: 'Seite {page} von {pages}',
  next: 'Nächste Seite',
  previous: 'Vorige Seite',
  skip: 'Zum Inhalt',
  breadcrumb: 'Sie sind hier',
  slower: 'Das war zu viel auf einmal. Bitte versuchen Sie es in {seconds} Sekunden wieder.',
  failed: 'Bei uns ging etwas schief. Bitte versuchen Sie es gleich noch einmal.',
};

const FR: HelpWords = {
  help: 'Aide {site}',
  search: 'Rechercher',
  searchFor: 'Chercher une réponse',
  articles: '{count} articles',
  article: '1 article',
  allArticles: 'Les {count} articles',
  more: 'Autres articles',
  contents: 'Sur cette page',
  updated: 'Mis à jour le {date}',
  wasHelpful: 'Cette page vous a-t-elle aidé ?',
  yes: 'Oui',
  no: 'Non',
  thanks: 'Merci. Ravis que cela vous ait aidé.',
  thanksNo: 'Merci. Nous allons voir ce qui manque. Vous pouvez aussi nous écrire dans le chat.',
  results: 'Articles sur « {question} »',
  noResults: 'Rien trouvé sur « {question} »',
  noResultsHint: 'Essayez avec moins de mots ou d’autres mots, ou posez la question dans le chat.',
  notFound: 'Cette page n’existe pas',
  notFoundHint: 'Elle a peut-être été déplacée ou retirée. Cherchez ce dont vous avez besoin :',
  nothingYet: 'Il n’y a pas encore d’articles',
  nothingYetHint: 'Posez votre question dans le chat, nous vous y aiderons.',
  page: 'Page {page} sur {pages}',
  next: 'Page suivante',
  previous: 'Page précédente',
  skip: 'Aller au contenu',
  breadcrumb: 'Vous êtes ici',
  slower: 'Trop de demandes à la fois. Réessayez dans {seconds} secondes.',
  failed: 'Un problème est survenu de notre côté. Réessayez dans un instant.',
};

const ES: HelpWords = {
  help: 'Ayuda de {site}',
  search: 'Buscar',
  searchFor: 'Buscar respuestas',
  articles: '{count} artículos',
  article: '1 artículo',
  allArticles: 'Los {count} artículos',
  more: 'Más artículos',
  contents: 'En esta página',
  updated: 'Actualizado el {date}',
  wasHelpful: '¿Te ha servido?',
  yes: 'Sí',
  no: 'No',
  thanks: 'Gracias. Nos alegra que te haya servido.',
  thanksNo: 'Gracias. Veremos qué falta. También puedes escribirnos en el chat.',
  results: 'Artículos sobre «{question}»',
  noResults: 'No hay nada sobre «{question}»',
  noResultsHint: 'Prueba con menos palabras o con otras, o pregúntanos en el chat.',
  notFound: 'Esta página no existe',
  notFoundHint: 'Puede que se haya movido o retirado. Busca lo que necesitas:',
  nothingYet: 'Todavía no hay artículos',
  nothingYetHint: 'Pregúntanos en el chat y te ayudaremos.',
  page: 'Página {page} de {pages}',
  next: 'Página siguiente',
  previous: 'Página anterior',
  skip: 'Ir al contenido',
  breadcrumb: 'Estás aquí',
  slower: 'Demasiado a la vez. Inténtalo de nuevo en {seconds} segundos.',
  failed: 'Algo ha fallado por nuestra parte. Inténtalo de nuevo en un momento.',
};

/** Languages that have words of their own; in the others the frame is English, and the site's texts are what they are. */
const WORDS: Partial<Record<Language, HelpWords>> = { en: EN, de: DE, fr: FR, es: ES };

/** The words of a language, and the language that they are in. */
export function helpWords(language: Language): { words: HelpWords; wordsIn: Language } {
  const words = WORDS[language];
  return words ? { words, wordsIn: language } : { words: EN, wordsIn: 'en' };
}

export const filled = (words: string, values: Readonly<Record<string, string | number>>): string =>
  words.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
