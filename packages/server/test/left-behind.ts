import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Waits until the process that started it has ended, for whatever reason, then ends processes that still run in the
 * given folders and removes these. PostgreSQL gets a signal at which it also releases its shared memory.
 */
const GUARD = `
folders=$(cat)
[ -n "$folders" ] || exit 0
if [ -d /proc/self ]; then
  left=$(grep -lsaF -e "$folders" /proc/[0-9]*/cmdline /proc/[0-9]*/environ | cut -d/ -f3 | sort -u)
else
  left=$(printf '%s\\n' "$folders" | while IFS= read -r folder; do pgrep -f -- "$folder"; done)
fi
for pid in $left; do
  case $(ps -o comm= -p "$pid" 2>/dev/null || cat "/proc/$pid/comm" 2>/dev/null) in
    *postgres*) kill -QUIT "$pid" ;;
    *) kill -KILL "$pid" ;;
  esac
done
printf '%s\\n' "$folders" | while IFS= read -r folder; do
  for turn in 1 2 3 4 5 6 7 8 9; do rm -rf "$folder" && break; sleep 1; done
done`;

let guard: ChildProcess | undefined;

/** Makes sure that neither a folder nor a server or PostgreSQL in it outlives this process, even if it is killed. */
export function removeWithThisProcess(folder: string): void {
  if (!guard) {
    // In its own session: Ctrl+C in a terminal must not end it with the run.
    guard = spawn('sh', ['-c', GUARD], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    guard.unref();
    const { stdin } = guard;
    if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  }
  guard.stdin?.write(`${folder}\n`);
}
