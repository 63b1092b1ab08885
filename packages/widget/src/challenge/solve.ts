import type { Challenge } from '@foyer/protocol';
import { loadPlaceWords, say } from '../strings.ts';
import { adopt } from '../style/adopt.ts';
import type { PageWithTrustedTypes } from '../trusted-types.ts';
import { createSearch, type Solution } from './search.ts';
import style from './solve.css?inline';
import workerUrl from './worker.ts?worker&url';

adopt(style);

const policy = (window as PageWithTrustedTypes).trustedTypes?.createPolicy('foyer-solver', {
  createScriptURL: (url: string) => url,
});

/** Most challenges are solved before anybody could read a word about it. */
const SAID_AFTER_MS = 600;

const inWorker = (challenge: Challenge): Promise<Solution> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' });
    const end = () => worker.terminate();
    worker.onmessage = ({ data }: MessageEvent<Solution>) => {
      end();
      resolve(data);
    };
    worker.onerror = () => {
      end();
      reject(new Error('no worker'));
    };
    worker.postMessage(challenge);
  });

/** Slower, for browsers that allow no worker here. */
const inSteps = async (challenge: Challenge): Promise<Solution> => {
  const search = createSearch(challenge.parameters);
  for (;;) {
    const solution = search();
    if (solution) return solution;
    await new Promise((resolve) => setTimeout(resolve));
  }
};

/** Says why it takes so long, to screen readers too: they announce text that appears in an existing element. */
const announce = () => {
  const notice = document.createElement('p');
  notice.className = 'checking';
  notice.role = 'status';
  document.body.append(notice);
  const timer = setTimeout(async () => {
    await loadPlaceWords().catch(() => {});
    notice.textContent = say('checking');
  }, SAID_AFTER_MS);
  return () => {
    clearTimeout(timer);
    notice.remove();
  };
};

/** Solves a challenge, which takes nothing but time. */
export const solve = async (challenge: Challenge): Promise<Solution> => {
  const end = announce();
  try {
    return await inWorker(challenge).catch(() => inSteps(challenge));
  } finally {
    end();
  }
};
