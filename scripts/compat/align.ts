// Renames ids, times and paths of one recording to those of another, to compare the rest by value.

export interface Names {
  /** Ids of the newer recording, each with the id at the same place of the older one. */
  readonly ids: Map<string, string>
  /** Folders of the newer recording with those of the older one. */
  readonly folders: readonly (readonly [now: string, then: string])[]
}

export const names = (...folders: Names['folders']): Names => ({ ids: new Map(), folders })

/**
 * Differ between any two recordings; their type does not. `verified` depends on how far the check of the log is;
 * `message` of a failure or a notice is a text for people.
 */
const volatile = new Set(
  ['at', 'createdAt', 'updatedAt', 'startedAt', 'timestamp', 'durationMs', 'crc', 'opBody', 'size'].concat([
    'pid',
    'version',
    'build',
    'epoch',
    'channel',
    'verified',
    'snapshot',
    'snapshotBefore',
    'message',
  ]),
)
const idKey = /(?:^id|^session|Id|Ids)$/
const id = /^(?:[a-z2-7]{8}|[a-z2-7]{12}|[a-z2-7]{26})$/

/**
 * Returns `now` with the older recording's ids, times and folders. Learns ids that stand at the same place in both.
 * Guarantees: keys, their order, and all other values are those of `now`.
 */
export function align(then: unknown, now: unknown, known: Names, key = ''): unknown {
  if (typeof now === 'string') return alignText(then, now, known, key)
  if (volatile.has(key) && typeof now === typeof then) return then
  if (Array.isArray(now)) {
    const list: unknown[] = Array.isArray(then) ? then : []
    return withoutNew(now, list, key).map((each, index) => align(list[index], each, known, key))
  }
  if (typeof now !== 'object' || now === null) return now
  const fields = typeof then === 'object' && then !== null ? (then as Readonly<Record<string, unknown>>) : {}
  const texts = describesBuiltInTool(now, fields) ? { description: fields['description'] } : {}
  return Object.fromEntries(
    withoutNewFields(Object.entries({ ...now, ...texts }), fields, key).map(([name, value]) => [
      name,
      align(fields[name], value, known, name),
    ]),
  )
}

/** Fields that states and frames gained, whatever holds them. */
const gainedFields = new Set(['approvalMode', 'request', 'summaries', 'received', 'pinned', 'roles', 'toolCallId'])
/** Fields that a state or a list gained, by the field that holds it. */
const gained: Readonly<Record<string, ReadonlySet<string>>> = {
  running: new Set(['startedAt']),
  header: new Set(['chosen']),
  settings: new Set(['default']),
  setting: new Set(['default']),
}

function withoutNewFields<Field extends [string, unknown]>(now: readonly Field[], then: object, key: string): Field[] {
  return now.filter(([name]) => name in then || (gained[key]?.has(name) !== true && !gainedFields.has(name)))
}

const builtInTools = new Set<unknown>(['read', 'write', 'edit', 'bash'])

/** True for both recordings of one built-in tool: its description is a text for models, which may change. */
function describesBuiltInTool(now: object, then: Readonly<Record<string, unknown>>): boolean {
  const { name, capability, description }: Readonly<Record<string, unknown>> = { ...now }
  return (
    builtInTools.has(name) &&
    name === then['name'] &&
    typeof capability === 'string' &&
    typeof description === typeof then['description']
  )
}

/** The name of an element of these lists. A server may gain commands, settings, and tools; it loses none. */
const growing: Readonly<Record<string, (value: unknown) => unknown>> = {
  capabilities: (value) => value,
  settings: (value) => (value as { key?: unknown }).key,
}

/** Lists of tools: on the wire, in a request, and before and after a change of them. */
const toolLists = new Set(['tools', 'activeTools', 'from', 'to'])
/** Built-in tools that a server gained since. */
const gainedTools = new Set<unknown>(
  ['grep', 'find', 'ls', 'todo', 'ask', 'hashline_edit'].concat([
    'job_output',
    'job_input',
    'job_kill',
    'propose_plan',
  ]),
)

function withoutNew(now: readonly unknown[], then: readonly unknown[], key: string): readonly unknown[] {
  if (toolLists.has(key)) return withoutNewTools(now, then)
  const nameOf = growing[key]
  if (nameOf === undefined) return now
  const before = new Set(then.map(nameOf))
  return now.filter((each) => before.has(nameOf(each)))
}

function withoutNewTools(now: readonly unknown[], then: readonly unknown[]): readonly unknown[] {
  const nameOf = (value: unknown): unknown => (typeof value === 'string' ? value : (value as { name?: unknown }).name)
  const before = new Set(then.map(nameOf))
  return now.filter((each) => !gainedTools.has(nameOf(each)) || before.has(nameOf(each)))
}

/** The older build's answers without its notices that a gained tool, which the newer one used, is missing. */
export function withoutGainedNotices(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    Array.isArray(each) ? each.filter((item) => !missesGainedTool(item)) : each,
  )
}

function missesGainedTool(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { code, message }: Readonly<Record<string, unknown>> = { ...value }
  const tool = typeof message === 'string' ? /^The session used the tool (\w+),/.exec(message)?.[1] : undefined
  return code === 'tool_missing' && gainedTools.has(tool)
}

/** Why a call asks is a text for people. */
const asksBecause = /^it may \w+$/

/** Words of a person beside a refusal: the text for the model names the call since. */
const refusedWithWords = /^The user did not allow this call of \w+, and says: /

const refusedCall = /^The arguments of \w+ are not valid:\n/

function alignText(then: unknown, now: string, known: Names, key: string): string {
  if (volatile.has(key) && typeof then === 'string') return then
  // a refused call's problems are a text for models and people
  if (typeof then === 'string' && refusedCall.exec(now)?.[0] === (refusedCall.exec(then)?.[0] ?? '')) return then
  if (typeof then === 'string' && now.replace(refusedWithWords, '') === then) return then
  if (key === 'reason' && typeof then === 'string' && asksBecause.test(then)) return then
  const { ids } = known
  if (idKey.test(key) && id.test(now) && typeof then === 'string' && then.length === now.length && !ids.has(now)) {
    ids.set(now, then)
  }
  return withParts(then, renamed(now, known))
}

/** In texts: a date, the time and the hash in a log's path, and a process id. */
const parts = [/-[0-9a-f]{16}(?=\/)/g, /\d{13}(?=_)/g, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, /(?<=\()\d+(?=\))/g]

function withParts(then: unknown, now: string): string {
  if (typeof then !== 'string') return now
  return parts.reduce((text, part) => {
    const found = then.match(part) ?? []
    let index = 0
    return text.replace(part, (own) => found[index++] ?? own)
  }, now)
}

/** The text with the older recording's folders and ids. */
export function renamed(text: string, { ids, folders }: Names): string {
  const moved = folders.reduce((result, [now, then]) => result.replaceAll(now, then), text)
  return moved.replace(/[a-z2-7]{8,26}/g, (word) => ids.get(word) ?? word)
}

/** For lines to send: replaces the ids of the older recording by those of the newer one. */
export function reversed({ ids, folders }: Names): Names {
  return {
    ids: new Map([...ids].map(([now, then]) => [then, now])),
    folders: folders.map(([now, then]) => [then, now]),
  }
}
