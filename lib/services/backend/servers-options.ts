// Gathers what the MCP servers of a session are opened with.
import { sessionSecrets } from '../../session/create/session-secrets.ts'
import type { OpenServersOptions } from '../mcp/open-servers.ts'
import type { OpenParts } from './open-parts.ts'

interface ServersParts
  extends Pick<OpenParts, 'setup' | 'own' | 'configuration' | 'trust'>, Pick<OpenServersOptions, 'config'> {
  readonly mcp$: OpenServersOptions['hub$']
  /** Of the session. */
  readonly id: string
}

export function serversOptions({
  setup,
  own,
  configuration,
  trust,
  config,
  mcp$,
  id,
}: ServersParts): OpenServersOptions {
  const { cwd, env = {}, tools, mcpServers: servers = {} } = setup
  const { env: commandEnv, secrets } = sessionSecrets({ env, ...configuration })
  return {
    passed: { origin: own.mcpServers === undefined ? 'client' : 'option', servers },
    ...{ settings: configuration.settings, trust, env, config, hub$: mcp$, sessionId: id, cwd, commandEnv },
    chosenTools: tools,
    redact: (text) => secrets?.begin().text(text) ?? text,
  }
}
