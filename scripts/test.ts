/**
 * The tests of every package. With CI=true, failed files run once more, completely and alone: real browsers, databases
 * and kills on a busy machine fail now and then, and the tests of a file share its server, so that one test can't be
 * run again alone. A file that fails twice is broken; one that failed once is named at the end.
 */
import { relative } from 'node:path';
import { startVitest } from 'vitest/node';

/** More failed files than this are no accident. */
const RERUN_FILES_MAX = 5;

/** Runs the files whose paths contain one of the filters. `ok` if all passed; otherwise sets the exit code. */
async function run(filters: string[]): Promise<{ ok: boolean; failed: string[] }> {
  process.exitCode = undefined;
  const vitest = await startVitest('test', filters, { watch: false });
  const failed = vitest.state
    .getTestModules()
    .filter((module) => !module.ok())
    .map(({ moduleId }) => relative(process.cwd(), moduleId));
  await vitest.close();
  return { ok: process.exitCode === undefined, failed };
}

const { ok, failed } = await run(process.argv.slice(2));
if (process.env.CI === 'true' && !ok && failed.length > 0 && failed.length <= RERUN_FILES_MAX) {
  const again = await run(failed);
  console.log(
    `Failed at first: ${failed.join(', ')}. ${again.ok ? 'Passed when run again.' : 'Failed again.'}`,
  );
}
