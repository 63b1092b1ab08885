import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { ApiError } from '../api.ts';
import { IconButton } from './Button.tsx';
import { CopyText } from './Copy.tsx';

interface Extra {
  requestId?: string;
}

const manager = Toast.createToastManager<Extra>();

/** Says that something was done. */
export const say = (text: string): void => void manager.add({ title: text, timeout: 4000 });

/** Says that something failed; stays until it is closed. */
export function complain(title: string, error: unknown): void {
  const description = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof ApiError ? error.requestId : '';
  manager.add({ title, description, type: 'error', timeout: 0, priority: 'high', data: { requestId } });
}

function List() {
  const { toasts } = Toast.useToastManager<Extra>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="appear flex w-full items-start gap-3 rounded-lg bg-raised p-3 shadow-float"
    >
      {toast.type === 'error' ? (
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-text" />
      ) : (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good-text" />
      )}
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className="wrap-anywhere font-medium" />
        <Toast.Description className="wrap-anywhere text-soft" />
        {toast.data?.requestId ? (
          <p className="mt-1 text-soft text-xs">
            Request <CopyText text={toast.data.requestId} label="Copy the request id" />
          </p>
        ) : null}
      </Toast.Content>
      <Toast.Close render={<IconButton label="Dismiss" className="-m-1 size-7" />}>
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Where short messages show, at the foot of the page. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="fixed end-4 bottom-20 z-50 flex w-90 max-w-[calc(100vw-32px)] flex-col gap-2 md:bottom-4">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
