import { Picture } from './conversation/Picture.tsx';
import { Icon, PERSON, SPARK } from './Icons.tsx';

interface AvatarProps {
  kind: 'bot' | 'agent' | 'team';
  name: string;
  picture?: string | null | undefined;
}

/**
 * People are round, with their picture or initials; the bot is a square with a spark, so that they differ in shape.
 */
export const Avatar = ({ kind, name, picture = null }: AvatarProps) => (
  <Picture class="avatar avatar-agent" src={picture}>
    <span class={`avatar avatar-${kind}`} aria-hidden="true">
      {kind === 'bot' ? (
        <Icon path={SPARK} size={18} />
      ) : kind === 'team' ? (
        <Icon path={PERSON} size={18} />
      ) : (
        initials(name)
      )}
    </span>
  </Picture>
);

const initials = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase();
};
