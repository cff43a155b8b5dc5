// Finds the model that the settings name for a role.
import { modelRoles } from '../../streams/config/model-roles.ts'
import type { ModelRole, RoleModels } from '../../streams/config/model-roles.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { thinkingLevels } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'

/** A model by its name, as it was chosen. */
export interface ModelChoiceByName {
  /** `provider/id`. Absent: rxpi chooses among those that are available. */
  readonly name?: string
  readonly role?: ModelRole
  readonly thinkingLevel?: ThinkingLevel
  /** Precede every other fallback of the model. Absent: the usual ones. */
  readonly fallbacks?: readonly string[]
  /** The setting that names it: `models.plan`. */
  readonly setting?: string
}

export interface RoleChoice extends ModelChoiceByName {
  readonly name: string
  readonly role: ModelRole
  readonly setting: string
}

/** The roles of one folder or file, in the order in which they apply: later ones win. */
export interface ScopedRoles {
  readonly glob: string
  readonly roles: RoleModels
}

interface RoleSettings {
  readonly model?: Settings['model'] | undefined
  readonly models?: Settings['models'] | undefined
}

/** The choice for a role; undefined if no setting names one. The setting `model` is that of the role `default`. */
export function roleChoice(
  role: ModelRole,
  { model, models = {} }: RoleSettings,
  scoped: readonly ScopedRoles[] = [],
): RoleChoice | undefined {
  const layers = [
    ...(role === 'default' && model !== undefined ? [{ value: model, setting: 'model' }] : []),
    ...(models[role] === undefined ? [] : [{ value: models[role], setting: `models.${role}` }]),
    ...scoped.flatMap(({ glob, roles: { [role]: value } }) =>
      value === undefined ? [] : [{ value, setting: `models.paths.${JSON.stringify(glob)}.${role}` }],
    ),
  ]
  const found = layers.at(-1)
  return found === undefined ? undefined : parseRoleModel(role, found.value, found.setting)
}

/** A model with its level, and the fallbacks after it. */
function parseRoleModel(role: ModelRole, value: string | readonly string[], setting: string): RoleChoice | undefined {
  const [first, ...rest] = typeof value === 'string' ? [value] : value
  if (first === undefined) return undefined
  const fallbacks = typeof value === 'string' ? {} : { fallbacks: rest.map((each) => splitLevel(each).name) }
  return { role, setting, ...splitLevel(first), ...fallbacks }
}

/** `openai/gpt-6-sol:high` is a model and a level; other text after a colon belongs to the model. */
export function splitLevel(text: string): { readonly name: string; readonly thinkingLevel?: ThinkingLevel } {
  const at = text.lastIndexOf(':')
  const thinkingLevel = thinkingLevels.find((level) => level === text.slice(at + 1))
  return at < 1 || thinkingLevel === undefined ? { name: text } : { name: text.slice(0, at), thinkingLevel }
}

/** The role that `@smol` names; undefined for the name of a model. @throws Failure `bad_request` for an unknown role */
export function roleNamed(text: string): ModelRole | undefined {
  if (!text.startsWith('@')) return undefined
  const name = text.slice(1)
  const role = modelRoles.find((each) => each === name)
  if (role !== undefined) return role
  const near = didYouMean(name, modelRoles) || `; the roles are ${modelRoles.map((each) => `@${each}`).join(', ')}`
  throw new Failure('bad_request', `There is no role "${text}"${near}`)
}

/** The choice behind a name; of a role without a model the default, with the reason in words. */
export interface NamedChoice {
  readonly choice: ModelChoiceByName
  /** Why the role does not decide. */
  readonly undefinedRole?: string
}

/** @param name a model, `@role`, or undefined for the default. @throws Failure `bad_request` for an unknown role */
export function namedChoice(
  name: string | undefined,
  settings: RoleSettings,
  scoped: readonly ScopedRoles[] = [],
): NamedChoice {
  const role = name === undefined ? 'default' : roleNamed(name)
  if (role === undefined) return { choice: name === undefined ? {} : { name } }
  const choice = roleChoice(role, settings, scoped)
  if (choice !== undefined) return { choice }
  const usual: ModelChoiceByName = roleChoice('default', settings, scoped) ?? { role: 'default' }
  if (role === 'default') return { choice: usual }
  const words = usual.name === undefined ? 'the model that rxpi chooses by itself' : usual.name
  const undefinedRole = `The role @${role} has no model (setting models.${role}); ${words} is used`
  return { choice: usual, undefinedRole }
}

/** The name of the model that this name or role stands for, without the roles of a folder; undefined if none does. */
export function modelNameOf(settings: RoleSettings, name: string | undefined): string | undefined {
  return namedChoice(name, settings).choice.name
}

interface OpeningLevels {
  readonly initial: { readonly thinkingLevel?: ThinkingLevel } | undefined
  readonly found: { readonly thinkingLevel?: ThinkingLevel }
  readonly settings: Pick<Settings, 'thinkingLevel'>
}

/** The level of a session that is opened: that of a role which the command names precedes that of the log. */
export function openingLevel(
  { thinkingLevel, model }: { readonly thinkingLevel?: ThinkingLevel; readonly model?: unknown },
  { initial, found, settings }: OpeningLevels,
): ThinkingLevel {
  const ofCommand = thinkingLevel ?? (model === undefined ? undefined : found.thinkingLevel)
  return ofCommand ?? initial?.thinkingLevel ?? found.thinkingLevel ?? settings.thinkingLevel ?? 'off'
}

/** The model with the role and the level that it was chosen with. */
export function withChoice<Found extends ProviderModel>(
  found: Found,
  { role, thinkingLevel }: Pick<RoleChoice, 'thinkingLevel'> & { readonly role?: string },
): Found {
  return { ...found, ...(role && { role }), ...(thinkingLevel && { thinkingLevel }) }
}
