import type { SecurityEvent } from '../core/security-events.ts';

/** A security event as it is stored until it is sent. */
export interface StoredEvent {
  id: number;
  siteId: number;
  event: SecurityEvent;
  at: Date;
}

/** Facility 10, security and authorisation messages; severities 5 and 4 (RFC 5424, 6.2.1). */
const PRIORITIES = { notice: 10 * 8 + 5, warning: 10 * 8 + 4 } as const;
/** The largest message that most servers accept by default, in bytes. */
const MESSAGE_MAX = 8_192;
const MSGID_MAX = 32;

/** JSON in ASCII, so a message needs no byte order mark (RFC 5424, 6.4), which many servers show as text. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * A message of RFC 5424 whose text is JSON: the fields of the webhook `security_event`, with `id`, which is the same if
 * a message is sent twice.
 * @param host the installation's name
 */
export function syslogMessage({ id, siteId, event, at }: StoredEvent, host: string): string {
  const { changes, ...rest } = event;
  const head = `<${PRIORITIES[event.severity]}>1 ${at.toISOString()} ${host} foyer ${process.pid} ${event.action.slice(0, MSGID_MAX)} - `;
  const about = { id, site_id: siteId, ...rest };
  const whole = head + asciiJson({ ...about, changes });
  // Names of fields stay; only their values before and after can be long.
  return whole.length <= MESSAGE_MAX ? whole : head + asciiJson({ ...about, changed: Object.keys(changes) });
}
