/** A row of what was found in a `PickDialog`. */
export const FOUND_ROW =
  'flex h-10 cursor-default items-center gap-3 rounded-lg px-3 data-[selected=true]:bg-hover max-md:h-11';
