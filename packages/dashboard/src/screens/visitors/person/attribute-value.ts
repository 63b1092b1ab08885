import type { AttributeKind } from '@foyer/protocol';

type AttributeValue = string | number | boolean | null | (string | number | boolean | null)[];

/** The kind of an attribute's value. */
export const kindOf = (value: unknown): AttributeKind => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
};

/** A value as a field shows it; lists have one entry per line. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(String).join('\n') : String(value);
};

/** Parses a text as a value of the kind; undefined if it isn't one. */
export function readValue(kind: AttributeKind, text: string): AttributeValue | undefined {
  const trimmed = text.trim();
  switch (kind) {
    case 'text':
      return trimmed === '' ? undefined : trimmed;
    case 'number': {
      const number = Number(trimmed.replace(',', '.'));
      return trimmed === '' || !Number.isFinite(number) ? undefined : number;
    }
    case 'boolean':
      return trimmed === 'true';
    case 'list': {
      const lines = trimmed.split('\n').map((line) => line.trim());
      return lines.filter((line) => line !== '');
    }
  }
}
