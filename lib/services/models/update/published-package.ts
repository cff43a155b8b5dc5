// Fetches the package with the catalogue's data by the machine's npm.
// Guarantees: no code of the package runs; the content has the SHA-512 that the registry names; bounded in size.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import semver from 'semver'
import type { GatheredOutput } from '../../../host/process/gather-output.ts'
import { runNpm } from '../../../extensions/packages/run-npm.ts'
import type { Failure } from '../../../streams/values/failure.ts'
import { isRecord } from '../../../streams/values/json.ts'
import { updateFailure } from './update-failure.ts'

export interface NpmSurroundings {
  /** A new private folder, absolute. */
  readonly folder: string
  /** The client's folder: npm is not searched inside it. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface PublishedPackage {
  readonly name: string
  readonly version: string
  /** `2026-11-10`. */
  readonly date: string
  readonly licence: string
  /** `sha512-…` */
  readonly integrity: string
}

const limitMs = 300_000
/** For the times of all versions, and the file list of a tarball. */
const maxOutput = 4_194_304
export const maxTarball = 33_554_432
/** A person waits for the answer, and can repeat the command. */
const shared = ['--json', '--loglevel=silent', '--fetch-retries=0', '--no-update-notifier']

/** Emits the newest version that the registry recommends, and completes; fails with `bad_request`. */
export function findPublished(name: string, surroundings: NpmSurroundings): Observable<PublishedPackage> {
  const wanted = ['name', 'version', 'license', 'dist', 'time']
  return npm(['view', ...shared, '--', `${name}@latest`, ...wanted], surroundings).pipe(
    map((result) => readPublished(name, printedJson(result, name))),
  )
}

/** Emits the content of the tarball, and completes; fails with `bad_request`. */
export function fetchTarball(
  { name, version, integrity }: PublishedPackage,
  surroundings: NpmSurroundings,
): Observable<Buffer> {
  const { folder } = surroundings
  return npm(['pack', ...shared, '--ignore-scripts', '--', `${name}@${version}`], surroundings).pipe(
    map((result) => {
      printedJson(result, name)
      const file = readdirSync(folder).find((each) => each.endsWith('.tgz'))
      if (file === undefined) throw updateFailure('npm', `npm fetched no package for ${name}@${version}`)
      return readTarball(path.join(folder, file), integrity)
    }),
  )
}

function npm(args: readonly string[], { folder, cwd, env }: NpmSurroundings): Observable<GatheredOutput> {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n') // npm searches no parent for a project
  return runNpm({ args, folder, workspace: cwd, env, limitMs, maxOutput })
}

/** @throws Failure for an npm that failed */
function printedJson({ stdout, stderr, exitCode, cutShort }: GatheredOutput, name: string): unknown {
  const printed = parse(stdout)
  if (exitCode === 0 && printed !== undefined) return printed
  if (cutShort) throw updateFailure('offline', `The registry of npm did not answer within ${limitMs / 60_000} minutes`)
  const error = isRecord(printed) && isRecord(printed['error']) ? printed['error'] : {}
  throw npmFailure(name, textOf(error['code']), textOf(error['summary']) || stderr.trim() || 'it ended without a word')
}

const network = /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w*|E\w*TIMEDOUT|\w*TIMEOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|EPIPE)$/

function npmFailure(name: string, code: string, summary: string): Failure {
  const words = summary.slice(0, 500)
  if (code === 'E404') return updateFailure('not_found', `The registry of npm has no package ${name}: ${words}`)
  if (code === 'EINTEGRITY') return updateFailure('integrity', `The package ${name} is not what its registry names: ${words}`) // prettier-ignore
  if (network.test(code)) return updateFailure('offline', `The registry of npm cannot be reached (${code}): ${words}`)
  return updateFailure('npm', `npm could not fetch ${name}: ${words}`)
}

function readPublished(name: string, printed: unknown): PublishedPackage {
  const view = isRecord(printed) ? printed : {}
  const version = textOf(view['version'])
  if (view['name'] !== name || semver.valid(version) === null)
    throw updateFailure('shape', `The registry of npm describes no version of ${name}`)
  const times = isRecord(view['time']) ? view['time'] : {}
  const date = textOf(times[version]).slice(0, 10)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date))
    throw updateFailure('shape', `The registry of npm names no date of ${name} ${version}`)
  const { integrity: every } = isRecord(view['dist']) ? view['dist'] : {}
  const integrity = textOf(every).split(/\s+/).find((each) => each.startsWith('sha512-')) // prettier-ignore
  if (integrity === undefined)
    throw updateFailure('integrity', `The registry of npm names no SHA-512 of ${name} ${version}`)
  return { name, version, date, licence: textOf(view['license']).slice(0, 256) || 'unknown', integrity }
}

function readTarball(file: string, integrity: string): Buffer {
  const { size } = statSync(file)
  if (size > maxTarball) throw updateFailure('shape', `The package has ${size} bytes, more than ${maxTarball}`)
  const content = readFileSync(file)
  const found = `sha512-${createHash('sha512').update(content).digest('base64')}`
  if (found !== integrity)
    throw updateFailure('integrity', `The package has the content ${found}, and its registry names ${integrity}`)
  return content
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
