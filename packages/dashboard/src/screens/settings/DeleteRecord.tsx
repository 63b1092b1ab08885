import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';

interface DeleteRecordProps {
  label: string;
  /** The question's title and its button. */
  title: string;
  action: string;
  /** Said once it is gone. */
  done: string;
  run: () => Promise<unknown>;
  /** The list, which is shown and reloaded then. */
  back: NonNullable<LinkProps['to']>;
  listKey: QueryKey;
  /** What deleting means. */
  children: ReactNode;
}

/** The button in the head of a record's page that deletes it after a question. */
export function DeleteRecord({
  label,
  title,
  action,
  done,
  run,
  back,
  listKey,
  children,
}: DeleteRecordProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button icon={<Trash2 aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={title}
        action={action}
        run={run}
        onDone={async () => {
          await navigate({ to: back, ignoreBlocker: true });
          await client.invalidateQueries({ queryKey: listKey });
          toast.success(done);
        }}
      >
        {children}
      </ConfirmAction>
    </>
  );
}
