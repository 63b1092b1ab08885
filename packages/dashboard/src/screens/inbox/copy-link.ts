import { call } from '../../api.ts';
import { withSite } from '../../site.ts';
import { copy } from '../../ui/Copy.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

/** The address of a chat or ticket for a colleague, without the list beside it. */
export async function copyLink(path: string): Promise<void> {
  const link = withSite(new URL(`/app/inbox/${path}`, location.origin));
  toast.success((await copy(link)) ? t('link_copied') : t('link_is', { link }));
}

/** A private portal link for a ticket's customer who can't be emailed. */
export async function copyCustomerLink(ticketId: number): Promise<void> {
  try {
    const { url } = await call('portal_links.create', { ticket_id: ticketId });
    toast.success((await copy(url)) ? t('customer_link_copied') : t('link_is', { link: url }));
  } catch (error) {
    toast.error(t('customer_link_failed'), error);
  }
}
