// Installs one package with its dependencies into a folder of its own, by the machine's npm.
// Guarantees: no script of a package runs; peer and development dependencies are left out; no links of programs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { concat, defer, EMPTY, map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { runNpm } from './run-npm.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'

export interface NpmInstall {
  /** As npm takes it. */
  readonly spec: string
  /** A new folder, absolute. */
  readonly folder: string
  readonly cwd: string
  /** The client's environment: registry, proxies, keys of git. */
  readonly env: Readonly<Record<string, string>>
}

export interface NpmPackage {
  readonly name: string
  readonly version?: string
  /** Of the tarball, or the commit. */
  readonly integrity?: string
}

const limitMs = 600_000
const maxOutput = 16_384
const flags =
  '--ignore-scripts --legacy-peer-deps --omit=dev --omit=peer --no-bin-links --no-audit --no-fund --no-update-notifier --loglevel=error'.split(
    ' ',
  )

/** Older ones run the `prepare` script of a git repository in spite of `--ignore-scripts`: docs/decisions/0724. */
const firstObedientNpm = 11

/**
 * Emits what was installed, and completes. Fails with `bad_request` and npm's words, or if npm would run a script;
 * unsubscribing ends npm.
 */
export function npmInstall({ spec, folder, cwd, env }: NpmInstall): Observable<NpmPackage> {
  return defer(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n')
    const npm$ = (...args: readonly string[]) => runNpm({ args, folder, workspace: cwd, env, limitMs, maxOutput })
    const checked$ = spec.startsWith('git+') ? npm$('--version').pipe(mergeMap(refuseOldNpm)) : EMPTY
    return concat(checked$, npm$('install', ...flags, '--', spec))
  }).pipe(
    map(({ stdout, stderr, exitCode }) => {
      if (exitCode === 0) return readInstalled(folder, spec)
      const text = `${stdout}${stderr}`.trim()
      const words = text === '' ? 'it ended without a word' : text
      throw new Failure('bad_request', `npm could not install ${spec}: ${words}`)
    }),
  )
}

/** @throws Failure `bad_request` also if npm does not say its version */
function refuseOldNpm({ stdout }: { readonly stdout: string }): Observable<never> {
  const version = stdout.trim()
  if (Number.parseInt(version, 10) >= firstObedientNpm) return EMPTY
  throw new Failure(
    'bad_request',
    `npm ${version} would run a script of the repository, which npm ${firstObedientNpm} does not: npm install -g npm@${firstObedientNpm}`,
  )
}

/** npm writes the package into the folder's package.json, and how it was resolved into its lock file. */
function readInstalled(folder: string, spec: string): NpmPackage {
  const { dependencies = {} } = readJson(path.join(folder, 'package.json'))
  const [name, more] = isRecord(dependencies) ? Object.keys(dependencies) : []
  if (name === undefined || more !== undefined || !/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name))
    throw new Failure('bad_request', `npm installed no package for ${spec}`)
  const { packages = {} } = readJson(path.join(folder, 'package-lock.json'))
  const found = isRecord(packages) ? packages[`node_modules/${name}`] : undefined
  const locked = isRecord(found) ? found : {}
  const { version, integrity, resolved } = locked
  const commit = typeof resolved === 'string' ? /^git\+.*#([0-9a-f]{40,64})$/.exec(resolved)?.[1] : undefined
  const content = commit ?? integrity
  return {
    name,
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof content === 'string' ? { integrity: content } : {}),
  }
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return isRecord(value) ? value : {}
}
