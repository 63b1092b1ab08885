/**
 * For `catch` on a read of a file or folder that may be missing: a missing one gives `otherwise`. Any other error is
 * thrown: what can't be read (too many open files, a broken disk) must not look as if it did not exist.
 */
export const ifMissing =
  <T>(otherwise: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return otherwise;
    throw error;
  };
