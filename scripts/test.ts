/**
 * The tests of every package. Where CI=true, files that failed run once more, whole and by themselves: real browsers,
 * databases and kills on a busy machine fail now and then, and the stories of a file share its server, so that one story
 * alone cannot be run again. What fails twice is broken; what failed once is named at the end.
 */
import { relative } from 'node:path';
import { startVitest } from 'vitest/node';

/** More than these are no accident. */
const RERUN_FILES_MAX = 5;

/** Runs the files whose paths hold one of the filters; `true` when all was well. Sets the exit code when it was not. */
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
