// Watches the folders of instruction files.
// Guarantees: nothing runs while no file of such a folder changes; the watchers do not keep the process alive.
import { watch } from 'node:fs'
import { Observable, debounce, distinctUntilChanged, map, merge, of, startWith, switchMap, timer } from 'rxjs'
import { instructionFolders, readInstructions } from './instruction-set.ts'
import type { GuardedFolder, InstructionSet } from './instruction-set.ts'

export interface InstructionsOptions {
  readonly cwd: string
  /** The user's configuration folder. Default: none is read. */
  readonly configFolder?: string
  /** Further folders, with files that were checked. Default: none. */
  readonly nested$?: Observable<readonly GuardedFolder[]>
  /** Milliseconds without a change before the files are read again. Default 50. */
  readonly quietMs?: number
}

/**
 * Emits the instruction files of a folder: at once on subscribe, and again whenever their text has changed. Reads
 * synchronously, within the bounds of docs/context.md. Never completes, never fails; buffers nothing. On unsubscribe
 * the watchers are closed.
 */
export function instructions$({
  cwd,
  configFolder,
  nested$ = of([]),
  quietMs = 50,
}: InstructionsOptions): Observable<InstructionSet> {
  return nested$.pipe(
    switchMap((nested) => {
      const all = [...instructionFolders(cwd, configFolder).chain, ...nested]
      return merge(...all.map(({ folder }) => watchFolder(folder))).pipe(
        debounce(() => timer(quietMs)),
        startWith(undefined),
        map(() => readInstructions(all)),
      )
    }),
    distinctUntilChanged((one, other) => fingerprint(one) === fingerprint(other)),
  )
}

function fingerprint({ files, problems }: InstructionSet): string {
  return JSON.stringify([files.map(({ path, digest }) => [path, digest]), problems.map(({ message }) => message)])
}

/** Emits when a Markdown file of the folder may have changed. A folder that cannot be watched emits nothing. */
function watchFolder(folder: string): Observable<void> {
  return new Observable((subscriber) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || name.endsWith('.md')) subscriber.next()
      })
      watcher.on('error', () => {
        watcher.close() // the folder is gone
      })
      return () => {
        watcher.close()
      }
    } catch {
      return undefined // missing, or the system watches no more files: a session that is opened again reads them
    }
  })
}
