// Runs a benchmark program like the command: bundled, with rxjs' `dist/esm`, in its own process.
import type { StdioOptions } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { memorySettings } from '../lib/server/launch/memory-settings.ts'
import { commandBundle } from '../scripts/build/bundles.ts'
import { runProcess } from './run-process.ts'
import type { Workspace } from './report.ts'

export interface BundledOptions {
  /** The flags of Node: its own defaults, or those of `bin/rxpi`. Default: none. */
  readonly flags?: 'none' | 'of the command'
}

/**
 * Bundles `bench/<name>.ts`, runs it with each list of arguments, one after the other, and resolves to the JSON
 * outputs.
 */
export async function runBundled<Output>(
  { root, folder, spawn }: Workspace,
  name: string,
  runs: readonly (readonly string[])[],
  { flags = 'none' }: BundledOptions = {},
): Promise<Output[]> {
  const program = await bundled(root, folder, name)
  const env = { ...process.env, TMPDIR: folder } // its files are removed with the workspace, however it ends
  const nodeFlags = ['--expose-gc', ...(flags === 'none' ? [] : commandFlags())]
  const outputs: Output[] = []
  for (const args of runs) {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
    const start = () => spawn(process.execPath, [...nodeFlags, program, ...args], { env, stdio })
    const { stdout } = await runProcess(start, { name: `bench/${name}.ts ${args.join(' ')}`, limitMs: 15 * 60_000 })
    outputs.push(JSON.parse(stdout) as Output) // written by the program beside this
  }
  return outputs
}

function commandFlags(): string[] {
  return memorySettings('node', {}).map(({ key, value }) => `${key}=${value}`)
}

async function bundled(root: string, folder: string, name: string): Promise<string> {
  const { input, output } = commandBundle(root, path.join(folder, name))
  const bundle = await rolldown({ ...input, input: { [name]: path.join(root, `bench/${name}.ts`) } })
  try {
    await bundle.write(output)
  } finally {
    await bundle.close()
  }
  // SDKs that command and library share are files of the build
  const { build } = JSON.parse(readFileSync(path.join(root, 'dist/build.json'), 'utf8')) as { readonly build: string }
  const carried = path.join(folder, name, 'carried')
  if (!existsSync(carried)) symlinkSync(path.join(root, 'dist', build, 'carried'), carried) // a benchmark may bundle it twice
  return path.join(folder, name, 'command', `${name}.js`)
}
