export const words = {
  title: 'SLA',
  policy: 'Policy',
  first_response: 'First response',
  next_response: 'Next response',
  resolution: 'Resolution',
  due_in: 'Due in {time}',
  late_by: 'Late by {time}',
  met: 'Met',
  missed: 'Missed',
  paused: 'Paused',
} as const;
