import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../ui/toasts/toast-store.ts';
import { goOn } from './go-on.ts';
import { whenRead } from './mark-read.ts';
import { t } from './t.ts';

/** Marks what is open as unread and leaves it, as opening it is what reads it. */
export function useMarkUnread(mark: () => Promise<void>): () => void {
  const navigate = useNavigate();
  const { mutate } = useMutation({
    // The server must not get the call that opening made behind this one: what was marked would be read again.
    mutationFn: async () => {
      await whenRead();
      await mark();
    },
    onSuccess: () => {
      toast.success(t('marked_unread'));
      // Behind the last of the list there is no next one; and the way back would open, and read, it again.
      void navigate({ to: '/inbox', search: true, replace: true });
      goOn();
    },
    onError: (error) => toast.error(t('unread_failed'), error),
  });
  return () => mutate();
}
