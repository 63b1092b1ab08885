/** Every form in which a resource is named in code, tables, paths and sentences. */
export interface Names {
  /** `conversation_starters`: the resource, its table and its operations. */
  plural: string;
  /** `conversation_starter`: one record. */
  singular: string;
  kebab: string;
  Pascal: string;
  PascalOne: string;
  camelOne: string;
  words: string;
  wordsOne: string;
}

const NAME = /^[a-z]+(_[a-z]+)*$/;

const pascal = (name: string): string =>
  name.replace(/(^|_)([a-z])/g, (_, _before, letter) => letter.toUpperCase());

/** Handles the English plurals that resources have: companies, addresses, tags. */
function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return plural.slice(0, -1);
}

/** @throws Error for a name that isn't a plural in snake case. */
export function namesOf(plural: string, singular?: string): Names {
  for (const name of [plural, ...(singular === undefined ? [] : [singular])])
    if (!NAME.test(name)) throw new Error(`"${name}" is not in snake case, such as support_plans`);
  if (singular === undefined && !/[^s]s$/.test(plural))
    throw new Error(`"${plural}" is no plural in s: name one of them too, such as people person`);
  const one = singular ?? singularOf(plural);
  if (one === plural) throw new Error('one and many need different names');
  const PascalOne = pascal(one);
  return {
    plural,
    singular: one,
    kebab: plural.replaceAll('_', '-'),
    Pascal: pascal(plural),
    PascalOne,
    camelOne: PascalOne[0]?.toLowerCase() + PascalOne.slice(1),
    words: plural.replaceAll('_', ' '),
    wordsOne: one.replaceAll('_', ' '),
  };
}

/** Puts the names into a template. @throws Error for an unknown name. */
export const fill = (template: string, names: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`a template names {{${name}}}`);
    return value;
  });
