// Tests which session the UI opens at its start.
import { lastValueFrom, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { chooseSession } from '../../../../app/ui/session/choose-session.ts'
import type { ChosenSession } from '../../../../app/ui/session/choose-session.ts'
import type { SessionChoice } from '../../../../app/cli/invocation.ts'
import type { ReconnectingClient } from '../../../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'

interface Workspace {
  readonly sessions?: readonly object[]
  readonly clients?: number
  readonly broken?: boolean
}

/** Returns the requests to a server that has these sessions, and the choice. */
async function chosen(choice: Partial<SessionChoice>, { sessions = [], clients = 1, broken = false }: Workspace) {
  const requests: string[] = []
  const request$ = (command: { readonly type: string; readonly session?: string }): Observable<unknown> => {
    requests.push([command.type, command.session].filter((word) => word !== undefined).join(' '))
    switch (command.type) {
      case 'list_sessions':
        return of({ sessions })
      case 'server_status':
        return of({ clients })
      case 'open_session':
        return broken ? throwError(() => new Failure('read_only', 'damaged')) : of({ session: command.session })
      default:
        return of({ session: 'new' })
    }
  }
  const client = { request: request$ } as unknown as Pick<ReconnectingClient, 'request'>
  const result: ChosenSession = await lastValueFrom(chooseSession(client, { cwd: '/x', from: 'new', ...choice }, {}), {
    defaultValue: { offers: [] },
  })
  const what = 'offers' in result ? result.offers.map(({ id }) => id).join(' ') : `opened ${result.opened.session}`
  return { what, note: 'note' in result ? result.note : undefined, requests }
}

const rests = { id: 'rests', messages: 3, live: { running: false, asking: 0 } }
const closed = { id: 'closed', messages: 3 }
const empty = { id: 'empty', messages: 0 }
const runs = { id: 'runs', messages: 0, live: { running: true, asking: 0 } }
const asks = { id: 'asks', messages: 2, live: { running: true, asking: 1 } }

describe('chooseSession', () => {
  it.each<[string, Partial<SessionChoice>, Workspace, string]>([
    ['a new session', {}, {}, 'opened new'],
    ['a new session if the others are idle', {}, { sessions: [rests, closed] }, 'opened new'],
    ['offered sessions with an active run or an open question', {}, { sessions: [rests, runs, asks] }, 'runs asks'],
    ['the latest session if it is empty', {}, { sessions: [empty, rests] }, 'opened empty'],
    [
      'a new session if another client may have the empty one open',
      {},
      { sessions: [empty], clients: 2 },
      'opened new',
    ],
    ['a new session if the command line sets options', { model: 'p/m' }, { sessions: [empty] }, 'opened new'],
    ['a new session for any option, such as trust', { trust: true }, { sessions: [empty] }, 'opened new'],
    ['a new session if the empty one cannot be opened', {}, { sessions: [empty], broken: true }, 'opened new'],
    ['the latest that has content', { from: 'latest' }, { sessions: [empty, rests] }, 'opened rests'],
    ['the latest, also while it runs', { from: 'latest' }, { sessions: [runs, rests] }, 'opened runs'],
    [
      'the session that was switched to',
      { from: 'latest' },
      { sessions: [empty, rests, { ...closed, isLatest: true }] },
      'opened closed',
    ],
    [
      'the latest session with messages if the last one has none',
      { from: 'latest' },
      { sessions: [{ ...empty, isLatest: true }, rests] },
      'opened rests',
    ],
    ['a new session if there is no earlier one', { from: 'latest' }, { sessions: [empty] }, 'opened new'],
    ['the named session', { from: { session: 'named' } }, { sessions: [runs] }, 'opened named'],
    ['a session that is not stored', { from: 'unstored' }, { sessions: [runs] }, 'opened new'],
  ])('returns %s [CLI-first]', async (_, choice, workspace, what) => {
    expect((await chosen(choice, workspace)).what).toBe(what)
  })

  it('notes that there was no session to continue', async () => {
    expect((await chosen({ from: 'latest' }, {})).note).toContain('no earlier session')
  })

  it('requests no list if the session is named', async () => {
    expect((await chosen({ from: { session: 'named' } }, {})).requests).toEqual(['open_session named'])
  })
})
