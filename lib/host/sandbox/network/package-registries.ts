// Finds the hosts of the registries of the user's package managers: the preset `registries`.
// Guarantees: programs come from outside the workspace and run in the home folder, so no repository names a host.
import { catchError, defer, forkJoin, map, of, scan, takeLast, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { findProgram } from '../../process/find-program.ts'
import { spawnProcess } from '../../process/spawn-process.ts'

export interface RegistrySetup {
  /** Absolute. */
  readonly workspace: string
  /** Absolute; the package managers run here. */
  readonly homeFolder: string
  readonly env: Readonly<Record<string, string>>
}

/** Each prints the addresses that it downloads from; pip has no command for its default, only a constant. */
const managers: readonly (readonly [program: string, ...args: string[]])[] = [
  ['npm', 'config', 'get', 'registry'],
  ['pnpm', 'config', 'get', 'registry'],
  [
    'python3',
    '-c',
    'from pip._internal.models.index import PyPI; print(PyPI.url, "https://" + PyPI.file_storage_domain)',
  ],
  ['python3', '-m', 'pip', 'config', 'list'],
  ['go', 'env', 'GOPROXY', 'GOSUMDB'],
  ['gem', 'sources', '--list'],
]

/** Variables with an address of a registry. */
const variables =
  /^(?:(?:npm|pnpm|yarn)_config_.*registry|pip_(?:extra_)?index_url|uv_(?:default_|extra_)?index(?:_url)?|goproxy|cargo_registries_\w+_index)$/i

/** Milliseconds that a package manager may take. */
const limitMs = 5_000
/** UTF-16 units of its output that are read. */
const maxOutputUnits = 10_000

/** Emits the hosts once, sorted, and completes; never fails. A manager that is missing or slow (5 s) names none. */
export function packageRegistries({ workspace, homeFolder, env }: RegistrySetup): Observable<readonly string[]> {
  return defer(() => {
    const texts = managers.map(([name, ...args]) => {
      const program = findProgram(name, { searchPath: env['PATH'], workspace })
      if (program === undefined) return of('')
      return spawnProcess({ program, args, cwd: homeFolder, env, endWhen$: timer(limitMs) }).pipe(
        scan((text, event) => (event.type === 'output' && event.stream === 'stdout' ? text + event.text : text), ''),
        takeLast(1),
        catchError(() => of('')),
      )
    })
    return forkJoin(texts)
  }).pipe(
    map((texts) => {
      const named = Object.entries(env).flatMap(([name, value]) => (variables.test(name) ? [value] : []))
      const hosts = [...texts, ...named].flatMap((text) => hostsOf(text.slice(0, maxOutputUnits)))
      return [...new Set(hosts)].sort()
    }),
  )
}

/** With a port only if it is not that of the web. `GOSUMDB` is a name without a scheme. */
function hostsOf(text: string): readonly string[] {
  const addresses = [...text.matchAll(/https?:\/\/[^\s'",|]+/gi)].map(([address]) => address)
  const sums = [...text.matchAll(/^sum\.[a-z0-9.-]+$/gim)].map(([name]) => `https://${name}`)
  return [...addresses, ...sums].flatMap((address) => (URL.canParse(address) ? [new URL(address).host] : []))
}
