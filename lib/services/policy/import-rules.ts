// Translates the permissions of a settings file of Claude Code or rxpi into rules; writes nothing.
// Guarantees: no rule is dropped silently; one without a counterpart has the reason.
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { parseRule } from '../../policy/rules/parse-rule.ts'
import type { RuleRoots } from '../../policy/rules/path-glob.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { ImportedRule } from '../../streams/commands/policy-commands.ts'
import type { Permissions } from '../../streams/config/permissions.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import { absolutePath } from '../stored/check-path.ts'
import type { Fields } from '../contract/server-backend.ts'

const maxBytes = 1_048_576
const lists = ['allow', 'ask', 'deny'] as const

/**
 * Emits once and completes; fails with `bad_request` if the file has no permissions, `storage` if it cannot be read.
 */
export function importRules(
  { file, cwd }: Pick<Fields<'policy_import'>, 'file' | 'cwd'>,
  present: Permissions,
): Observable<ResultOf<'policy_import'>> {
  return defer(() => {
    const source = absolutePath('file', file)
    const written = readSettings(source)
    const permissions = isRecord(written['permissions']) ? written['permissions'] : written
    const found = lists.filter((list) => permissions[list] !== undefined)
    const notes = [...noteSettings(permissions), ...noteOthers(written)]
    if (found.length === 0 && notes.length === 0)
      throw new Failure('bad_request', `${source} has no permissions: no list allow, ask or deny`)
    const roots = { folder: cwd, home: homedir() }
    const rules = found.flatMap((list) =>
      entriesOf(permissions[list], list, source).map((text) => translate(list, text, roots, present)),
    )
    return of({ file: source, rules, notes })
  })
}

function readSettings(file: string): Readonly<Record<string, unknown>> {
  let text: string
  try {
    if (statSync(file).size > maxBytes) throw new Failure('bad_request', `${file} is larger than 1 MiB`)
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : storageFailure(`read ${file}`, thrown)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    throw new Failure('bad_request', `${file}: ${describeJsonFault(text)}`)
  }
  throw new Failure('bad_request', `${file} is not the settings of an agent: it is not a JSON object`)
}

function entriesOf(value: unknown, list: string, file: string): readonly string[] {
  if (!Array.isArray(value)) throw new Failure('bad_request', `${file}: ${list} must be a list of rules`)
  return value.map((entry: unknown) => {
    const text = isRecord(entry) ? entry['rule'] : entry
    if (typeof text !== 'string') throw new Failure('bad_request', `${file}: a rule of ${list} is not a text`)
    return text
  })
}

function translate(list: (typeof lists)[number], text: string, roots: RuleRoots, present: Permissions): ImportedRule {
  const parsed = parseRule(text, roots)
  if ('fault' in parsed) return { list, text, fault: parsed.fault }
  const own = (present[list] ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.rule))
  const { plain: rule } = parsed
  return { list, text, rule, ...(own.includes(rule) || own.includes(text) ? { present: true } : {}) }
}

/** Claude Code's modes and what comes nearest. */
const modes: Readonly<Record<string, string>> = {
  default: 'approve "writes" comes nearest; it is the default',
  acceptEdits: 'approve "writes" with the allow rule "write" comes nearest',
  plan: 'start rxpi with --tools read,grep,find,ls to plan without changes',
  dontAsk: 'run rxpi -p: what would ask is refused there',
  bypassPermissions: 'approve "auto" comes nearest; critical commands still ask',
}

function noteSettings(permissions: Readonly<Record<string, unknown>>): readonly string[] {
  const { defaultMode, additionalDirectories } = permissions
  const folders = Array.isArray(additionalDirectories)
    ? additionalDirectories.filter((folder) => typeof folder === 'string')
    : []
  return [
    ...(typeof defaultMode === 'string'
      ? [`defaultMode ${defaultMode}: ${modes[defaultMode] ?? 'rxpi has no counterpart'}`]
      : []),
    ...folders.map(
      (folder) => `additionalDirectories ${folder}: allow read(${folder}/**) and write(${folder}/**) if you want it`,
    ),
  ]
}

function noteOthers(written: Readonly<Record<string, unknown>>): readonly string[] {
  const hooks = written['hooks'] === undefined ? [] : ['hooks are not imported: a hook is a program, not a rule']
  const sandbox = written['sandbox'] === undefined ? [] : ['sandbox is not imported: docs/security.md has the settings']
  return [...hooks, ...sandbox]
}
