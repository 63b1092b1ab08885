import type { DataRecipient } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/** The host of a URL; the text itself if it is none. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

interface Rows {
  kind: DataRecipient['kind'];
  name: string;
  gets: string;
}

/**
 * Every external recipient of personal data by the site's own settings; addresses without paths, which may be secret.
 */
export async function recipientsOf({ db, site }: SiteContext): Promise<DataRecipient[]> {
  const { rows } = await sql<Rows>`
    select 'webhook' as kind, url as name, array_to_string(events, ', ') as gets
    from webhook_subscriptions where site_id = ${site.id} and disabled_at is null
    union all
    select 'email_server', host, 'emails of the site' from mail_settings where site_id = ${site.id}
    union all
    select 'mailbox', address || coalesce(' (' || array_to_string(array_remove(array[imap_host, smtp_host], null), ', ') || ')', ''),
      'emails to and from this address'
    from mailboxes where site_id = ${site.id} and is_enabled
    union all
    select 'language_model', coalesce(base_url, provider, 'the operator''s model'), 'questions of visitors with the chat so far'
    from language_models where site_id = ${site.id} and off_at is null
    union all
    select distinct 'push_service', split_part(endpoint, '/', 3), 'encrypted notifications of agents'
    from push_devices where site_id = ${site.id} and refused_at is null
    union all
    select 'action', name, 'what the visitor has entered for this action'
    from actions where site_id = ${site.id} and disabled_at is null
    union all
    select 'identity_provider', issuer, 'sign-ins of agents'
    from identity_providers where site_id = ${site.id} and disabled_at is null
    union all
    select 'api_tokens', name, case when can_write then 'reads and writes over the API' else 'reads over the API' end
    from api_tokens where site_id = ${site.id} and revoked_at is null
    order by 1, 2`.execute(db);
  return rows.map(({ kind, name, gets }) => ({
    kind,
    name: kind === 'webhook' || kind === 'language_model' ? hostOf(name) : name,
    gets,
  }));
}
