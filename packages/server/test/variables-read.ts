import { readConfig } from '../src/config.ts';

/** Every variable that the server reads. */
export function variablesRead(): Set<string> {
  const read = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(environment);
  return read;
}
