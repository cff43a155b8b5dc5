// Runs an isolated extension with the modules of rxpi that it names.
// Guarantees: the extension gets all of `rxpi`, unless each mention is an import of names of the small library.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { WorkerStart } from '../../extensions/isolate/link/link-messages.ts'
import { runWorker } from '../../extensions/isolate/worker/run-worker.ts'
import type { ModuleFile } from '../../extensions/loader/load-module.ts'
import { libraryEntries } from './library-entries.ts'
import { importsOnly, isNamed, sourceTexts } from './named-libraries.ts'
import * as small from './small-library.ts'

export function runIsolated(start: WorkerStart): void {
  runWorker(start, (file) => () => entriesFor(file))
}

const smallNames: ReadonlySet<string> = new Set(Object.keys(small))

function entriesFor(file: ModuleFile): Observable<Readonly<Record<string, unknown>>> {
  const texts = sourceTexts(file)
  if (texts === undefined) return libraryEntries()
  const needed = (name: string): boolean => isNamed(name, texts)
  if (!needed('rxpi') || !texts.every((text) => importsOnly(smallNames, text))) return libraryEntries(needed)
  return libraryEntries((name) => name !== 'rxpi' && needed(name)).pipe(map((entries) => ({ ...entries, rxpi: small })))
}
