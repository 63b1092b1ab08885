import type { Me, Message } from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { useQuery } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { Outgoing } from '../live/outbox.ts';
import type { Typist } from '../live/typing.ts';
import { meQuery } from '../queries.ts';
import type { Desk } from './desk.ts';

export const DeskContext = createContext<Desk | null>(null);

/** The signed-in agent's desk; throws outside of it. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('this part of the page is for signed-in agents');
  return desk;
}

/** Who is signed in, and the site. */
export function useMe(): Me {
  const desk = useDesk();
  return useQuery(meQuery).data ?? desk.me;
}

/** Whether the signed-in agent is an admin. */
export const useIsAdmin = (): boolean => useMe().agent.role === 'admin';

/** Whether the signed-in agent has a permission. Admins have all of them. */
export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission);

/** Whether the signed-in agent has what a place of the desk needs; `admin` is what no permission grants. */
export function useNeeds(): (needs: Permission | 'admin' | undefined) => boolean {
  const { agent, permissions } = useMe();
  return (needs) =>
    needs === undefined || (needs === 'admin' ? agent.role === 'admin' : permissions.includes(needs));
}

/** A chat's messages, kept up to date while it is on the screen. */
export function useChatLog(sessionId: string): readonly Message[] {
  const { log } = useDesk();
  const subscribe = useCallback(
    (listener: () => void) => log.subscribe(sessionId, listener),
    [log, sessionId],
  );
  return useSyncExternalStore(subscribe, () => log.get(sessionId));
}

/** The messages that are not confirmed by the server yet. */
export function useOutbox(): readonly Outgoing[] {
  const { outbox } = useDesk();
  const subscribe = useCallback((listener: () => void) => outbox.subscribe(listener), [outbox]);
  return useSyncExternalStore(subscribe, () => outbox.items);
}

/** Who is typing in a chat, if anyone is. */
export function useTypist(sessionId: string): Typist | undefined {
  const { typing } = useDesk();
  const subscribe = useCallback((listener: () => void) => typing.subscribe(listener), [typing]);
  return useSyncExternalStore(subscribe, () => typing.get(sessionId));
}

/** Whether the socket is up; `connecting` before it was up for the first time. */
export function useLiveState() {
  const desk = useDesk();
  const subscribe = useCallback((listener: () => void) => desk.onState(listener), [desk]);
  return useSyncExternalStore(subscribe, () => desk.live.state);
}
