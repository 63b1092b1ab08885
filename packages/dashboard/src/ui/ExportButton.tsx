import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from './Button.tsx';
import { toast } from './toasts/toast-store.ts';

interface ExportButtonProps {
  label: string;
  /** The error if no file was created. */
  failed: string;
  save: () => Promise<void>;
}

/** Creates a file and offers it for download. */
export function ExportButton({ label, failed, save }: ExportButtonProps) {
  const saving = useMutation({ mutationFn: save, onError: (error) => toast.error(failed, error) });
  return (
    <Button
      icon={<Download aria-hidden className="size-4" />}
      busy={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {label}
    </Button>
  );
}
