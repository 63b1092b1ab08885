import { createBoundedCache } from '../../base/bounded-cache.ts';
import { TIME_ZONES } from './time-zones.ts';

/** More than there are time zones. Strangers can make up any number of names. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_MS = 86_400_000;

let countries: Map<string, string> | undefined;
const canonical = createBoundedCache<string>({
  max: REMEMBERED_MAX,
  ttlMs: REMEMBERED_MS,
  now: () => new Date(),
});

/**
 * ICU's name of a time zone, since browsers may say `Europe/Kyiv` or `Europe/Kiev`; the text itself if it is none.
 */
function canonicalName(timeZone: string): string {
  const known = canonical.get(timeZone);
  if (known !== undefined) return known;
  let name = timeZone;
  try {
    name = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    // Not a time zone.
  }
  canonical.set(timeZone, name);
  return name;
}

/** The country of a browser's time zone, in two letters; null for a zone without a country, such as UTC. */
export function countryOfTimeZone(timeZone: string | null | undefined): string | null {
  if (!timeZone) return null;
  countries ??= new Map(
    Object.entries(TIME_ZONES).flatMap(([country, zones]) =>
      zones.split(' ').map((zone) => [zone, country] as const),
    ),
  );
  return countries.get(timeZone) ?? countries.get(canonicalName(timeZone)) ?? null;
}
