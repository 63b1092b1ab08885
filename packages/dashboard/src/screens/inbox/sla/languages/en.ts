export const words = {
  title: 'SLA',
  policy: 'Policy',
  target_first_response: 'First response',
  target_next_response: 'Next response',
  target_resolution: 'Resolution',
  due_in: 'Due in {time}',
  late_by: 'Late by {time}',
  met: 'Met',
  missed: 'Missed',
  paused: 'Paused',
} as const;
