// Asks the person at the editor whether the files that a folder brings for rxpi count.
import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { EMPTY, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { serverText } from '../../text/server-text.ts'
import { trustAnswers } from '../../text/trust-text.ts'
import type { Peer } from '../wire/peer.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

export interface TrustOptions {
  readonly client: Pick<ReconnectingClient, 'request'>
  readonly peer: Pick<Peer, 'ask'>
  readonly env: Readonly<Record<string, string>>
  readonly sessionId: string
  /** Absolute folder of the session. */
  readonly cwd: string
}

type Folder = ResultOf<'trust_folder'>

/** Lines of the question about commands, servers and files. */
const mostLines = 40

/**
 * Emits true once if the person trusts exactly the files of the question. Completes without a value for every other answer,
 * and if there is nothing to ask. Fails if the editor or the server does.
 */
export function askTrust({ client, peer, env, sessionId, cwd }: TrustOptions): Observable<true> {
  const command = { type: 'trust_folder' as const, cwd, env: { ...env } }
  return client.request(command).pipe(
    mergeMap((folder) => {
      const { state, digest } = folder
      if ((state !== 'untrusted' && state !== 'changed') || digest === undefined) return EMPTY
      return peer.ask('session/request_permission', trustRequest(folder, sessionId)).pipe(
        mergeMap(({ outcome }) => {
          const option = outcome.outcome === 'selected' ? outcome.optionId : 'later'
          if (option === 'never') return client.request({ ...command, answer: 'never' })
          return option === 'trust' ? client.request({ ...command, answer: 'trust', digest }) : EMPTY
        }),
      )
    }),
    mergeMap(({ trusted }) => (trusted ? [true as const] : [])),
  )
}

function trustRequest(folder: Folder, sessionId: string): RequestPermissionRequest {
  const { files } = folder
  const { later, trust, never } = trustAnswers(files.length)
  const options: PermissionOption[] = [
    { optionId: 'later', name: later, kind: 'reject_once' },
    { optionId: 'trust', name: trust, kind: 'allow_always' },
    { optionId: 'never', name: never, kind: 'reject_always' },
  ]
  const toolCall = {
    toolCallId: `trust-${sessionId}`,
    title:
      folder.state === 'changed'
        ? 'Files that you trusted in this folder have changed'
        : 'This folder brings instructions and settings for rxpi',
    kind: 'other' as const,
    status: 'pending' as const,
    content: [{ type: 'content' as const, content: { type: 'text' as const, text: folderText(folder) } }],
  }
  return { sessionId, toolCall, options }
}

/** Lists what would run, then the files. */
function folderText({ folder, hooks = [], mcpServers = [], files }: Folder): string {
  const lines = [
    ...hooks.map(({ event, command }) => `runs at ${event}: ${command}`),
    ...mcpServers.map((server) => `${server.command === undefined ? 'connects to' : 'starts'} ${serverText(server)}`),
    ...files.map(({ path, bytes }) => `${path} (${countOf(bytes, 'byte')})`),
  ]
  const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : []
  return [folder, ...lines.slice(0, mostLines), ...more].join('\n')
}
