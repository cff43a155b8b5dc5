// Defines how a project may tighten each setting of the user.
// Guarantees: a setting without a rule here cannot be set by a project (docs/design/security.md#S2).
import { CommandHooks } from '../../streams/config/hook-settings.ts'
import { modelRoles } from '../../streams/config/model-roles.ts'
import { isRecord } from '../../streams/values/json.ts'
import { settingDefaults } from './setting-defaults.ts'

/** The value that counts, or why the project's has no effect; a list can have both. */
export interface Tightened {
  readonly value?: unknown
  readonly reason?: string
}

export interface TighteningFacts {
  /** False for a model that no endpoint of the user serves. */
  isKnownModel(name: string): boolean
  /** The tools of a session without the setting `tools`. */
  readonly usualTools: readonly string[]
}

type Rule = (value: unknown, users: unknown, facts: TighteningFacts) => Tightened

const counts: Rule = (value) => ({ value })

function never(reason: string): Rule {
  return () => ({ reason })
}

const personal = never('it is your own choice')
const power = never('it would change what the agent may do; only your own settings can')

/** A smaller number is stricter; 0 is no limit. */
function lower(key: string): Rule {
  return (value, users = settingDefaults[key]) => {
    const [requested, own] = [Number(value), Number(users)]
    const isLower = own === 0 || (requested !== 0 && requested <= own)
    return isLower ? { value } : { reason: `it can only be lowered, and is ${own} without the project` }
  }
}

/** A smaller number is stricter, down to 0. */
function shorter(key: string): Rule {
  return (value, users = settingDefaults[key]) =>
    Number(value) <= Number(users)
      ? { value }
      : { reason: `it can only be lowered, and is ${String(users)} without the project` }
}

function only(allowed: unknown): Rule {
  return (value) => (value === allowed ? { value } : { reason: `a project can only set it to ${String(allowed)}` })
}

const knownModel: Rule = (value, _, { isKnownModel }) =>
  isKnownModel(String(value)) ? { value } : { reason: `you have no provider for ${JSON.stringify(value)}` }

const knownModels: Rule = (value, _, { isKnownModel }) => {
  const names = textsOf(value)
  const known = names.filter((name) => isKnownModel(name))
  const unknown = names.filter((name) => !isKnownModel(name))
  return listResult(known, unknown, 'you have no provider for')
}

/** A role with fallbacks, each perhaps with a thinking level. */
const knownRole: Rule = (value, _, { isKnownModel }) => {
  const unknown = unknownRoleNames(value, isKnownModel)
  return unknown.length === 0 ? { value } : { reason: `you have no provider for ${unknown.slice(0, 5).join(', ')}` }
}

/** A glob counts if all models of its roles are known. */
const knownPaths: Rule = (value, users, { isKnownModel }) => {
  const entries = Object.entries(isRecord(value) ? value : {}).map(([glob, roles]) => {
    const unknown = Object.values(isRecord(roles) ? roles : {}).flatMap((role) => unknownRoleNames(role, isKnownModel))
    return { glob, roles, unknown }
  })
  const refused = entries.filter(({ unknown }) => unknown.length > 0)
  const counted = Object.fromEntries(
    entries.flatMap(({ glob, roles, unknown }) => (unknown.length === 0 ? [[glob, roles]] : [])),
  )
  const names = refused.flatMap(({ unknown }) => unknown).slice(0, 5)
  return {
    // the user's globs come first, so those of the project win
    ...(Object.keys(counted).length === 0 ? {} : { value: { ...(isRecord(users) ? users : {}), ...counted } }),
    ...(refused.length === 0 ? {} : { reason: `you have no provider for ${names.join(', ')}` }),
  }
}

function unknownRoleNames(value: unknown, isKnownModel: TighteningFacts['isKnownModel']): readonly string[] {
  const names = typeof value === 'string' ? [value] : textsOf(value)
  return names.filter((name) => !isKnownModel(name) && !isKnownModel(name.replace(/:[a-z]+$/, '')))
}

const fewerTools: Rule = (value, users, { usualTools }) => {
  const own = new Set(users === undefined ? usualTools : textsOf(users))
  const names = textsOf(value)
  const allowed = names.filter((name) => own.has(name))
  const added = names.filter((name) => !own.has(name))
  return listResult(allowed, added, 'a project can only remove tools, and adds')
}

const moreNames: Rule = (value, users) => ({ value: [...new Set([...textsOf(users), ...textsOf(value)])] })

/** An empty list counts if it was written as one: it is the strictest. */
function listResult(value: readonly string[], others: readonly string[], words: string): Tightened {
  if (others.length === 0) return { value }
  const reason = `${words} ${others.slice(0, 5).join(', ')}`
  return value.length === 0 ? { reason } : { value, reason }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** A hook is a program, and a program of a project is none of its settings. */
const hookRules = Object.fromEntries(Object.keys(CommandHooks.properties).map((name) => [`hooks.${name}`, power]))

const roleRules = Object.fromEntries(modelRoles.map((role) => [`models.${role}`, knownRole]))

/** By key, as in `settingKeys`. `permissions.ask` and `.deny` are rules beside the user's own. */
export const tighteningRules: Readonly<Record<string, Rule>> = {
  model: knownModel,
  fallbacks: knownModels,
  ...roleRules,
  'models.paths': knownPaths,
  thinkingLevel: counts,
  tools: fewerTools,
  toolDiscovery: personal,
  toolExecution: only('sequential'),
  steeringMode: personal,
  followUpMode: personal,
  steering: personal,
  'limits.turns': lower('limits.turns'),
  'limits.tokens': lower('limits.tokens'),
  'limits.usd': lower('limits.usd'),
  'limits.sameCalls': lower('limits.sameCalls'),
  'limits.idleMs': lower('limits.idleMs'),
  'limits.wallClockMs': lower('limits.wallClockMs'),
  'retry.busyMs': shorter('retry.busyMs'),
  'localModels.withinMs': personal,
  snapshots: only(true),
  keyStorage: personal,
  theme: personal,
  notifications: personal,
  'bash.timeoutMs': lower('bash.timeoutMs'),
  'bash.persist': power,
  'bash.clientTerminal': only(false),
  approve: power,
  ...hookRules,
  'isolation.extensions': moreNames,
  'isolation.memoryMb': power,
  mcpServers: never('the servers of a project stand in its .mcp.json'),
  'mcp.variables': power,
  'permissions.allow': power,
  'permissions.ask': counts,
  'permissions.deny': counts,
  'secrets.redact': only(true),
  'secrets.env': only('drop'),
  'secrets.names': moreNames,
  'sandbox.mode': power,
  'sandbox.network.allow': power,
  'sandbox.writable': power,
  'sandbox.processes': lower('sandbox.processes'),
  'sandbox.fileBytes': lower('sandbox.fileBytes'),
  'compaction.enabled': counts,
  'compaction.reserveTokens': counts,
  'compaction.keepRecentTokens': counts,
}

/** The rule of a key without an own one. */
export const withoutRule: Rule = power
