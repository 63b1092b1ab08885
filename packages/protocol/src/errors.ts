/** Every `error.code` and its HTTP status. Part of the public contract: codes are added, never renamed. */
export const ERROR_STATUS = {
  invalid_input: 400,
  invalid_json: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  plan_limit: 403,
  unknown_resource: 404,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Reasons of errors that the desk shows in its agent's language. Each has a phrase in the desk's `errors`. */
export const ERROR_REASONS = [
  'account_known',
  'address_taken',
  'admins_only',
  'role_refuses',
  'role_in_use',
  'role_cannot_answer',
  'agent_already',
  'answered_meanwhile',
  'archive_cut',
  'archive_newer',
  'archive_none',
  'article_changed',
  'article_changed_here',
  'article_title_taken',
  'attempts',
  'bulk_agent_gone',
  'bulk_changed_since',
  'bulk_not_for_chats',
  'bulk_nothing_to_undo',
  'bulk_under_way',
  'bulk_undone',
  'categories_share_titles',
  'category_into_itself',
  'chat_closed',
  'chat_continued',
  'chat_held',
  'chat_tags',
  'chat_without_question',
  'chat_with_bot',
  'chat_with_person',
  'chats_too_fast',
  'codes_locked',
  'copilot_spent',
  'test_mails_spent',
  'csv_columns',
  'csv_empty',
  'csv_none',
  'csv_rows',
  'delivery_under_way',
  'enrol_first',
  'evaluation_under_way',
  'import_other',
  'import_stopped',
  'import_twice',
  'import_under_way',
  'invitation_spent',
  'last_admin',
  'mail_decided',
  'mail_source_deleted',
  'mailbox_account',
  'mailbox_sign_in_expired',
  'mailbox_sign_in_failed',
  'mailbox_refresh_token',
  'mailbox_sign_in_scopes',
  'mailbox_taken',
  'marked_spam',
  'macro_agent_gone',
  'macro_not_for_chats',
  'nobody_in_team',
  'person_erased',
  'rule_chain',
  'rule_field_refused',
  'rule_names_agent',
  'rule_names_chat_field',
  'rule_names_segment',
  'rule_names_team',
  'rule_names_ticket_field',
  'rule_no_author',
  'rule_record_gone',
  'rule_too_often',
  'team_in_use',
  'team_shares',
  'macro_text_empty',
  'macro_text_long',
  'merge_closed',
  'merge_itself',
  'merge_requesters',
  'model_key_again',
  'model_silent',
  'name_taken',
  'note_foreign',
  'not_in_team',
  'other_address',
  'picture_large',
  'passkey_not_created',
  'passkey_refused',
  'passkeys_full',
  'password_again',
  'plan_full',
  'private_macros_full',
  'private_views_full',
  'provider_session',
  'question_twice',
  'remove_self',
  'reset_link_spent',
  'setup_link_spent',
  'shared_views_full',
  'sign_in_again',
  'sign_in_with_provider',
  'site_in_use',
  'site_left',
  'source_file',
  'source_known',
  'source_type',
  'tag_into_itself',
  'ticket_no_public_reply',
  'ticket_no_snooze',
  'copies_need_mailbox',
  'no_address',
  'no_mail_server',
  'reply_sent',
  'split_team',
  'ticket_state',
  'token_expired',
  'token_revoked',
  'too_many',
  'training_is_article',
  'two_factor_elsewhere',
  'two_factor_off',
  'two_factor_on',
  'two_factor_own_first',
  'upgrade_unfinished',
  'upload_large',
  'view_changed',
  'visitor_blocked',
  'fields_missing',
  'file_refused',
  'scan_away',
  'storage_full',
  'visitor_busy',
  'visitor_connecting',
  'visitor_in_chat',
  'visitor_left',
  'visitor_silent',
  'visitor_wrote',
  'webhook_disabled',
  'wrong_backup_code',
  'wrong_code',
  'wrong_sign_in',
] as const;
export type ErrorReason = (typeof ERROR_REASONS)[number];

/** Reasons of invalid fields, likewise. */
export const ISSUE_REASONS = [
  'address_range',
  'breached_password',
  'certificate',
  'country',
  'no_words',
  'choice',
  'easy_password',
  'email',
  'empty',
  'form',
  'host',
  'issuer',
  'missing',
  'model_url',
  'no_customer',
  'no_identity',
  'no_text',
  'order',
  'origin',
  'overlap',
  'past',
  'picture',
  'placeholder',
  'public_url',
  'redaction_pattern',
  'rule_empty',
  'scopes',
  'taken',
  'too_few',
  'too_large',
  'too_long',
  'too_many',
  'too_short',
  'too_small',
  'twice',
  'unknown_field',
  'wrong_password',
] as const;
export type IssueReason = (typeof ISSUE_REASONS)[number];

/** The values for the placeholders of a reason's phrase. */
export type ReasonValues = Readonly<Record<string, string | number>>;

/** One issue of an input. `path` is dotted (`requester.email`), empty for the whole input. */
export interface Issue {
  path: string;
  message: string;
}

/** The `error` of a failed call at every entry point. `issues` only with a 400. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  request_id: string;
  issues?: Issue[];
}

/** An issue with its reason, for the desk to translate. */
export interface DeskIssue extends Issue {
  reason?: IssueReason;
  values?: ReasonValues;
}

/** An error that was stored, in the form that the desk translates. */
export interface StoredFailure {
  code: ErrorCode;
  /** In English. */
  message: string;
  reason?: ErrorReason;
  values?: ReasonValues;
}

/** The `error` of the desk's own calls. REST has only the public fields of `ErrorBody`. */
export interface DeskErrorBody extends ErrorBody {
  reason?: ErrorReason;
  values?: ReasonValues;
  issues?: DeskIssue[];
}

export interface PageInfo {
  limit: number;
  /** Opaque; null on the last page. */
  next_cursor: string | null;
}

export interface Success<T> {
  ok: true;
  data: T;
  request_id: string;
  page?: PageInfo;
}

export interface Failure<E extends ErrorBody = ErrorBody> {
  ok: false;
  error: E;
}

/** The JSON envelope of every response: REST, desk and widget. */
export type Envelope<T> = Success<T> | Failure;
