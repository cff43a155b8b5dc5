// Measures the memory that threads of isolated extensions add to a process; writes JSON.
import { realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import { EMPTY, ignoreElements, lastValueFrom } from 'rxjs'
import { withIsolated } from '../lib/extensions/isolate/host/isolated-extension.ts'
import { extensionSet } from '../lib/extensions/lifecycle/extension-set.ts'
import { readDefinition } from '../lib/extensions/manifest/read-manifest.ts'

export interface ThreadCosts {
  readonly threads: number
  /** Of each thread. */
  readonly mib: number
}

const counts = [1, 10, 20]
/** Milliseconds: the thread of the compiler ends meanwhile. */
const restMs = 2_000

// Only an `import()` names it, so that it is a file of its own.
const { programUrl } = await import('../lib/services/extensions/isolate-program.ts')
const [entry = '', codeFolder = ''] = process.argv.slice(2)
const real = realpathSync(entry)
const costs: ThreadCosts[] = []
await sleep(restMs)
const before = process.memoryUsage.rss()
for (let threads = 1; threads <= Math.max(...counts); threads++) {
  await startThread()
  if (!counts.includes(threads)) continue
  await sleep(restMs)
  costs.push({ threads, mib: (process.memoryUsage.rss() - before) / threads / 1_048_576 })
}
process.stdout.write(JSON.stringify(costs), () => process.exit()) // with all of its threads

/** Of one session. */
async function startThread(): Promise<void> {
  const set = extensionSet({ host: { id: 'bench', cwd: path.dirname(real), env: {}, ownTools: [] } })
  const file = { entry: real, root: real, code: { folder: codeFolder, digest: 'bench' } }
  const fail = (failure: unknown): never => {
    throw new Error('a thread was lost', { cause: failure })
  }
  const parts = { program: programUrl, name: 'bench', env: {}, memoryMb: 256, checkFiles$: EMPTY }
  const loaded$ = withIsolated({ ...parts, file, onLost: fail, onAbandon: fail }, (exported) =>
    set.load(readDefinition(exported, { path: real, rxpiVersion: 'development' })),
  )
  await lastValueFrom(loaded$.pipe(ignoreElements()), { defaultValue: undefined })
}
