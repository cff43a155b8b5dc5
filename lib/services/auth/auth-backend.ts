// Stores, lists, removes and verifies provider keys; no result holds a key.
import { defer, map, of } from 'rxjs'
import { keyOrigin, listKeys, processKeyMemory, verifyKey } from '../../providers/index.ts'
import { presetModel } from '../models/preset-model.ts'
import type { VerifyKeyOptions } from '../../providers/index.ts'
import type { Configuration } from '../../store/index.ts'
import type { KeyWasStored, WritableAuthStorage } from '../../streams/ports/auth-storage.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { UserConfiguration } from '../models/configured-model.ts'
import type { AuthBackend, Notice } from '../contract/server-backend.ts'

export interface AuthBackendOptions {
  readonly authStorage: WritableAuthStorage
  /** The configuration for a client with this environment. */
  configured(env: Readonly<Record<string, string>>): Configuration & Pick<UserConfiguration, 'startEnv'>
}

/** Each method emits once, or fails with a Failure. */
export function createAuthBackend({ authStorage, configured }: AuthBackendOptions): AuthBackend {
  const sourcesOf = ({ cwd, env = {} }: { readonly cwd: string; readonly env?: Record<string, string> }) => {
    const { models, settings, startEnv } = configured(env)
    return { sources: { cwd, env, startEnv, models, authStorage, memory: processKeyMemory }, settings }
  }
  return {
    set: (command) =>
      defer(() => {
        const { sources, settings } = sourcesOf(command)
        const { provider, add = false } = command
        const value = command.key.trim()
        const origin = keyOrigin(provider, value, sources)
        const where = settings.keyStorage ?? 'auto'
        return authStorage.store({ provider, origin, value, add, where }).pipe(
          map((stored) => ({
            keyId: stored.id,
            kept: stored.kept,
            origin,
            ...presetModel(provider),
            notices: [...keychainNotice(stored), ...unusedNotice(stored, sources)],
          })),
        )
      }),
    list: (command) => defer(() => of({ providers: listKeys(sourcesOf(command).sources, command.provider) })),
    remove: ({ provider, keyId: id }) =>
      authStorage.remove(provider, id).pipe(
        map((removed) => {
          if (removed === 0) throw noKeyFailure(provider, id)
          return { removed }
        }),
      ),
    verify: (command) => defer(() => verifyKey(verifyOptions(command, sourcesOf(command).sources))),
  }
}

function verifyOptions(
  { provider, key }: Omit<CommandNamed<'auth_verify'>, 'type'>,
  sources: Omit<VerifyKeyOptions, 'provider' | 'key'>,
): VerifyKeyOptions {
  return { ...sources, provider, ...(key === undefined ? {} : { key: key.trim() }) }
}

function keychainNotice({ keychainProblem, kept: where }: KeyWasStored): Notice[] {
  if (keychainProblem === undefined) return []
  const message =
    where === 'file'
      ? `${keychainProblem}. The key is in a private file instead; rxpi config set keyStorage file makes that the default.`
      : keychainProblem
  return [{ code: 'keychain_unavailable', message }]
}

/** A notice if another source precedes the stored key. */
function unusedNotice({ provider, id }: KeyWasStored, sources: Parameters<typeof listKeys>[0]): Notice[] {
  const [listed] = listKeys(sources, provider)
  const stored = listed?.keys.find((key) => key.keyId === id)
  if (stored?.unusedBecause === undefined) return []
  return [{ code: 'key_unused', message: `The key is stored, but not used: ${stored.unusedBecause}.` }]
}

function noKeyFailure(provider: string, id: string | undefined): Failure {
  const what = id === undefined ? 'No key is' : `No key ${id} is`
  const message = `${what} stored for ${provider}; rxpi auth list shows where its keys come from.`
  return new Failure('bad_request', message)
}
