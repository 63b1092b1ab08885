import type { Field, VisitorFields } from '@foyer/protocol';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/Button.tsx';
import type { FieldOptions } from '../../inbox/filters/FilterFields.tsx';
import { t } from '../t.ts';
import type { DraftFault, PartDraft } from './rule-draft.ts';

/** The state and actions that the fields of conditions share. */
export interface Building {
  fields: VisitorFields | undefined;
  /** Shown after the first attempt to save. */
  faults: readonly DraftFault[];
  /** The maximum number of conditions is reached. */
  isFull: boolean;
  /** The choices for fields of chats and tickets; undefined for rules about visitors alone. */
  records?: FieldOptions;
  /** The custom fields of chats and tickets. */
  custom?: readonly Field[];
  change: (id: number, change: (part: PartDraft) => PartDraft | undefined) => void;
}

/** The error of a part's field, worded to follow its label. */
export const faultIn = ({ faults }: Building, id: number, field: DraftFault['field']): string | undefined => {
  const found = faults.find((one) => one.id === id && one.field === field);
  return found && t(`fault_${found.fault}`);
};

export const Remove = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton label={label} onClick={onClick}>
    <X aria-hidden className="size-4" />
  </IconButton>
);

interface ConditionRowProps {
  id: number;
  building: Building;
  children: ReactNode;
}

/** The fields of one condition, which can be removed. */
export const ConditionRow = ({ id, building, children }: ConditionRowProps) => (
  <div className="flex items-start gap-2 rounded-lg border bg-surface p-2">
    <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">{children}</div>
    <Remove label={t('condition_remove')} onClick={() => building.change(id, () => undefined)} />
  </div>
);
