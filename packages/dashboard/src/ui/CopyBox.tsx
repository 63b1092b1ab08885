import { Check, Copy } from 'lucide-react';
import type { Ref } from 'react';
import { tCommon } from '../t-common.ts';
import { Button } from './Button.tsx';
import { useCopied } from './Copy.tsx';
import { cx } from './classes.ts';

interface CopyBoxProps {
  text: string;
  label: string;
  wrap?: boolean;
  /** The ref of its button. */
  copyRef?: Ref<HTMLButtonElement>;
}

/** A text to copy: a snippet, a secret, a link. */
export function CopyBox({ text, label, wrap = false, copyRef }: CopyBoxProps) {
  const [copied, start] = useCopied();
  return (
    <div className="relative rounded-lg border bg-sunken">
      <pre
        className={cx(
          'overflow-x-auto p-3 font-mono sm:pe-28 text-[13px] leading-5',
          // On phones nothing should scroll within the page, which a keyboard couldn't reach.
          wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'max-md:wrap-anywhere max-md:whitespace-pre-wrap',
        )}
      >
        {text}
      </pre>
      <Button
        small
        ref={copyRef}
        className="max-sm:m-2 max-sm:mt-0 sm:absolute sm:end-2 sm:top-2"
        aria-label={label}
        onClick={() => start(text)}
        icon={copied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      >
        {tCommon(copied ? 'copied' : 'copy')}
      </Button>
    </div>
  );
}
