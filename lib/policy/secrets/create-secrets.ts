// Makes the secrets of a session: what its output hides, and the environment of its commands.
import type { Redaction, Secrets } from '../../streams/ports/secrets.ts'
import type { SecretSettings } from '../../streams/config/secret-settings.ts'
import { isRecord } from '../../streams/values/json.ts'
import { createTextRedactor, indexSecrets } from './text-redactor.ts'
import type { SecretIndex, SecretValue } from './text-redactor.ts'
import { namedSecret, secretValues, withoutVariables } from './secret-values.ts'

export interface SecretsOptions {
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** The variables that hold keys of model providers. */
  readonly keyVariables: Iterable<string>
  /** Secrets that no variable holds, by the text of their placeholder. Default: none. */
  readonly values?: readonly (readonly [kind: string, value: string])[]
  /** Secrets that come later, read when a call begins; the same list while none is added. Default: none. */
  readonly laterValues?: () => readonly (readonly [kind: string, value: string])[]
  readonly settings?: SecretSettings | undefined
}

export interface SessionSecrets {
  /** The environment of tools, jobs and commands. */
  readonly env: Readonly<Record<string, string>>
  /** Undefined: the settings switch redaction off. */
  readonly secrets?: Secrets
}

const none: readonly never[] = []

/** Pure; the index of the secrets is built when the first output is redacted, and anew after later values. */
export function createSecrets({
  env,
  keyVariables,
  values = [],
  laterValues = () => none,
  settings = {},
}: SecretsOptions): SessionSecrets {
  const names = new Set([...keyVariables, ...(settings.names ?? [])])
  const own = settings.env === 'keep' ? env : withoutVariables(env, names)
  if (settings.redact === false) return { env: own }
  let built: { readonly index: SecretIndex; readonly later: ReturnType<typeof laterValues> } | undefined
  const currentIndex = (): SecretIndex => {
    const later = laterValues()
    if (built?.later !== later) {
      const named = [...values, ...later].flatMap(([kind, value]) => namedSecret(kind, value))
      built = { index: indexSecrets(distinct([...secretValues(env, names), ...named])), later }
    }
    return built.index
  }
  return { env: own, secrets: { begin: () => beginRedaction(currentIndex()) } }
}

function distinct(values: readonly SecretValue[]): readonly SecretValue[] {
  return [...new Map(values.map((each) => [each.value, each])).values()]
}

function beginRedaction(index: SecretIndex): Redaction {
  let count = 0
  const onSecret = (): void => {
    count += 1
  }
  const redactText = (text: string): string => {
    if (text.length < 2) return text
    const redactor = createTextRedactor(index, onSecret)
    return redactor.push(text) + redactor.end()
  }
  return {
    get count() {
      return count
    },
    stream: () => createTextRedactor(index, onSecret),
    preview: () => createTextRedactor(index, () => undefined),
    text: redactText,
    json: (value) => redactJson(value, redactText),
  }
}

function redactJson(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) {
    const made = value.map((each: unknown) => redactJson(each, redact))
    return made.some((each, index) => each !== value[index]) ? made : (value as unknown)
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  const made = entries.map(([key, each]): [string, unknown] => [redact(key), redactJson(each, redact)])
  const isSame = made.every(([key, each]) => Object.hasOwn(value, key) && value[key] === each)
  return isSame ? value : Object.fromEntries(made)
}
