import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useLanguage } from '../../language.ts';
import { tCommon } from '../../t-common.ts';
import { Button, IconButton } from '../Button.tsx';
import { CopyText } from '../Copy.tsx';
import { currentToasts, dismiss, onToasts } from './toast-store.ts';

/** Short messages at the bottom of the page. */
export function Toasts() {
  useLanguage();
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  return (
    <section
      aria-label={tCommon('messages')}
      aria-live="polite"
      // Over neither a list nor a box: below the header of what is open, and where there are three panes in the last.
      className="fixed z-50 flex flex-col gap-2 max-xl:top-16 max-md:inset-x-4 md:end-4 md:w-72 md:max-xl:w-96 xl:bottom-4"
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          role={toast.kind === 'error' ? 'alert' : undefined}
          className="appear flex items-start gap-3 rounded-lg bg-raised p-3 shadow-float"
        >
          {toast.kind === 'error' ? (
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-text" />
          ) : (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good-text" />
          )}
          {/* A title that leaves no room for Undo beside it has it below. */}
          <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
            <div className="min-w-0 grow">
              <p className="wrap-anywhere font-medium">{toast.title}</p>
              {toast.text ? <p className="wrap-anywhere text-soft">{toast.text}</p> : null}
              {toast.requestId ? (
                <p className="mt-1 text-soft text-xs">
                  {tCommon.rich('request', {
                    id: <CopyText text={toast.requestId} label={tCommon('request_copy')} />,
                  })}
                </p>
              ) : null}
            </div>
            {toast.undo ? (
              <Button
                small
                className="-my-1"
                onClick={() => {
                  dismiss(toast.id);
                  toast.undo?.();
                }}
              >
                {tCommon('undo')}
              </Button>
            ) : null}
          </div>
          <IconButton label={tCommon('dismiss')} small onClick={() => dismiss(toast.id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
