import type { ApiToken } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { tokensQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { linesOf } from './lines.ts';
import { PagesField } from './PagesField.tsx';

/** Changes the pages on which a browser token works. */
export function PagesDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const [origins, setOrigins] = useState(token.allowed_origins.join('\n'));
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => call('browser_tokens.update', { id: token.id, allowed_origins: linesOf(origins) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Pages of “${token.name}”`}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="pages" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="pages" onSubmit={submit} className="space-y-4">
        <PagesField value={origins} error={fields} onChange={setOrigins} />
        {save.error && !(fields && fields.issues.length > 0) ? <ErrorNote error={save.error} /> : null}
      </form>
    </Dialog>
  );
}
