// The build writes each path where it is used, so a part brings only its own icons.
export const CLOSE = 'M6 6l12 12M18 6 6 18';
export const BACK = 'M14.5 5.5 8 12l6.5 6.5';
export const FORWARD = 'M9.5 5.5 16 12l-6.5 6.5';
export const SEARCH = 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.2 16.2 20 20';
export const DOWN = 'M12 5v14M6 13l6 6 6-6';
export const SEND = 'M12 19V5M6 11l6-6 6 6';
export const PERSON = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c1-3.6 4-5.5 7.5-5.5s6.5 1.9 7.5 5.5';
export const ARTICLE = 'M7 3.5h7l4.5 4.5v12.5H7zM13.5 3.5V8.5h5M10 12.5h5.5M10 16h5.5';
export const SPARK =
  'M12 3.5l1.9 5.1a2.5 2.5 0 0 0 1.5 1.5l5.1 1.9-5.1 1.9a2.5 2.5 0 0 0-1.5 1.5L12 20.5l-1.9-5.1a2.5 2.5 0 0 0-1.5-1.5L3.5 12l5.1-1.9a2.5 2.5 0 0 0 1.5-1.5z';
export const STAR = 'M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z';
export const MORE = 'M5.5 12h.01M12 12h.01M18.5 12h.01';
export const CLOCK = 'M12 7.5V12l3 2M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z';
export const MAIL = 'M4 6h16v12H4zM4.5 6.5 12 13l7.5-6.5';
export const OFFLINE =
  'M4 4l16 16M8.5 15.5a5 5 0 0 1 6-.8M5.5 12.3a9.5 9.5 0 0 1 4-2.3M13.5 9.5a9.5 9.5 0 0 1 5 2.8M12 19h.01';
export const ATTACH =
  'M19.5 11.5l-7.6 7.6a5 5 0 0 1-7.1-7.1l8-8a3.4 3.4 0 0 1 4.8 4.8l-8 8a1.7 1.7 0 0 1-2.4-2.4l7.2-7.2';
export const EMOJI =
  'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM8.5 14c.8 1.3 2 2 3.5 2s2.7-.7 3.5-2M9 9.8h.01M15 9.8h.01';
export const FILE = 'M7 3.5h7l4.5 4.5v12.5H7zM13.5 3.5V8.5h5';
export const AGAIN = 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5';

interface IconProps {
  /** One of the above. */
  path: string;
  size?: number;
  class?: string;
}

/** Decorative: the control around it has the label. */
export const Icon = ({ path, size = 20, class: name = '' }: IconProps) => (
  <svg
    class={`icon ${name}`}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.9"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);
