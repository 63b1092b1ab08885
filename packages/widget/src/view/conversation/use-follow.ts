import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Within this distance of the end, the list follows new messages. */
const FOLLOW_PX = 80;
const MARGIN_PX = 8;

interface FollowOptions {
  /** How many of the visitor's messages are pending: a new one always comes into view. */
  written: number;
  /** Changes when something is added, which comes into view if the end was in view before. */
  shown: string;
  /** The last row is an answer, which is shown from its beginning. */
  endsWithAnswer: boolean;
  startsAtEnd: boolean;
  /** Whether the end of the list is drawn. Otherwise there is nothing to follow. */
  isWhole: RefObject<boolean>;
}

/** Keeps the end of a growing list in view, unless the visitor has scrolled away from it. */
export const useFollow = ({ written, shown, endsWithAnswer, startsAtEnd, isWhole }: FollowOptions) => {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const writtenBefore = useRef(0);

  const toEnd = () => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };
  const follow = () => {
    const box = scroller.current;
    const last = content.current?.querySelector<HTMLElement>('.messages > li:last-child');
    if (!box || !isAtEnd || !isWhole.current) return;
    if (endsWithAnswer && last && last.offsetHeight + MARGIN_PX > box.clientHeight) {
      box.scrollTop = last.offsetTop - MARGIN_PX;
    } else toEnd();
  };
  const latest = useRef(follow);
  latest.current = follow;

  useLayoutEffect(() => {
    if (written > writtenBefore.current) toEnd();
    writtenBefore.current = written;
  }, [written]);
  useLayoutEffect(() => latest.current(), [shown]);
  // A phone's keyboard or the email form takes space from the list, and the survey grows while it is filled in.
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    // A scrollable area must be reachable by keyboard, which Safari doesn't ensure.
    box.tabIndex = 0;
    const watch = new ResizeObserver(() => latest.current());
    watch.observe(box);
    if (content.current) watch.observe(content.current);
    return () => watch.disconnect();
  }, []);

  const onScroll = () => {
    const box = scroller.current;
    if (box) setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_PX);
  };
  return { scroller, content, isAtEnd, onScroll, toEnd };
};
