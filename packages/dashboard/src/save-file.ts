/** Where a browser has begun to save a file its address is needed no more. */
const KEPT_MS = 10_000;

/** Offers a text of this page to be kept as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
