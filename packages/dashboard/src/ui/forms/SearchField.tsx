import { Search, X } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { tCommon } from '../../t-common.ts';
import { Keys } from '../Tip.tsx';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  shortcut?: string;
  ref?: Ref<HTMLInputElement>;
}

const PAUSE_MS = 250;

/** The typed text, passed on once typing pauses. A value set from outside replaces it. */
function useTypedText(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useRef(onChange);
  send.current = onChange;
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      send.current(sent.current);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}

/** A search box that passes its text on once typing pauses. */
export function SearchField({ label, value, onChange, shortcut, ref }: SearchFieldProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <div className="relative min-w-0 flex-1">
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute start-2.5 top-1/2 size-4 text-faint"
      />
      <input
        ref={ref}
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          if (text === '') event.currentTarget.blur();
          // In a dialog, Escape clears the search instead of closing.
          else event.stopPropagation();
          setText('');
        }}
        className="h-9 w-full text-ellipsis rounded-lg border border-line-strong bg-field ps-8 pe-8 [&::-webkit-search-cancel-button]:hidden hover:border-control focus:border-accent focus:outline-none focus-visible:outline-2 focus-visible:outline-accent focus-visible:-outline-offset-1 max-md:h-11 max-md:text-[16px]"
      />
      {text ? (
        <button
          type="button"
          aria-label={tCommon('search_clear')}
          onClick={() => setText('')}
          className="-translate-y-1/2 absolute end-1.5 top-1/2 rounded-md p-1 text-soft hover:bg-hover max-md:end-0 max-md:p-3.5"
        >
          <X aria-hidden className="size-4" />
        </button>
      ) : shortcut ? (
        <span
          aria-hidden
          className="-translate-y-1/2 pointer-events-none absolute end-2 top-1/2 max-md:hidden"
        >
          <Keys keys={shortcut} />
        </span>
      ) : null}
    </div>
  );
}
