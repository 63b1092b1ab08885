import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { tCommon } from '../t-common.ts';
import { IconButton } from './Button.tsx';

/** False if the browser doesn't allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const SHOWN_MS = 2000;

/** Whether a text was just copied, and a function to copy one. */
export function useCopied(): [boolean, (text: string) => void] {
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
