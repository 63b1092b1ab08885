/**
 * From the start of the process to the first response of /healthz, on an empty data folder and with the data of the
 * previous start; then the idle memory of server and PostgreSQL. Compared only with the limits. Memory is the server's
 * RSS and the PSS of PostgreSQL's processes, which share most of theirs. Linux only.
 */
import { type Figure, median, NONE } from './figures.ts';
import { type RunningFoyer, startFoyer, temporaryFolder } from './foyer.ts';
import { descendants, postmasterOf, read } from './processes.ts';

const ROUNDS = 3;
const IDLE_MS = 10_000;

interface Measured {
  firstMs: number;
  againMs: number;
  serverKb: number;
  postgresKb: number;
}

const kilobytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

async function measureOne(): Promise<Measured> {
  const folder = await temporaryFolder();
  try {
    const first = await startFoyer({ FOYER_DATA_DIR: folder.dir });
    await first.stop();
    const again = await startFoyer({ FOYER_DATA_DIR: folder.dir });
    try {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      return { firstMs: first.startMs, againMs: again.startMs, ...memoryOf(again, folder.dir) };
    } finally {
      await again.stop();
    }
  } finally {
    await folder.remove();
  }
}

function memoryOf({ process: { pid = 0 } }: RunningFoyer, dataDir: string) {
  const postgres = descendants(postmasterOf(dataDir)).map((one) => read(`/proc/${one}/smaps_rollup`));
  return {
    serverKb: kilobytes(read(`/proc/${pid}/status`), 'VmRSS'),
    postgresKb: postgres.reduce((total, text) => total + kilobytes(text, 'Pss'), 0),
  };
}

export async function start(): Promise<Figure[]> {
  const seen: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) seen.push(await measureOne());
  const of = (field: keyof Measured): number => median(seen.map((one) => one[field]));
  const figure = (what: string, ours: string, wanted: string): Figure => ({
    what,
    ours,
    bare: NONE,
    ratio: NONE,
    wanted,
  });
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const megabytes = (kb: number): string => `${Math.round(kb / 1024)} MB`;
  return [
    figure('first start, to /healthz', seconds(of('firstMs')), '< 5 s'),
    figure('start with data, to /healthz', seconds(of('againMs')), '< 2 s'),
    figure('idle memory, server', megabytes(of('serverKb')), NONE),
    figure('idle memory, PostgreSQL', megabytes(of('postgresKb')), NONE),
    figure('idle memory, together', megabytes(of('serverKb') + of('postgresKb')), '< 250 MB'),
  ];
}
