/** The key prefix of all queries about retention. */
export const RETENTION_KEY = ['retention'];
