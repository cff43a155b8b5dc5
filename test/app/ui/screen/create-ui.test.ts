// Tests input that is sent while the UI opens a session.
import { NEVER, Subject, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { withSession } from '../../../../app/ui/commands/ask-server.ts'
import { createUi } from '../../../../app/ui/screen/create-ui.ts'
import { sendInput } from '../../../../app/ui/composer/send-input.ts'
import type { OpenedInput } from '../../../../app/ui/view/view-input.ts'
import type { ReconnectingClient } from '../../../../lib/server/client/reconnecting-client.ts'
import type { Command } from '../../../../lib/streams/commands/command.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'

type Opened = OpenedInput['opened']
const opened = (session: string) => ({ session }) as Opened // the UI reads no other field before it shows the session

/** A UI with a server that answers only prompts. */
function started(answer$: Observable<unknown> = of({ status: 'started', runId: 'abcdefg2' })) {
  const prompts: string[] = []
  const request$ = (command: Command): Observable<unknown> => {
    if (command.type !== 'prompt') return NEVER
    prompts.push(`${command.session}: ${command.text}`)
    return answer$
  }
  const client = { request: request$, events$: () => NEVER, connection$: NEVER } as unknown as ReconnectingClient
  const ui = createUi(client, { cwd: '/somewhere', env: {} })
  const running = ui.runs$.subscribe()
  const notices = () => ui.now().finished.flatMap((item) => (item.kind === 'notice' ? [item.text] : []))
  const say = (text: string): void => {
    sendInput(ui, { text, images: [] }, 'steer')
  }
  return { ui, prompts, notices, say, [Symbol.dispose]: () => running.unsubscribe() }
}

describe('input during the opening of a session', () => {
  it('goes to that session, not to the one before', () => {
    using workspace = started()
    const second$ = new Subject<Opened>()
    workspace.ui.open(of(opened('first')))
    workspace.say('one')
    workspace.ui.open(second$)
    workspace.say('two')
    const commands: string[] = []
    withSession(workspace.ui, (session) => commands.push(session))
    expect([workspace.prompts, commands]).toEqual([['first: one'], []])
    second$.next(opened('second'))
    second$.complete()
    workspace.say('three')
    expect(workspace.prompts).toEqual(['first: one', 'second: two', 'second: three'])
    expect(commands).toEqual(['second'])
  })

  it('returns to the editor if the opening fails, with one notice; the earlier session stays', () => {
    using workspace = started()
    const opening$ = new Subject<Opened>()
    workspace.ui.open(of(opened('first')))
    workspace.ui.open(opening$)
    workspace.say('words')
    opening$.error(new Failure('storage', 'The disk is full'))
    expect(workspace.ui.now().drafts).toMatchObject([{ text: 'words' }])
    expect(workspace.notices()).toEqual(['The disk is full'])
    workspace.say('again')
    expect(workspace.prompts).toEqual(['first: again'])
  })

  it('goes to the later of two openings; input for the earlier returns to the editor', () => {
    using workspace = started()
    const [earlier$, later$] = [new Subject<Opened>(), new Subject<Opened>()]
    workspace.ui.open(earlier$)
    workspace.say('for the earlier')
    workspace.ui.open(later$)
    expect(earlier$.observed).toBe(false)
    workspace.say('for the later')
    later$.next(opened('later'))
    later$.complete()
    expect(workspace.prompts).toEqual(['later: for the later'])
    expect(workspace.ui.now().drafts).toMatchObject([{ text: 'for the earlier' }])
  })

  it('returns to the editor without any session', () => {
    using workspace = started()
    workspace.say('words')
    expect(workspace.ui.now().drafts).toMatchObject([{ text: 'words' }])
    withSession(workspace.ui, () => expect.unreachable())
    expect(workspace.notices()).toEqual(['There is no session yet'])
  })
})

it('counts an input until it is answered, and returns one that was stopped before its run to the editor', () => {
  const answer$ = new Subject<unknown>()
  using workspace = started(answer$)
  const { ui, notices, say } = workspace
  ui.open(of(opened('first')))
  say('words')
  expect([ui.now().sending, ui.now().drafts]).toEqual([1, []])
  answer$.error(new Failure('cancelled', 'An abort came before the run had started'))
  expect(ui.now()).toMatchObject({ sending: 0, drafts: [{ text: 'words' }] })
  expect(notices()).toEqual(['Stopped before the run began: the input is in the editor again'])
})
