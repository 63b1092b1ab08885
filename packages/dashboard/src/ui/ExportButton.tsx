import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from './Button.tsx';
import { toast } from './toasts/toast-store.ts';

interface ExportButtonProps {
  label: string;
  /** What is said when no file came of it. */
  failed: string;
  save: () => Promise<void>;
}

/** Makes a file and offers it. */
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
