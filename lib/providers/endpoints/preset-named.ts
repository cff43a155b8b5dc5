// A preset as it is for one client: its address filled in, and the key variable that is set there.
import { Failure } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import type { Preset } from './preset.ts'
import { presets } from './presets.ts'

type Env = Readonly<Record<string, string>>

/**
 * The preset of that name; undefined where there is none. Without `baseUrl` where a variable of the address is not set.
 * @throws Failure `bad_config` where such a variable holds what is no part of an address
 */
export function presetNamed(name: string, env: Env): Preset | undefined {
  const preset = knownPreset(name)
  if (preset === undefined) return undefined
  const { baseUrl: template, ...rest } = preset
  const baseUrl = template === undefined ? undefined : filledIn(template, env)
  const keyVariable = setVariable(preset, env) ?? preset.keyVariable
  return {
    ...rest,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
  }
}

/** The preset of that name as it is for everybody. */
export function knownPreset(name: string): Preset | undefined {
  return getOwn(presets, name)
}

/** The first of the preset's key variables that is set. */
export function setVariable({ keyVariable, otherKeyVariables = [] }: Preset, env: Env): string | undefined {
  const all = keyVariable === undefined ? [] : [keyVariable, ...otherKeyVariables]
  return all.find((variable) => env[variable]?.trim())
}

/** The variables that an address is made of. */
export function addressVariables(preset: Pick<Preset, 'baseUrl'> = {}): readonly string[] {
  return [...(preset.baseUrl ?? '').matchAll(inBraces)].map(([, variable = '']) => variable)
}

const inBraces = /\{(\w+)\}/g

/** Undefined where something of it is not set. */
function filledIn(template: string, env: Env): string | undefined {
  if (addressVariables({ baseUrl: template }).some((variable) => !env[variable]?.trim())) return undefined
  return template.replaceAll(inBraces, (_, variable: string) => {
    const value = env[variable]?.trim() ?? ''
    if (/^[\w.-]+$/.test(value)) return value
    const message = `${variable} holds what cannot be a part of an address: letters, digits, -, _ and . only.`
    throw new Failure('bad_config', message)
  })
}
