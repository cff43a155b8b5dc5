// Gives programs that load the library from its sources a compile cache, and empties it before it grows large.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import path from 'node:path'

/** Node stores compiled code in it, and what is left of TypeScript without its types. */
const folder = path.resolve('node_modules/.cache/rxpi-tests')

/** Ten to twenty runs of all tests; programs in temporary folders have new paths in each run. */
const mostEntries = 20_000

/** The environment with the cache. The command itself has one beside its build. */
export function withCompileCache<Env extends object = NodeJS.ProcessEnv>(env?: Env) {
  return { ...(env ?? process.env), NODE_COMPILE_CACHE: folder }
}

/** Gives this process the cache, for the workers that it starts. */
export function shareCompileCache(): void {
  enableCompileCache(folder)
}

/** Vitest's global setup. */
export default function setup(): void {
  if (!existsSync(folder)) return
  const entries = readdirSync(folder, { recursive: true })
  if (entries.length > mostEntries) rmSync(folder, { recursive: true, force: true })
}
