import { useEffect, useRef, useState } from 'react';
import { useDrafted } from './use-draft.ts';

/** The last public reply of another team member; null: none. */
export interface OtherReply {
  /** Its number among the replies. */
  mark: number;
  name: string;
}

/**
 * Whether a colleague has answered since this reply was begun: two answers to one question are worse than a late
 * one.
 * @returns the colleague, once the agent tried to send; `hold` says whether sending must wait, and `goOn` lets it
 * continue
 */
export function useAnsweredMeanwhile(place: string, last: OtherReply | null) {
  const isBegun = useDrafted(place, ({ reply }) => reply.trim() !== '');
  const seen = useRef(last?.mark ?? 0);
  const latest = useRef(last);
  latest.current = last;
  const [by, setBy] = useState<OtherReply | null>(null);
  useEffect(() => {
    seen.current = latest.current?.mark ?? 0;
    if (!isBegun) setBy(null);
  }, [isBegun]);
  return {
    by,
    hold: (): boolean => {
      const newest = latest.current;
      if (!newest || newest.mark <= seen.current) return false;
      setBy(newest);
      return true;
    },
    goOn: (): void => {
      seen.current = latest.current?.mark ?? 0;
      setBy(null);
    },
  };
}
