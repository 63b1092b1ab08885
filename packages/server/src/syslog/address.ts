import { type Environment, refuse } from '../base/environment.ts';

/** Where security events are sent. */
export interface SyslogAddress {
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly host: string;
  readonly port: number;
}

/** RFC 5426 and RFC 5425; plain TCP has no registered port of its own, and servers use that of UDP. */
const PORTS = { udp: 514, tcp: 514, tls: 6514 } as const;

/** @throws StartError */
export function readSyslogAddress(env: Environment): SyslogAddress | undefined {
  const value = env.FOYER_SYSLOG_URL;
  if (!value) return undefined;
  const [, transport, host = '', port] =
    /^(udp|tcp|tls):\/\/(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?\/?$/i.exec(value) ?? [];
  const known = (['udp', 'tcp', 'tls'] as const).find((one) => one === transport?.toLowerCase());
  const number = port === undefined ? PORTS[known ?? 'udp'] : Number(port);
  if (known === undefined || number < 1 || number > 65_535)
    return refuse('FOYER_SYSLOG_URL', value, 'udp://host:514, tcp://host:514 or tls://host:6514');
  return { transport: known, host: host.replace(/^\[|\]$/g, ''), port: number };
}
