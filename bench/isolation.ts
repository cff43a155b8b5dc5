// A tool of an extension in its worker beside the same tool in process, and the start and the memory of the worker.
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, ignoreElements, lastValueFrom, of, throwError } from 'rxjs'
import { withIsolated } from '../lib/extensions/isolate/host/isolated-extension.ts'
import { extensionSet } from '../lib/extensions/lifecycle/extension-set.ts'
import type { ExtensionSet } from '../lib/extensions/lifecycle/set-contract.ts'
import { loadModule } from '../lib/extensions/loader/load-module.ts'
import { readDefinition } from '../lib/extensions/manifest/read-manifest.ts'
import { programUrl } from '../lib/services/extensions/isolate-program.ts'
import type { ToolContext } from '../lib/streams/ports/tool.ts'
import { outputOf } from '../lib/streams/tool-definition/tool-output.ts'
import { runBundled } from './bundled-program.ts'
import type { ThreadCosts } from './isolation-program.ts'
import type { Benchmark, Report, Table, Workspace } from './report.ts'
import { median } from './statistics.ts'

const rounds = 7
const calls = 300

const module = `export default { name: 'echo', version: '1.0.0', capabilities: ['read'], setup({ tools }) {
  tools.register({ name: 'echo', description: 'Echoes', parameters: { type: 'object', properties: {} }, capability: 'read',
    execute: async ({ text }) => ({ type: 'result', content: [{ type: 'text', text }] }) }) } }`

export const isolation: Benchmark = {
  name: 'isolation',
  about: 'a tool of an extension in a worker thread, and in process',
  run: async (workspace) => {
    const { folder } = workspace
    const entry = path.join(folder, 'echo.ts')
    writeFileSync(entry, module)
    const file = { entry, root: entry }
    const load = async (exported$: (set: ExtensionSet) => ReturnType<ExtensionSet['load']>): Promise<Loaded> => {
      const set = extensionSet({ host: { id: 'bench', cwd: folder, env: {}, ownTools: [] } })
      const began = performance.now()
      await lastValueFrom(exported$(set).pipe(ignoreElements()), { defaultValue: undefined })
      return { set, startMs: performance.now() - began }
    }
    const read = (exported: unknown) => readDefinition(exported, { path: entry, rxpiVersion: 'development' })
    const isolated$ = (set: ExtensionSet) =>
      withIsolated(
        {
          ...{ program: programUrl, name: 'echo', env: {}, memoryMb: 256, file, checkFiles$: EMPTY },
          onLost: ({ failure }) => set.warn(failure.message),
          onAbandon: (failure) => set.warn(failure.message),
        },
        (exported) => set.load(read(exported)),
      )
    const exported = await lastValueFrom(
      loadModule(file, () => of({})),
      { defaultValue: undefined },
    )
    const inProcess = await measure(() => load((set) => set.load(read(exported))))
    return report(inProcess, await measure(() => load(isolated$)), await memory(workspace))
  },
}

/** Of a process that compiles the extension once, and of one that finds its code. */
type Memory = readonly [compiled: readonly ThreadCosts[], stored: readonly ThreadCosts[]]

async function memory(workspace: Workspace): Promise<Memory> {
  const { root, folder } = workspace
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules')) // of the compiler
  const entry = path.join(folder, 'gate.ts')
  copyFileSync(path.join(root, 'examples/extensions/permission-gate.ts'), entry)
  const args = [entry, path.join(folder, 'code')]
  const [compiled = [], stored = []] = await runBundled<ThreadCosts[]>(workspace, 'isolation-program', [args, args])
  return [compiled, stored]
}

interface Loaded {
  readonly set: ExtensionSet
  readonly startMs: number
}

interface Measured {
  readonly startMs: number
  readonly callMs: number
}

async function measure(load: () => Promise<Loaded>): Promise<Measured> {
  const starts: number[] = []
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { set, startMs } = await load()
    starts.push(startMs)
    await callTool(set) // the first one compiles
    const began = performance.now()
    for (let call = 0; call < calls; call += 1) await callTool(set)
    times.push((performance.now() - began) / calls)
    await lastValueFrom(set.close(), { defaultValue: undefined })
  }
  return { startMs: median(starts), callMs: median(times) }
}

/** @throws if the tool is not there, or its call fails */
async function callTool({ contributions }: ExtensionSet): Promise<void> {
  const tool = contributions.tools.entries[0]?.value
  if (tool === undefined) throw new Error('the extension has no tool')
  const { signal } = new AbortController()
  const ask$ = () => throwError(() => new Error('nothing is asked'))
  const context: ToolContext = { cwd: '/', env: {}, signal, sessionId: 'bench', toolCallId: 'call', ask: ask$ }
  await lastValueFrom(outputOf(tool.execute({ text: 'x'.repeat(100) } as never, context), context), {
    defaultValue: undefined,
  })
}

function report(inProcess: Measured, isolated: Measured, threads: Memory): Report {
  const [, stored] = threads
  return {
    tables: [
      {
        title: 'an extension with one tool',
        columns: [{ title: 'where' }, { title: 'one call, ms', digits: 3 }, { title: 'load and setup, ms', digits: 1 }],
        rows: [
          ['in process', inProcess.callMs, inProcess.startMs],
          ['in a worker', isolated.callMs, isolated.startMs],
        ],
      },
      memoryTable(threads),
    ],
    targets: [
      { what: 'a tool call in a worker', measured: isolated.callMs, limit: 1, unit: 'ms' },
      { what: 'memory of a worker, of twenty', measured: stored.at(-1)?.mib ?? NaN, limit: 25, unit: 'MiB' },
    ],
    notes: ['in process the module was loaded before, in a worker it is loaded each time, from the sources of rxpi'],
  }
}

function memoryTable([compiled, stored]: Memory): Table {
  return {
    title: 'memory of a process with workers of `examples/extensions/permission-gate.ts`',
    columns: [
      { title: 'workers' },
      { title: 'MiB each, compiled by the first', digits: 1 },
      { title: 'MiB each, with stored code', digits: 1 },
    ],
    rows: compiled.map(({ threads, mib }, index) => [threads, mib, stored[index]?.mib]),
  }
}
