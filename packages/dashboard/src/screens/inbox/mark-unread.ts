import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../ui/toasts/toast-store.ts';
import { goOn } from './go-on.ts';
import { whenRead } from './mark-read.ts';
import { t } from './t.ts';

/** Marks what is open as unread and leaves it, because opening marks it as read. */
export function useMarkUnread(mark: () => Promise<void>): () => void {
  const navigate = useNavigate();
  const { mutate } = useMutation({
    // The call made by opening it must not reach the server after this one, or it would be read again.
    mutationFn: async () => {
      await whenRead();
      await mark();
    },
    onSuccess: () => {
      toast.success(t('marked_unread'));
      // After the last one there is no next, and going back would open, and so read, it again.
      void navigate({ to: '/inbox', search: true, replace: true });
      goOn();
    },
    onError: (error) => toast.error(t('unread_failed'), error),
  });
  return () => mutate();
}
