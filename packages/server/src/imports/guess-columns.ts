import type { CsvColumn, CsvTarget, ImportKind } from '@foyer/protocol';
import type { CustomField } from './custom-cells.ts';

export type CsvKind = Exclude<ImportKind, 'archive'>;

/** Column names in exports of other products, the likeliest first; letters and digits only. */
const NAMES: Readonly<Record<CsvKind, Partial<Record<CsvTarget, readonly string[]>>>> = {
  visitors: {
    key: ['key', 'visitorkey', 'userid', 'externalid', 'identifier', 'customerid', 'customid'],
    email: ['email', 'emailaddress', 'mail', 'emailadresse'],
    name: ['name', 'fullname', 'displayname', 'nickname', 'contactname'],
  },
  tickets: {
    external_id: ['externalid', 'ticketid', 'id', 'conversationid', 'displayid', 'number', 'ticketnumber'],
    subject: ['subject', 'title', 'betreff', 'topic'],
    body: ['body', 'description', 'message', 'text', 'content', 'firstmessage', 'beschreibung'],
    requester_email: [
      'requesteremail',
      'email',
      'contactemail',
      'customeremail',
      'useremail',
      'emailaddress',
    ],
    requester_name: [
      'requestername',
      'requester',
      'name',
      'contactname',
      'customername',
      'username',
      'customer',
    ],
    requester_key: ['requesterkey', 'requesterid', 'userid', 'contactidentifier', 'customerid'],
    status: ['status', 'state'],
    priority: ['priority', 'prioritaet', 'priorität'],
    tags: ['tags', 'labels', 'tag', 'label'],
    created: [
      'createdat',
      'created',
      'createdutc',
      'createdon',
      'date',
      'createddate',
      'conversationcreatedat',
      'erstelltam',
    ],
  },
};

const plain = (head: string): string => head.toLowerCase().replace(/[^\p{L}\d]/gu, '');

const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const YES_NO = /^(true|false|yes|no)$/i;
/** Names of columns with digits that aren't numbers to calculate with. */
const NO_NUMBER = /phone|tel|mobile|fax|zip|post|plz|id$|code|nummer|number/i;

function asWhat(head: string, values: readonly string[]): CsvColumn['as'] {
  const told = values.filter((value) => value !== '');
  if (told.length > 0 && told.every((value) => YES_NO.test(value))) return 'boolean';
  if (told.length > 0 && told.every((value) => NUMBER.test(value)) && !NO_NUMBER.test(head)) return 'number';
  return 'text';
}

const AS = { number: 'number', yes_no: 'boolean' } as const;

/** A column with the name of a custom field. */
function customColumn(kind: CsvKind, head: string, fields: readonly CustomField[]): CsvColumn | undefined {
  const field = fields.find(
    ({ key, name }) => head !== '' && [plain(name), plain(key)].includes(plain(head)),
  );
  if (!field) return undefined;
  if (kind === 'tickets') return { to: 'field', name: field.key };
  const as = field.kind === 'number' || field.kind === 'yes_no' ? AS[field.kind] : 'text';
  return { to: 'attribute', name: field.key, as };
}

/**
 * Guesses each column's field from its header and first cells. The user decides.
 * @param fields the site's custom fields of that kind of record
 */
export function guessColumns(
  kind: CsvKind,
  columns: readonly string[],
  samples: readonly (readonly string[])[],
  fields: readonly CustomField[] = [],
): CsvColumn[] {
  const heads = columns.map(plain);
  const guess = columns.map((head, at): CsvColumn => {
    const custom = customColumn(kind, head, fields);
    if (custom) return custom;
    if (kind === 'tickets' || head === '') return { to: 'skip' };
    return {
      to: 'attribute',
      name: head,
      as: asWhat(
        head,
        samples.map((cells) => cells[at] ?? ''),
      ),
    };
  });
  for (const [to, names] of Object.entries(NAMES[kind]) as [CsvTarget, readonly string[]][]) {
    const found = names.map((name) => heads.indexOf(name)).find((at) => at >= 0 && isFree(guess[at]));
    if (found !== undefined) guess[found] = { to };
  }
  return guess;
}

const isFree = (column: CsvColumn | undefined): boolean =>
  column?.to === 'skip' || column?.to === 'attribute';
