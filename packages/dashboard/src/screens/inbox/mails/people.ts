import type { MailPerson } from '@foyer/protocol';

/** Only for the remark beside the field; the server decides. */
const ADDRESS = /^[^\s@<>"(),;:]+@[^\s@<>"(),;:]+\.[^\s@<>"(),;:.]+$/;

/** Reads addresses as people write them: `sam@x.example, Ada <ada@x.example>`. */
export const readPeople = (text: string): MailPerson[] =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.lastIndexOf('<');
      if (at === -1 || !part.endsWith('>')) return { name: null, address: part };
      const name = part.slice(0, at).replaceAll('"', '').trim();
      return { name: name || null, address: part.slice(at + 1, -1).trim() };
    });

/** The first of them that is no address. */
export const badAddress = (people: readonly MailPerson[]): string | undefined =>
  people.find(({ address }) => !ADDRESS.test(address))?.address;

/** `Sam <sam@x.example>` */
export const personText = ({ name, address }: MailPerson): string =>
  name ? `${name} <${address}>` : address;

export const peopleText = (people: readonly MailPerson[]): string => people.map(personText).join(', ');
