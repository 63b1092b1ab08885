import type { InputOf, Language, ProactiveMessage, WeeklyHours } from '@foyer/protocol';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { PROACTIVE_HOURS } from '@foyer/protocol/values/proactive/proactive-names';
import { phrasesOf } from '../lines.ts';

/** A proactive message as its form has it: pages one per line, numbers as they are typed. */
export interface ProactiveValues {
  name: string;
  enabled: boolean;
  texts: Partial<Record<Language, string>>;
  sender: string;
  pages: string;
  except_pages: string;
  after_s: string;
  min_visits: string;
  segments: number[];
  languages: Language[];
  from_date: string;
  until_date: string;
  hours: string;
  weekly: WeeklyHours | null;
  quiet_hours: string;
}

/** A new message, whose first text is in the site's language. */
export const newMessage = (language: Language): ProactiveValues => ({
  name: '',
  enabled: false,
  texts: { [language]: '' },
  sender: '',
  pages: '',
  except_pages: '',
  after_s: '10',
  min_visits: '1',
  segments: [],
  languages: [],
  from_date: '',
  until_date: '',
  hours: 'always',
  weekly: null,
  quiet_hours: '24',
});

export const valuesOf = (message: ProactiveMessage): ProactiveValues => ({
  name: message.name,
  enabled: message.enabled,
  texts: message.texts,
  sender: String(message.sender_id ?? ''),
  pages: message.pages.join('\n'),
  except_pages: message.except_pages.join('\n'),
  after_s: String(message.after_s),
  min_visits: String(message.min_visits),
  segments: message.segment_ids,
  languages: message.languages,
  from_date: message.from_date ?? '',
  until_date: message.until_date ?? '',
  hours: message.hours,
  weekly: message.weekly,
  quiet_hours: String(message.quiet_hours),
});

const filledTexts = ({ texts }: ProactiveValues) =>
  LANGUAGES.flatMap((language) => {
    const text = texts[language]?.trim();
    return text ? [[language, text] as const] : [];
  });

/** Whether there is an hour of the week at which it is shown. */
export const hasHours = ({ weekly }: ProactiveValues): boolean =>
  weekly === null || Object.values(weekly).some((day) => day.length > 0);

/** Whether it has a name, a text and an hour, and its numbers are some. The server checks the rest. */
export const isComplete = (values: ProactiveValues): boolean =>
  values.name.trim() !== '' &&
  filledTexts(values).length > 0 &&
  hasHours(values) &&
  [values.after_s, values.min_visits, values.quiet_hours].every((typed) => /^\d+$/.test(typed.trim()));

/** The input of a save. Languages without a text are left out. */
export const inputOf = (values: ProactiveValues): InputOf<'proactive_messages.create'> => ({
  name: values.name,
  enabled: values.enabled,
  texts: Object.fromEntries(filledTexts(values)),
  sender_id: Number(values.sender) || null,
  pages: phrasesOf(values.pages),
  except_pages: phrasesOf(values.except_pages),
  after_s: Number(values.after_s),
  min_visits: Number(values.min_visits),
  segment_ids: values.segments,
  languages: values.languages,
  from_date: values.from_date || null,
  until_date: values.until_date || null,
  hours: PROACTIVE_HOURS.find((one) => one === values.hours) ?? 'always',
  weekly: values.weekly,
  quiet_hours: Number(values.quiet_hours),
});
