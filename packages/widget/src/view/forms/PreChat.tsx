import type { PreChatField } from '@foyer/protocol';
import { PRE_CHAT_ANSWER_MAX, VISITOR_NAME_MAX } from '@foyer/protocol/values/bounds';
import { preChatKey } from '@foyer/protocol/values/wire-names';
import { useState } from 'preact/hooks';
import { introduce } from '../../core/chat/introduce.ts';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/intro.css?inline';
import { Rich } from '../conversation/Rich.tsx';
import { useShared } from '../conversation/use-chat.ts';
import { FormError } from '../FormError.tsx';
import { EmailField, looksLikeEmail } from './EmailField.tsx';

adopt(style);

const labelOf = (field: PreChatField): string => {
  const label = 'label' in field ? field.label : say(field.kind === 'name' ? 'intro_name' : 'email_label');
  return field.required ? label : say('intro_optional', { label });
};

/** Typed answers by field key. */
type Answers = Record<string, string>;

const answerTo = (field: PreChatField, answers: Answers): string => (answers[preChatKey(field)] ?? '').trim();

const problemWith = (field: PreChatField, answer: string): string | null => {
  if (answer === '') return field.required ? say('intro_missing') : null;
  return field.kind === 'email' && !looksLikeEmail(answer) ? say('email_bad') : null;
};

/** The answers by key: either those for attributes, or the others. */
const answered = (fields: readonly PreChatField[], answers: Answers, areAttributes: boolean) =>
  Object.fromEntries(
    fields
      .filter((field) => 'attribute' in field === areAttributes && answerTo(field, answers) !== '')
      .map((field) => [preChatKey(field), answerTo(field, answers)]),
  );

interface PreChatProps {
  /** Lets a button elsewhere submit the form; the value `person` also requests a person. */
  id: string;
  /** The chat was opened to request a person. */
  wantsPerson: boolean;
  done: (asksPerson: boolean) => void;
}

/** The site's questions before a first chat. The answers are sent with the visitor. */
export const PreChat = ({ id, wantsPerson, done }: PreChatProps) => {
  const { chat, state } = useShared();
  // The form keeps its fields even if the connection breaks and the server sends a new welcome.
  const [fields] = useState(state.preChat);
  const [answers, setAnswers] = useState<Answers>({});
  const [problems, setProblems] = useState<Record<string, string | null>>({});
  const [status, setStatus] = useState<'asking' | 'sending' | 'failed'>('asking');

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (status === 'sending') return;
    const asksPerson = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'person';
    const found = fields.map((field) => [preChatKey(field), problemWith(field, answerTo(field, answers))]);
    setProblems(Object.fromEntries(found));
    const [first] = found.find(([, problem]) => problem !== null) ?? [];
    if (first) {
      document.getElementById(`intro-${first}`)?.focus();
      return;
    }
    setStatus('sending');
    try {
      const attributes = answered(fields, answers, true);
      await introduce(chat, { ...answered(fields, answers, false), attributes });
      done(asksPerson);
    } catch {
      setStatus('failed');
    }
  };
  return (
    <form id={id} class="intro" onSubmit={submit} noValidate>
      <h2 tabIndex={-1} data-first>
        {say('intro_title')}
      </h2>
      {fields.map((field) => (
        <Question
          key={preChatKey(field)}
          field={field}
          value={answers[preChatKey(field)] ?? ''}
          problem={problems[preChatKey(field)] ?? null}
          change={(value) => setAnswers({ ...answers, [preChatKey(field)]: value })}
        />
      ))}
      <FormError text={status === 'failed' && say('action_failed')} />
      <button type="submit" class="button" disabled={status === 'sending'}>
        {say(wantsPerson ? 'person' : 'intro_start')}
      </button>
    </form>
  );
};

interface QuestionProps {
  field: PreChatField;
  value: string;
  problem: string | null;
  change: (value: string) => void;
}

const Question = ({ field, value, problem, change }: QuestionProps) => {
  const id = `intro-${preChatKey(field)}`;
  const shared = {
    id,
    class: 'field',
    'aria-describedby': problem ? `${id}-problem` : undefined,
    'aria-invalid': problem !== null,
    'aria-required': field.required,
    value,
  };
  if (field.kind === 'consent')
    return (
      <div class="intro-consent">
        {/* The answer is the wording: what was agreed to is what was shown. */}
        <input
          {...shared}
          class=""
          type="checkbox"
          checked={value !== ''}
          onChange={({ currentTarget }) => change(currentTarget.checked ? field.label : '')}
        />
        <label for={id} dir="auto">
          <Rich text={field.label} />
        </label>
        <FormError id={`${id}-problem`} text={problem} />
      </div>
    );
  return (
    <div class="intro-field">
      <label for={id} dir="auto">
        {labelOf(field)}
      </label>
      {field.kind === 'email' ? (
        <EmailField id={id} value={value} problem={problem} change={change} />
      ) : field.kind === 'choice' ? (
        <select {...shared} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{say('intro_choose')}</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          dir="auto"
          autocomplete={field.kind === 'name' ? 'name' : 'off'}
          maxLength={field.kind === 'name' ? VISITOR_NAME_MAX : PRE_CHAT_ANSWER_MAX}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      <FormError id={`${id}-problem`} text={problem} />
    </div>
  );
};
