import { type Environment, hostAndPort, refuse } from '../base/environment.ts';

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
  const [, scheme, place = ''] = /^(udp|tcp|tls):\/\/([^/]{1,300})\/?$/i.exec(value) ?? [];
  const transport = (['udp', 'tcp', 'tls'] as const).find((one) => one === scheme?.toLowerCase());
  const at = transport && hostAndPort(place, PORTS[transport]);
  if (!at) return refuse('FOYER_SYSLOG_URL', value, 'udp://host:514, tcp://host:514 or tls://host:6514');
  return { transport, ...at };
}
