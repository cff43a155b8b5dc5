// Makes the secrets of a session from its environment, the user's files and the presets of providers.
import { createSecrets } from '../../policy/secrets/create-secrets.ts'
import type { SessionSecrets } from '../../policy/secrets/create-secrets.ts'
import { presets } from '../../providers/index.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import { userShell } from '../../tools/index.ts'
import type { UserShellOptions } from '../../tools/index.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import { secretsOfProviders } from './provider-secrets.ts'
import { offeredSecrets } from './offered-secrets.ts'
import type { OfferedProviders } from './offered-secrets.ts'
import { secretsInServers } from './server-secrets.ts'

export interface GuardedOptions extends Pick<UserShellOptions, 'cwd' | 'sessionId' | 'home'> {
  /** The locks of files. */
  readonly locks: Locks
  /** Where jobs of tools run. Default: beside the user's own commands. */
  readonly sandbox?: SessionSandbox
}

/** The parts of a session that run commands, with the environment and the secrets of commands. */
export function guardedParts(
  { env, secrets }: SessionSecrets,
  { cwd, locks, sessionId, home, sandbox }: GuardedOptions,
): Pick<SessionParts, 'tools' | 'userShell' | 'jobShell' | 'secrets'> {
  const shell = { cwd, env, secrets, sessionId, home }
  return {
    tools: { cwd, env, locks },
    userShell: userShell(shell),
    ...(sandbox === undefined ? {} : { jobShell: userShell({ ...shell, sandbox }) }),
    ...(secrets === undefined ? {} : { secrets }),
  }
}

export interface SecretSources {
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  readonly settings: Pick<Settings, 'secrets' | 'mcpServers'>
  /** The user's models.json. */
  readonly models: ModelsFile
  /** What extensions offer now. Default: nothing. */
  readonly offered?: OfferedProviders
}

/** The environment of commands without the keys of providers, and what outputs hide. */
export function sessionSecrets({ env, settings, models, offered }: SecretSources): SessionSecrets {
  const { variables, values } = secretsOfProviders(models, env)
  return createSecrets({
    env,
    keyVariables: keyVariables(variables),
    values: [...values, ...secretsInServers(settings, env)],
    ...(offered && { laterValues: offeredSecrets(offered, env) }),
    settings: settings.secrets,
  })
}

/** Keys that no preset names. */
const furtherVariables = [
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'OPENAI_ADMIN_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
]

/** A key that serves for more than models, such as GITHUB_TOKEN, stays: the programs of its own service need it. */
function keyVariables(ofFile: readonly string[]): readonly string[] {
  const ofPresets = Object.values(presets).flatMap(({ keyVariable, otherKeyVariables = [], sharedKey }) =>
    keyVariable === undefined || sharedKey === true ? [] : [keyVariable, ...otherKeyVariables],
  )
  const shared = new Set(
    Object.values(presets).flatMap(({ keyVariable, sharedKey }) => (sharedKey === true ? keyVariable : [])),
  )
  return [...ofPresets, ...furtherVariables, ...ofFile.filter((name) => !shared.has(name))]
}
