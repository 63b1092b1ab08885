/** The product's logo: an open door. */
export function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M9 25V12.5a7 7 0 0 1 14 0V25h-4v-12a3 3 0 0 0-6 0v12z" className="fill-on-accent" />
      <circle cx="16" cy="22.5" r="2.5" className="fill-on-accent" />
    </svg>
  );
}
