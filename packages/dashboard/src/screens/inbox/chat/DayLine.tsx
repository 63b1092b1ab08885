/** The day above its messages. */
export function DayLine({ name }: { name: string }) {
  return (
    <div className="my-4 flex items-center gap-3 text-faint text-xs first:mt-0">
      <span className="h-px flex-1 bg-line" />
      {name}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
