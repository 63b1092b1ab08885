import { say } from '../../strings.ts';
import { Icon } from '../Icons.tsx';
import { useBegin } from './use-begin.ts';

/** A person is one step away from wherever the visitor reads. */
export const PersonButton = () => {
  const { askPerson } = useBegin();
  return (
    <button type="button" class="quiet-button" data-key="person" onClick={askPerson}>
      <Icon name="person" size={16} />
      {say('person')}
    </button>
  );
};
