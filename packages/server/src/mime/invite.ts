/** More than the invitation to any meeting; parsing takes time. */
const CALENDAR_MAX_BYTES = 256 * 1024;
const TEXT_MAX = 300;

const oneLine = (value: unknown): string =>
  String(value ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
    .toWellFormed();

interface Moment {
  toString(): string;
  isDate: boolean;
}

/** `2026-11-02 10:00` */
const moment = (time: Moment): string =>
  time
    .toString()
    .slice(0, time.isDate ? 10 : 16)
    .replace('T', ' ');

/** The time span by its organizer's clock, and the name of their time zone. */
function timeOf(start: Moment, end: Moment | null, zone: string): string {
  const from = moment(start);
  const to = end ? moment(end) : from;
  const isSameDay = from.slice(0, 10) === to.slice(0, 10);
  const until = to === from || (start.isDate && isSameDay) ? '' : ` – ${isSameDay ? to.slice(11) : to}`;
  return `${from}${until}${zone ? ` (${zone})` : ''}`;
}

/**
 * The invitation in a calendar file, as lines: summary, time, place, organizer. Without words of any language.
 * @returns null for a file that is no invitation
 */
export async function inviteOf(content: Buffer): Promise<string | null> {
  if (content.length > CALENDAR_MAX_BYTES) return null;
  // Loaded by the first invitation.
  const { default: ICAL } = await import('ical.js');
  try {
    const calendar = new ICAL.Component(ICAL.parse(content.toString()));
    const event = calendar.getFirstSubcomponent('vevent');
    const start = event?.getFirstPropertyValue('dtstart');
    if (!event || !(start instanceof ICAL.Time)) return null;
    const end = event.getFirstPropertyValue('dtend');
    // Of whole days, the end is the day after the last one.
    if (end instanceof ICAL.Time && end.isDate) end.adjust(-1, 0, 0, 0);
    const zone = start.isDate
      ? ''
      : oneLine(event.getFirstProperty('dtstart')?.getFirstParameter('tzid')) ||
        (start.toString().endsWith('Z') ? 'UTC' : '');
    const organizer = event.getFirstProperty('organizer');
    const address = oneLine(organizer?.getFirstValue()).replace(/^mailto:/i, '');
    const name = oneLine(organizer?.getFirstParameter('cn'));
    const lines = [
      oneLine(event.getFirstPropertyValue('summary')),
      timeOf(start, end instanceof ICAL.Time ? end : null, zone),
      oneLine(event.getFirstPropertyValue('location')),
      name && address ? `${name} <${address}>` : address,
    ].filter((line) => line !== '');
    return `📅 ${lines.join('\n')}`;
  } catch {
    return null;
  }
}
