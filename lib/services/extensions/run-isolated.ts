// Runs an isolated extension with the modules of rxpi that it names.
import { readFileSync } from 'node:fs'
import type { WorkerStart } from '../../extensions/isolate/link/link-messages.ts'
import { runWorker } from '../../extensions/isolate/worker/run-worker.ts'
import { libraryEntries } from './library-entries.ts'

export function runIsolated(start: WorkerStart): void {
  runWorker(start, ({ entry, root }) => {
    // A single file names all that it imports, so that the rest of rxpi stays out of the worker's memory.
    const text = entry === root ? readFileSync(entry, 'utf8') : undefined
    const isNamed = (name: string): boolean =>
      text === undefined || [`'${name}'`, `"${name}"`].some((each) => text.includes(each))
    return () => libraryEntries(isNamed)
  })
}
