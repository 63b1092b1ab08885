import { copy } from '../../ui/Copy.tsx';
import { say } from '../../ui/toast-store.ts';
import { t } from './t.ts';

/** The address of a chat or a ticket for a colleague, without the list that it is open beside. */
export async function copyLink(path: string): Promise<void> {
  const link = new URL(`/app/inbox/${path}`, location.origin).href;
  say((await copy(link)) ? t('link_copied') : t('link_is', { link }));
}
