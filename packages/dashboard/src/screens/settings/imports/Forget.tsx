import type { DataImport } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

/** Deletes the file and returns to the list. */
export function Forget({ one }: { one: DataImport }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const forget = useMutation({
    mutationFn: () => call('imports.delete', { id: one.id }),
    onSuccess: async () => {
      await navigate({ to: '/settings/import' });
      client.removeQueries({ queryKey: ['imports', one.id] });
      await client.invalidateQueries({ queryKey: ['imports'] });
    },
    onError: (error) => toast.error(t('not_forgotten'), error),
  });
  return (
    <Button className="mt-4" busy={forget.isPending} onClick={() => forget.mutate()}>
      {t('forget')}
    </Button>
  );
}
