// Which functions a program calls, module by module, as V8 counts them.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FunctionRange } from './eager-functions.ts'

/** By the path of the module. */
export type CalledFunctions = ReadonlyMap<string, ReadonlySet<FunctionRange>>

export interface CalledFunctionsOptions {
  /** Nothing of ours but PATH goes with it. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Runs a program of Node's to its end; rejects where it fails, with what it wrote, or where it takes more than a minute. */
export async function calledFunctions(
  programAndArguments: readonly string[],
  { env, cwd }: CalledFunctionsOptions,
): Promise<CalledFunctions> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-coverage-'))
  try {
    const surroundings = { PATH: process.env.PATH, ...env, NODE_V8_COVERAGE: folder }
    await promisify(execFile)(process.execPath, programAndArguments, { cwd, env: surroundings, timeout: 60_000 })
    return new Map(readdirSync(folder).flatMap((name) => calledIn(path.join(folder, name))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function calledIn(file: string): [string, Set<FunctionRange>][] {
  const { result } = JSON.parse(readFileSync(file, 'utf8')) as Profiler.TakePreciseCoverageReturnType // written by Node
  const ours = result.filter(({ url }) => url.startsWith('file:'))
  return ours.map(({ url, functions }) => [fileURLToPath(url), new Set(functions.flatMap(rangeIfCalled))])
}

/** The first range is the function's own; those behind it are parts of it that ran less often or more. */
function rangeIfCalled({ ranges: [own] }: Profiler.FunctionCoverage): FunctionRange[] {
  return own === undefined || own.count === 0 ? [] : [`${own.startOffset}:${own.endOffset}`]
}
