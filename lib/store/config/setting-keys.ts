// Which settings there are is read from their schema, and from nowhere else.
import { Settings } from '../../streams/config/settings.ts'
import { settingVariables } from './setting-variables.ts'

export interface SettingKey {
  /** `limits.turns`: a key within another one. */
  readonly key: string
  /** What it can be, in words. */
  readonly takes: string
  readonly isList: boolean
  /** The environment variable that sets it, where there is one. */
  readonly variable?: string
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** In the order of the schema. */
export function settingKeys(): readonly SettingKey[] {
  return keysIn(JSON.parse(JSON.stringify(Settings)) as Schema) // as JSON Schema, whose shapes these are
}

function keysIn({ properties = {} }: Schema, before = ''): readonly SettingKey[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${before}${name}`
    if (schema.properties !== undefined) return keysIn(schema, `${key}.`)
    const variable = Object.entries(settingVariables).find(([, of]) => of === key)?.[0]
    const isList = schema.type === 'array'
    return [{ key, takes: takes(schema), isList, ...(variable === undefined ? {} : { variable }) }]
  })
}

function takes({ type, enum: values }: Schema): string {
  if (values !== undefined) return values.join(', ')
  switch (type) {
    case 'array':
      return 'names, with commas between'
    case 'boolean':
      return 'true, false'
    case 'integer':
      return 'a whole number'
    case 'number':
      return 'a number'
    default:
      return 'a text'
  }
}
