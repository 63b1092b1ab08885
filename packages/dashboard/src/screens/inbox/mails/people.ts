import type { MailPerson } from '@foyer/protocol';

const NAMED = /^"?([^"<>]*?)"?\s*<([^<>]*)>$/;
/** Only for the remark beside the field; the server decides. */
const ADDRESS = /^[^\s@<>"(),;:]+@[^\s@<>"(),;:]+\.[^\s@<>"(),;:.]+$/;

/** Reads addresses as people write them: `sam@x.example, Ada <ada@x.example>`. */
export const readPeople = (text: string): MailPerson[] =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', address] = NAMED.exec(part) ?? [];
      return { name: name.trim() || null, address: (address ?? part).trim() };
    });

/** The first of them that is no address. */
export const badAddress = (people: readonly MailPerson[]): string | undefined =>
  people.find(({ address }) => !ADDRESS.test(address))?.address;

/** `Sam <sam@x.example>` */
export const personText = ({ name, address }: MailPerson): string =>
  name ? `${name} <${address}>` : address;

export const peopleText = (people: readonly MailPerson[]): string => people.map(personText).join(', ');
