// Refuses by name what an isolated extension cannot use.
import { Failure } from '../../../streams/values/failure.ts'

/** Names that JavaScript itself asks for, such as `then` of a value that is awaited. */
const neutral: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor', 'valueOf', 'toString', '$$typeof'])

/**
 * The api of an isolated extension: a member that is not there throws `bad_request` with its name when it is read. A whole part may be
 * read, as in `setup({ context })`; its members may not.
 */
export function refuseMembers<Members extends Readonly<Record<string, unknown>>>(
  name: string,
  members: Members,
): Members {
  const parts = Object.entries(members).map(([part, value]) => [part, isPart(value) ? guard(name, part, value) : value])
  return new Proxy(Object.fromEntries(parts) as Members, {
    get: (target, key, receiver): unknown =>
      isKnown(target, key) ? Reflect.get(target, key, receiver) : refusedPart(name, key),
  })
}

/** Plain objects of functions, not streams and scopes. */
function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function guard(name: string, part: string, members: object): object {
  return new Proxy(members, {
    get: (target, key, receiver): unknown => {
      if (isKnown(target, key)) return Reflect.get(target, key, receiver)
      throw refusal(name, `${part}.${key}`)
    },
  })
}

function isKnown(target: object, key: string | symbol): key is symbol {
  return typeof key === 'symbol' || neutral.has(key) || key in target
}

function refusedPart(name: string, part: string): object {
  return new Proxy(() => undefined, {
    get: (_, key): unknown => {
      if (typeof key === 'symbol' || neutral.has(key)) return undefined
      throw refusal(name, `${part}.${key}`)
    },
    apply: () => {
      throw refusal(name, part)
    },
  })
}

function refusal(name: string, member: string): Failure {
  return new Failure(
    'bad_request',
    `The extension ${name} is isolated and cannot use ${member}: it has tools, commands, skills, templates, hooks, policy, ui, exec and messages of the session (docs/extensions.md)`,
  )
}
