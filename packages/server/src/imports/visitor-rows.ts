import { attributes, email, visitorKey, visitorName } from '@foyer/protocol';
import { z } from 'zod';
import type { ReadRow } from './csv-work.ts';
import { personFieldsIn } from './custom-cells.ts';
import { parseRow } from './parse-row.ts';
import { bringPerson } from './person.ts';

const person = z
  .strictObject({
    key: visitorKey.optional(),
    email: email.optional(),
    name: visitorName.optional(),
    attributes,
  })
  .refine(({ key, email }) => key !== undefined || email !== undefined, {
    error: 'needs an email or a user ID',
    params: { reason: 'no_identity' },
  });

/** Turns a record into a visitor, or updates the existing one. */
export const readVisitor: ReadRow = ({ fields, attributes }) => {
  const told = parseRow(person, { ...fields, attributes });
  return async (tx, fields) => {
    const own = await personFieldsIn(tx, fields, told.key, told.attributes);
    return (await bringPerson(tx, { ...told, attributes: own })).outcome;
  };
};
