/** What a snooze says, of a chat or a ticket. */
export const words = {
  snooze_until: 'Snooze until',
  snooze_example: 'tomorrow 9:00, in 3 hours, Friday',
  snooze_or: 'Ends early if the customer replies.',
  snooze_enter: '{date}. Press Enter to snooze.',
  snooze_unclear: 'Enter a time in the future.',
  snooze_3_hours: 'In 3 hours',
  snooze_tomorrow: 'Tomorrow morning',
  snooze_monday: 'Monday morning',
  snooze_week: 'In a week',
  snoozed_until: 'Snoozed until {date}',
  unsnoozed: 'Unsnoozed',
  snooze_failed: 'Couldn’t change the snooze.',
} as const;
