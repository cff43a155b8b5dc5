// Words the first lines of the screen: version, model, source of its key, folder, approvals, keys.
import { homedir } from 'node:os'
import { catchError, defaultIfEmpty, forkJoin, map, of, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { gitBranch } from '../../../lib/server/launch/app-files.ts'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import { explainedSandbox } from '../../commands/policy/explained-sandbox.ts'
import { version } from '../../process/version.ts'
import { shortenFolder } from '../../text/short-folder.ts'
import type { ViewInput } from '../view/view-input.ts'

type Key = ResultOf<'auth_list'>['providers'][number]['keys'][number]
type Opened = Pick<ResultOf<'open_session'>, 'header' | 'model'>

/** Milliseconds for the source of the key; without an answer the screen does not name it. */
const keyTimeoutMs = 1_000

const noModel = 'no model: /login signs in or stores a key, /model chooses one'

/** Emits the input once and completes; never fails. */
export function firstScreen(
  client: Pick<ReconnectingClient, 'request'>,
  { header, model }: Opened,
  env: Readonly<Record<string, string>>,
  { sandbox }: Pick<SessionChoice, 'sandbox'> = {},
): Observable<ViewInput> {
  const { cwd } = header
  const key$ = model === null ? of(undefined) : usedKey(client, { cwd, env: { ...env }, provider: model.provider })
  const safety$ = safetyLine(client, { cwd, env: { ...env }, session: header.id }, sandbox)
  return forkJoin([key$, safety$]).pipe(
    map(([key, safety]): ViewInput => {
      const branch = gitBranch(cwd)
      const folder = shortenFolder(cwd, homedir())
      const source = key === undefined ? '' : ` · ${keySource(key)}`
      return {
        type: 'welcome',
        title: `rxpi ${version} · ${model === null ? noModel : modelName(model)}${source}`,
        lines: [
          branch === undefined ? folder : `${folder} (${branch})`,
          safety,
          'Stop a run with Esc, take its changes back with /undo; ? shows the keys',
        ],
      }
    }),
  )
}

/** Says which calls ask, by the mode of the session and whether a sandbox confines its tools. */
function safetyLine(
  client: Pick<ReconnectingClient, 'request'>,
  { session, ...surroundings }: Pick<CommandNamed<'policy_explain'>, 'cwd' | 'env'> & { readonly session: string },
  sandbox: SessionChoice['sandbox'],
): Observable<string> {
  const call = { tool: 'bash', args: { command: 'true' } }
  return forkJoin({
    status: client.request({ type: 'get_state', session }),
    verdict: client.request({ type: 'policy_explain', ...surroundings, ...call, ...explainedSandbox(sandbox) }),
  }).pipe(
    timeout(keyTimeoutMs),
    map(({ status: { approvalMode: mode }, verdict: { sandboxed } }) => safetyOf(mode, sandboxed)),
    catchError(() => of(unknownSafety)),
    defaultIfEmpty(unknownSafety),
  )
}

const unknownSafety = '/approve shows which calls ask you'

function safetyOf(mode: string | undefined, sandboxed: boolean): string {
  if (mode === 'ask') return 'Changes and commands ask you each time (/approve)'
  if (sandboxed) return 'Tools work in a sandbox; leaving it asks you (/approve)'
  if (mode === 'auto') return 'Nothing asks, and there is no sandbox: tools have your rights (/approve)'
  return 'No sandbox here: changes and commands ask you (/approve)'
}

/** Emits undefined for a provider without keys, and for a slow server. */
function usedKey(
  client: Pick<ReconnectingClient, 'request'>,
  command: Omit<CommandNamed<'auth_list'>, 'type'>,
): Observable<Key | undefined> {
  return client.request({ type: 'auth_list', ...command }).pipe(
    timeout(keyTimeoutMs),
    map(({ providers }) => providers.flatMap(({ keys }) => keys).find(({ used }) => used)),
    catchError(() => of(undefined)),
  )
}

/** Where the key is from; never the key. */
function keySource({ from, name = 'the environment', ofServer = false }: Key): string {
  switch (from) {
    case 'environment':
      return ofServer ? `key from ${name} of the server's start` : `key from ${name}`
    case 'keychain':
      return 'key from the keychain'
    case 'file':
      return 'key stored by rxpi'
    case 'models':
      return 'key from models.json'
    default:
      return `key from ${String(from)}`
  }
}
