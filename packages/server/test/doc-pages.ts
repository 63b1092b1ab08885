import { readFileSync } from 'node:fs';

export const DOCS = new URL('../../../docs/', import.meta.url);

/** One of the pages for users, as text. */
export const readPage = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

export interface Block {
  language: string;
  /** The text after the language: the status of a response. */
  info: string;
  text: string;
}

export interface Section {
  title: string;
  text: string;
  blocks: Block[];
}

const FENCE = /^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm;

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(FENCE)].map(([, language = '', info = '', body = '']) => ({
    language,
    info: info.trim(),
    text: body,
  }));

/** The parts of a page below its `## ` headings, in order. */
export function sectionsOf(page: string): Section[] {
  // A comment in a shell block begins like a heading.
  const hidden = page.replace(FENCE, (block) => block.replace(/^#/gm, '\0'));
  return hidden
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const text = part.replaceAll('\0', '#');
      return { title: text.slice(0, text.indexOf('\n')).trim(), text, blocks: blocksOf(text) };
    });
}

/** The section of that title; a page that has lost it fails by its name. */
export function sectionOf(page: string, title: string): Section {
  const section = sectionsOf(page).find((one) => one.title === title);
  if (!section) throw new Error(`there is no section "${title}"`);
  return section;
}

export interface CurlCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The words of one shell command: quotes, `$NAME` outside single quotes, and lines joined by a backslash. */
function shellWords(command: string, variables: Record<string, string>): string[] {
  const variable = (name: string): string => {
    const value = variables[name];
    if (value === undefined) throw new Error(`$${name} is not a variable of these pages`);
    return value;
  };
  const expand = (text: string): string =>
    text.replace(/\$(\w+)/g, (_, name: string) => variable(name)).replace(/\\(["\\$])/g, '$1');
  const pattern = /\s*(?:\\\n\s*)*((?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+)/y;
  const words: string[] = [];
  const text = command.trim();
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) throw new Error(`not a command that can be read: ${text}`);
    words.push(
      (match[1] ?? '').replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"]+)/g, (_, single, double, bare) =>
        single === undefined ? expand(double ?? bare ?? '') : single,
      ),
    );
  }
  return words;
}

/** Parses a `curl` command of a page; an unknown option is an error. */
export function readCurl(command: string, variables: Record<string, string>): CurlCall {
  const [program, ...words] = shellWords(command, variables);
  if (program !== 'curl') throw new Error(`not a curl command: ${command}`);
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = () => words.shift() ?? '';
    if (word === '-X') method = value();
    else if (word === '-d') body = value();
    else if (word === '-H') {
      const [name = '', ...rest] = value().split(':');
      headers[name.toLowerCase()] = rest.join(':').trim();
    } else if (word.startsWith('http')) url = word;
    else throw new Error(`curl option ${word}`);
  }
  if (!url) throw new Error(`no address in: ${command}`);
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url: new URL(url), headers, body };
}
