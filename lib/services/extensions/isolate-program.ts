// Runs an isolated extension if it is the program of a worker; elsewhere it knows its address.
// Guarantees: it is a file of its own in a bundle, because nothing but an `import()` names it.
import { enableCompileCache } from 'node:module'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { WorkerStart } from '../../extensions/isolate/link/link-messages.ts'

/** The address of this file, in the sources and in a bundle. */
export const programUrl = import.meta.url

/** Tells this program that it was started as one; `openWorker` sends it. */
const mark = 'rxpi-isolate'

if (!isMainThread && workerData === mark) parentPort?.once('message', serve)

/** The module of the extension cannot reach the ports: they are no data of the worker. */
function serve(start: WorkerStart): void {
  if (start.compileCache !== undefined) enableCompileCache(start.compileCache)
  void import('./run-isolated.ts').then(({ runIsolated }) => {
    runIsolated(start)
  })
}
