import { say } from '../../strings.ts';
import { Icon, PERSON } from '../Icons.tsx';
import { useBegin } from './use-begin.ts';

/** Asking for a person is possible from every place. */
export const PersonButton = () => {
  const { askPerson } = useBegin();
  return (
    <button type="button" class="quiet-button" data-key="person" onClick={askPerson}>
      <Icon path={PERSON} size={16} />
      {say('person')}
    </button>
  );
};
