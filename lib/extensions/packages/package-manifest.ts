// Reads from a package.json which extensions, skills, templates, themes and scenarios it brings.
// The key `rxpi` counts, or else `pi`; a package without both brings its folders of the usual names.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import { isRecord } from '../../streams/values/json.ts'

/** Kinds of resources, by the key of the manifest. */
export const resourceKinds = ['extensions', 'skills', 'prompts', 'themes', 'scenarios'] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** Patterns by kind; a kind that is missing brings nothing. */
export type ResourcePatterns = Readonly<Partial<Record<ResourceKind, readonly string[]>>>

export interface PackageManifest {
  /** `rxpi.name`, or else `name`. */
  readonly name?: string
  /** `name` as the registry knows it. */
  readonly packageName?: string
  readonly version?: string
  /** Undefined if package.json has neither `rxpi` nor `pi`. */
  readonly declared?: ResourcePatterns
  /** Declared for pi alone. */
  readonly isPi: boolean
}

const maxBytes = 1_048_576
const maxPatterns = 1_000

/** An empty manifest if the folder has no package.json. @throws Error with the reason why it cannot be used */
export function readPackageManifest(folder: string): PackageManifest {
  const text = readText(path.join(folder, 'package.json'))
  if (text === undefined) return { isPi: false }
  const content = parse(text)
  const own = isRecord(content['rxpi']) ? content['rxpi'] : undefined
  const pi = isRecord(content['pi']) ? content['pi'] : undefined
  const named = textOf(content['name'])
  const name = textOf(own?.['name']) ?? named
  const version = textOf(content['version'])
  const source = own ?? pi
  return {
    ...(name === undefined ? {} : { name }),
    ...(named === undefined ? {} : { packageName: named }),
    ...(version === undefined ? {} : { version }),
    ...(source === undefined ? {} : { declared: patternsOf(source, own === undefined ? 'pi' : 'rxpi') }),
    isPi: own === undefined && pi !== undefined,
  }
}

function patternsOf(source: Readonly<Record<string, unknown>>, key: string): ResourcePatterns {
  const found = resourceKinds.flatMap((kind) => {
    const value = source[kind]
    if (value === undefined) return []
    const isList =
      Array.isArray(value) && value.length <= maxPatterns && value.every((each) => textOf(each) !== undefined)
    if (!isList) throw new Error(`${key}.${kind} of its package.json is no list of paths`)
    return [[kind, value as readonly string[]] as const]
  })
  return Object.fromEntries(found)
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let content: unknown
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error(`its package.json is not valid: ${describeJsonFault(text)}`)
  }
  if (!isRecord(content)) throw new Error('its package.json is no JSON object')
  return content
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : undefined
}

function readText(file: string): string | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new Error('it is no regular file')
      if (status.size > maxBytes) throw new Error('it is too large')
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw new Error(`its package.json cannot be read: ${describeThrown(error)}`, { cause: error })
  }
}
