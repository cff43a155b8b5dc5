// Words the first lines of the screen: version, model, source of its key, folder, and how to stop.
import { homedir } from 'node:os'
import { catchError, map, of, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import { version } from '../../process/version.ts'
import { shortenFolder } from '../../text/short-folder.ts'
import { gitBranch } from '../status/git-branch.ts'
import type { ViewInput } from '../view/view-input.ts'

type Key = ResultOf<'auth_list'>['providers'][number]['keys'][number]
type Opened = Pick<ResultOf<'open_session'>, 'header' | 'model'>

/** Milliseconds for the source of the key; without an answer the screen does not name it. */
const keyTimeoutMs = 1_000

const noModel = 'no model: /login stores a key, /model chooses one'

/** Emits the input once and completes; never fails. */
export function firstScreen(
  client: Pick<ReconnectingClient, 'request'>,
  { header: { cwd }, model }: Opened,
  env: Readonly<Record<string, string>>,
): Observable<ViewInput> {
  const key$ = model === null ? of(undefined) : usedKey(client, { cwd, env: { ...env }, provider: model.provider })
  return key$.pipe(
    map((key): ViewInput => {
      const branch = gitBranch(cwd)
      const folder = shortenFolder(cwd, homedir())
      const source = key === undefined ? '' : ` · ${keySource(key)}`
      return {
        type: 'welcome',
        title: `rxpi ${version} · ${model === null ? noModel : modelName(model)}${source}`,
        lines: [
          branch === undefined ? folder : `${folder} (${branch})`,
          'Tools run without asking, with your rights.',
          'Stop a run with Esc, take its changes back with /undo; ? shows the keys',
        ],
      }
    }),
  )
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
