import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, type RefObject, useRef, useState } from 'react';
import { tCommon } from '../../t-common.ts';
import { Button } from '../Button.tsx';
import { cx } from '../classes.ts';
import { ErrorNote } from '../ErrorNote.tsx';
import { placeOfRow } from '../rows/row-place.ts';

const SCRIM = 'fixed inset-0 z-40 bg-scrim';
const BOX =
  'appear fixed z-40 flex max-h-[calc(100dvh-32px)] flex-col rounded-xl bg-raised shadow-float outline-none ' +
  'top-1/2 left-1/2 w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2';

/** A dialog for searching: its top stays in place while the results grow. */
export const FINDER_BOX =
  '-translate-x-1/2 appear fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-32px)] overflow-hidden rounded-xl bg-raised ' +
  'shadow-float outline-none max-sm:top-4';

/** Without a tooltip: that would be another layer for `Esc` to close. */
const CloseButton = () => (
  <Base.Close
    aria-label={tCommon('close')}
    title={tCommon('close_esc')}
    className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-hover hover:text-text max-md:size-10"
  >
    <X aria-hidden className="size-4" />
  </Base.Close>
);

/** What opened the first of several dialogs, each of which opens the next as it closes. */
let firstOpener: Element | null = null;

/**
 * The dialog's popup. On closing, focus returns to the element that had it at the first render, because a field with
 * `autoFocus` has it before the dialog looks; or to the row in the place of one that is gone.
 */
export function DialogPopup(props: ComponentProps<typeof Base.Popup>) {
  const [openers] = useState(() => {
    const focused = document.activeElement;
    if (focused === document.body) return [firstOpener];
    if (!focused?.closest('[role="dialog"]')) firstOpener = focused;
    return [focused, firstOpener];
  });
  const back = (): HTMLElement | true => {
    setTimeout(() => {
      firstOpener = null;
    });
    const found = openers.find((one) => one?.isConnected);
    return found instanceof HTMLElement ? found : (placeOfRow() ?? true);
  };
  return <Base.Popup {...props} finalFocus={back} />;
}

const WIDTHS: Record<string, string> = {
  false: 'max-w-md',
  true: 'max-w-2xl',
  whole: 'max-w-2xl xl:max-w-6xl',
};

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons at the end. */
  foot?: ReactNode;
  /** `whole`: as wide as a large screen allows. */
  wide?: boolean | 'whole';
  /** It holds typed text or something shown only once: a click beside the dialog doesn't close it. */
  holds?: boolean;
  /** Gets the focus when the dialog opens. The default is the first field, or else the first button. */
  initialFocus?: RefObject<HTMLElement | null>;
}

const FIELD = 'input:not([type="hidden"], [type="file"], :disabled), textarea:enabled, select:enabled';

/**
 * Focuses the first field: by default the close button has the focus, where the first typed space would close the
 * dialog. A field with `autoFocus` keeps it; on a touch screen no field gets it, because the keyboard would cover the
 * dialog.
 */
const firstField =
  (body: RefObject<HTMLElement | null>) =>
  (openedBy: string): HTMLElement | boolean => {
    if (body.current?.contains(document.activeElement)) return false;
    return (openedBy !== 'touch' && body.current?.querySelector<HTMLElement>(FIELD)) || true;
  };

/** A modal dialog. With `holds`, a click beside it doesn't close it. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, children, foot, wide = false, holds = false } = props;
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} disablePointerDismissal={holds} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={SCRIM} />
        <DialogPopup
          initialFocus={props.initialFocus ?? firstField(body)}
          className={cx(BOX, WIDTHS[String(wide)])}
        >
          <div className="flex items-start justify-between gap-4 py-3 ps-5 pe-3">
            <Base.Title className="wrap-anywhere min-w-0 py-1 font-semibold text-base max-md:py-2">
              {title}
            </Base.Title>
            <CloseButton />
          </div>
          <div ref={body} className="scroll-y wrap-anywhere min-h-0 px-5 pb-5">
            {children}
          </div>
          {foot ? <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{foot}</div> : null}
        </DialogPopup>
      </Base.Portal>
    </Base.Root>
  );
}

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  /** A question that names what is deleted or changed. */
  title: string;
  /** What happens and whether it can be undone. */
  children: ReactNode;
  action: string;
  keep?: string;
  busy?: boolean;
  error?: Error | null;
  onConfirm: () => void;
  danger?: boolean;
  /** Enter confirms; by default, Enter cancels. */
  onEnter?: boolean;
}

/** Asks before something is deleted or changed. */
export function Confirm(props: ConfirmProps) {
  const {
    open,
    onClose,
    title,
    children,
    action,
    keep = tCommon('cancel'),
    busy = false,
    error,
    onConfirm,
  } = props;
  const does = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={SCRIM} />
        <AlertDialog.Popup
          className={cx(BOX, 'scroll-y max-w-md p-5')}
          finalFocus={() => placeOfRow() ?? true}
          {...(props.onEnter ? { initialFocus: does } : {})}
        >
          <AlertDialog.Title className="wrap-anywhere font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="wrap-anywhere mt-2 text-soft">
            {children}
          </AlertDialog.Description>
          {error ? <ErrorNote error={error} className="mt-3" /> : null}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Close render={<Button>{keep}</Button>} />
            <Button
              ref={does}
              look={props.danger === false ? 'primary' : 'danger'}
              busy={busy}
              onClick={onConfirm}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** A panel over the right edge, for content that has no room beside the rest. */
export function SidePanel({
  open,
  onClose,
  title,
  children,
}: Omit<DialogProps, 'foot' | 'wide' | 'holds' | 'initialFocus'>) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={SCRIM} />
        <DialogPopup className="fixed inset-y-0 end-0 z-40 flex w-90 max-w-full flex-col bg-surface shadow-float outline-none">
          <div className="flex h-14 shrink-0 items-center justify-between border-b ps-4 pe-2">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <CloseButton />
          </div>
          <div className="scroll-y min-h-0 flex-1">{children}</div>
        </DialogPopup>
      </Base.Portal>
    </Base.Root>
  );
}
