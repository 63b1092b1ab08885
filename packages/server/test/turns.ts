/** How many turns the event loop makes while something is awaited: hardly any while code blocks it. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((turn) => setImmediate(turn));
    turns += 1;
  }
  await over;
  return turns;
}
