import { Check, Copy } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { tCommon } from '../t-common.ts';
import { Button, IconButton } from './Button.tsx';
import { cx } from './classes.ts';

/** False where the browser does not let the page. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const SHOWN_MS = 2000;

function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copy(text).then(setCopied)];
}

/** A short text, such as an id, with a button to copy it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [copied, start] = useCopied();
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1">
      <code className="truncate font-mono text-xs">{text}</code>
      <IconButton label={copied ? tCommon('copied') : label} small onClick={() => start(text)}>
        {copied ? <Check aria-hidden className="size-3.5" /> : <Copy aria-hidden className="size-3.5" />}
      </IconButton>
    </span>
  );
}

interface CopyBoxProps {
  text: string;
  label: string;
  wrap?: boolean;
  /** Its button. */
  copyRef?: Ref<HTMLButtonElement>;
}

/** A text to take elsewhere: a snippet, a secret, a link. */
export function CopyBox({ text, label, wrap = false, copyRef }: CopyBoxProps) {
  const [copied, start] = useCopied();
  return (
    <div className="relative rounded-lg border bg-sunken">
      <pre
        className={cx(
          'overflow-x-auto p-3 font-mono sm:pe-28 text-[13px] leading-5',
          // On phones nothing is to be scrolled within the page, which a keyboard could not.
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
