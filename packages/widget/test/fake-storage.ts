/** A browser's storage in memory, whose names are its keys. @param isFull refuses what is written */
export const fakeStorage = (isFull = false): Storage => {
  const methods = {
    getItem: (name: string) => values[name] ?? null,
    setItem(name: string, value: string) {
      if (isFull) throw new Error('QuotaExceededError');
      values[name] = value;
    },
    removeItem: (name: string) => void delete values[name],
  };
  const values: Record<string, string> = Object.create(methods);
  return values as unknown as Storage;
};
