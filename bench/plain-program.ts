// Runs a benchmark program on the built library like a user: in Node, without bundling.
import path from 'node:path'
import type { StdioOptions } from 'node:child_process'
import { runProcess } from './run-process.ts'
import type { Workspace } from './report.ts'

/** Runs `bench/<name>.ts` with each list of arguments, one after the other, and resolves to the JSON outputs. */
export async function runPlain<Output>(
  { root, folder, spawn }: Workspace,
  name: string,
  runs: readonly (readonly string[])[],
): Promise<Output[]> {
  const env = { ...process.env, TMPDIR: folder } // its files are removed with the workspace, however it ends
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
  const outputs: Output[] = []
  for (const args of runs) {
    const start = () => spawn(process.execPath, [path.join(root, `bench/${name}.ts`), ...args], { env, stdio })
    const { stdout } = await runProcess(start, { name: `bench/${name}.ts ${args.join(' ')}`, limitMs: 60_000 })
    outputs.push(JSON.parse(stdout) as Output) // written by the program beside this
  }
  return outputs
}
