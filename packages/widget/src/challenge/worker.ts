import type { Challenge } from '@foyer/protocol';
import { createSearch } from './search.ts';

/** A thread of its own, so that the chat stays fast. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  const search = createSearch(data.parameters);
  let solution = search();
  while (!solution) solution = search();
  postMessage(solution);
});
