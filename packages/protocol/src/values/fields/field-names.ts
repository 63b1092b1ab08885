/** Custom fields of one site, what each can hold, and the choices of each. */
export const FIELDS_MAX = 100;
export const FIELD_KEY_MAX = 60;
export const FIELD_TEXT_MAX = 1000;
export const FIELD_CHOICES_MAX = 100;
export const FIELD_CHOICE_MAX = 100;
/** Conditions on custom fields in the filter of a list. */
export const FIELD_FILTERS_MAX = 5;

/** What custom fields belong to. */
export const FIELD_OWNERS = ['tickets', 'chats', 'people'] as const;
export type FieldOwner = (typeof FIELD_OWNERS)[number];

/** What fields that visitors are asked for before a chat belong to. */
export const ASKED_FIELD_OWNERS = ['chats', 'people'] as const;

/** `choices` may have several of the choices, `choice` one. */
export const FIELD_KINDS = ['text', 'number', 'date', 'choice', 'choices', 'yes_no', 'link'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];
