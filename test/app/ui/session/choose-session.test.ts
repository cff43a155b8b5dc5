// Tests which session the UI opens at its start.
import { lastValueFrom, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { chooseSession } from '../../../../app/ui/session/choose-session.ts'
import type { ChosenSession } from '../../../../app/ui/session/choose-session.ts'
import type { SessionChoice } from '../../../../app/cli/invocation.ts'
import type { ReconnectingClient } from '../../../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'

interface Place {
  readonly sessions?: readonly object[]
  readonly clients?: number
  readonly broken?: boolean
}

/** Returns the requests to a server that has these sessions, and the choice. */
async function chosen(choice: Partial<SessionChoice>, { sessions = [], clients = 1, broken = false }: Place) {
  const asked: string[] = []
  const request$ = (command: { readonly type: string; readonly session?: string }): Observable<unknown> => {
    asked.push([command.type, command.session].filter((word) => word !== undefined).join(' '))
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
  return { what, note: 'note' in result ? result.note : undefined, asked }
}

const rests = { id: 'rests', messages: 3, live: { running: false, asking: 0 } }
const closed = { id: 'closed', messages: 3 }
const empty = { id: 'empty', messages: 0 }
const runs = { id: 'runs', messages: 0, live: { running: true, asking: 0 } }
const asks = { id: 'asks', messages: 2, live: { running: true, asking: 1 } }

describe('the session that the UI begins with', () => {
  it.each<[string, Partial<SessionChoice>, Place, string]>([
    ['a new one', {}, {}, 'opened new'],
    ['a new one beside those that rest', {}, { sessions: [rests, closed] }, 'opened new'],
    ['offered where runs are on or questions wait', {}, { sessions: [rests, runs, asks] }, 'runs asks'],
    ['the one that was begun and left without a word', {}, { sessions: [empty, rests] }, 'opened empty'],
    ['not that where somebody else may have it open', {}, { sessions: [empty], clients: 2 }, 'opened new'],
    ['not that where something special is wanted', { model: 'p/m' }, { sessions: [empty] }, 'opened new'],
    ['not that where it cannot be opened', {}, { sessions: [empty], broken: true }, 'opened new'],
    ['the latest that has content', { from: 'latest' }, { sessions: [empty, rests] }, 'opened rests'],
    ['the latest, also while it runs', { from: 'latest' }, { sessions: [runs, rests] }, 'opened runs'],
    [
      'the one that was switched to',
      { from: 'latest' },
      { sessions: [empty, rests, { ...closed, isLatest: true }] },
      'opened closed',
    ],
    [
      'what has content where the latest has none',
      { from: 'latest' },
      { sessions: [{ ...empty, isLatest: true }, rests] },
      'opened rests',
    ],
    ['a new one where there is no earlier one', { from: 'latest' }, { sessions: [empty] }, 'opened new'],
    ['the one that is named', { from: { session: 'named' } }, { sessions: [runs] }, 'opened named'],
    ['one that is not kept', { from: 'unstored' }, { sessions: [runs] }, 'opened new'],
  ])('is %s [CLI-first]', async (_, choice, place, what) => {
    expect((await chosen(choice, place)).what).toBe(what)
  })

  it('says that there was none to go on with', async () => {
    expect((await chosen({ from: 'latest' }, {})).note).toContain('no earlier session')
  })

  it('looks at no list where it was named', async () => {
    expect((await chosen({ from: { session: 'named' } }, {})).asked).toEqual(['open_session named'])
  })
})
