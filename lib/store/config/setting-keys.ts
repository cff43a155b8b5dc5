// Lists the settings and their environment variables, derived from the settings schema.
import { Settings } from '../../streams/config/settings.ts'

export interface SettingKey {
  /** `limits.turns`: a key inside another one. */
  readonly key: string
  /** The possible values, in words. */
  readonly takes: string
  readonly isList: boolean
  /** One text, or several with commas between. */
  readonly isTextOrList?: true
  /** A number, or one of some texts. */
  readonly isNumberOrText?: true
  /** An object, written as JSON. */
  readonly isJson?: true
  /** The environment variable that sets it, if there is one. */
  readonly variable?: string
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** In schema order. */
export function settingKeys(): readonly SettingKey[] {
  return keysIn(JSON.parse(JSON.stringify(Settings)) as Schema) // JSON Schema has these shapes
}

function keysIn({ properties = {} }: Schema, before = ''): readonly SettingKey[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${before}${name}`
    if (schema.properties !== undefined) return keysIn(schema, `${key}.`)
    const variable = Object.entries(settingVariables).find(([, of]) => of === key)?.[0]
    if (key === 'extensions') return [] // free for extensions
    const kind = {
      isList: schema.type === 'array',
      ...(schema.anyOf === undefined ? {} : alternativesOf(schema.anyOf)),
      ...(schema.type === 'object' ? { isJson: true as const } : {}),
    }
    return [{ key, takes: describeValues(schema), ...kind, ...(variable === undefined ? {} : { variable }) }]
  })
}

function alternativesOf(schemas: readonly Schema[]): Pick<SettingKey, 'isNumberOrText' | 'isTextOrList'> {
  return schemas.some(({ type }) => type === 'number') ? { isNumberOrText: true } : { isTextOrList: true }
}

function describeValues({ type, enum: values, items, anyOf }: Schema): string {
  if (values !== undefined) return values.join(', ')
  const words = (anyOf ?? []).flatMap((schema) => schema.const ?? [])
  if (words.length > 0) return `a number, ${words.join(', ')}`
  if (anyOf !== undefined) return 'provider/id, also with :level; fallbacks after commas'
  switch (type) {
    case 'array':
      return items?.type === 'object' ? 'a list of objects' : 'names, with commas between'
    case 'boolean':
      return 'true, false'
    case 'integer':
      return 'a whole number'
    case 'number':
      return 'a number'
    case 'object':
      return 'an object, as JSON'
    default:
      return 'a text'
  }
}

// All environment variables that set something; every other RXPI_ variable is ignored.

/**
 * Variable → its key in `settings.json`. Times are milliseconds, 0 = no limit; `RXPI_TOOLS` and `RXPI_FALLBACKS` are
 * comma-separated. An empty variable counts as unset.
 */
export const settingVariables = {
  RXPI_MODEL: 'model',
  RXPI_FALLBACKS: 'fallbacks',
  RXPI_THINKING: 'thinkingLevel',
  RXPI_TOOLS: 'tools',
  RXPI_TOOL_EXECUTION: 'toolExecution',
  RXPI_STEERING: 'steering',
  RXPI_STEERING_MODE: 'steeringMode',
  RXPI_FOLLOW_UP_MODE: 'followUpMode',
  RXPI_KEY_STORAGE: 'keyStorage',
  RXPI_APPROVE: 'approve',
  RXPI_SANDBOX: 'sandbox.mode',
  RXPI_THEME: 'theme',
  RXPI_NOTIFY: 'notifications',
  RXPI_MAX_TURNS: 'limits.turns',
  RXPI_MAX_TOKENS: 'limits.tokens',
  RXPI_MAX_USD: 'limits.usd',
  RXPI_MAX_SAME_CALLS: 'limits.sameCalls',
  RXPI_IDLE_MS: 'limits.idleMs',
  RXPI_WALL_CLOCK_MS: 'limits.wallClockMs',
  RXPI_RETRY_BUSY_MS: 'retry.busyMs',
  RXPI_LOCAL_MODELS_MS: 'localModels.withinMs',
  RXPI_BASH_TIMEOUT_MS: 'bash.timeoutMs',
} as const
