/** Under it stand all queries about how long data is kept. */
export const RETENTION_KEY = ['retention'];
