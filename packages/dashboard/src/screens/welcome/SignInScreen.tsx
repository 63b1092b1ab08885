import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Door } from './Door.tsx';
import { setupStateQuery, useEnter } from './door-calls.ts';
import { NotSetUp } from './NotSetUp.tsx';
import { SignInForm } from './SignInForm.tsx';
import { t } from './t.ts';

const route = getRouteApi('/sign-in');

/** The sign-in, which then continues to the requested page. */
export function SignInScreen() {
  const { next } = route.useSearch();
  const [asksCode, setAsksCode] = useState(false);
  const enter = useEnter();
  const { data } = useQuery(setupStateQuery);
  if (data?.set_up === false) return <NotSetUp />;
  const hint = next && !/^\/app\/(inbox)?$/.test(next) ? t('next_hint') : t('sign_in_hint');
  return (
    <Door title={asksCode ? t('code_title') : t('sign_in')} intro={asksCode ? undefined : hint}>
      <SignInForm onCode={setAsksCode} onIn={() => enter(next ?? '/app/inbox')} />
    </Door>
  );
}
