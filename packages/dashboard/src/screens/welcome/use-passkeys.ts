import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../api.ts';
import { offersPasskeys, signInWithPasskey } from '../settings/account/passkeys.ts';

/** Before its challenge expires, a page that stays open asks for another. */
const RENEW_MS = 180_000;

/** Signs in with a passkey: by a button, and by choosing one in the list under the email field. */
export function usePasskeys(onIn: () => void, enabled: boolean) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  // A browser serves one request at a time.
  const current = useRef<AbortController>(undefined);
  const enter = async (mediation: 'conditional' | 'optional'): Promise<void> => {
    current.current?.abort();
    current.current = new AbortController();
    try {
      if (await signInWithPasskey(mediation, current.current.signal)) onIn();
    } catch (failure) {
      // Nobody waits for the list under the field: an error is only that a passkey chosen there was refused.
      const isRefused = failure instanceof ApiError && failure.reason === 'passkey_refused';
      const isShown = mediation === 'optional' || isRefused;
      if (failure instanceof Error && isShown) setError(failure);
    }
  };
  const offer = useEffectEvent(() => void enter('conditional'));
  const stop = useEffectEvent(() => current.current?.abort());
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setInterval> | undefined;
    let isOver = false;
    void offersPasskeys().then((offers) => {
      if (!offers || isOver) return;
      offer();
      timer = setInterval(offer, RENEW_MS);
    });
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, [enabled]);
  return {
    busy,
    error,
    async choose(): Promise<void> {
      setBusy(true);
      setError(null);
      await enter('optional');
      setBusy(false);
    },
  };
}
