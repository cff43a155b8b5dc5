// Tests the commands that copy an answer and show the server.
import { describe, expect, it } from 'vitest'
import { runSlashCommand } from '../../../../app/ui/commands/slash-commands.ts'
import { clipboardRefusal, clipboardSequence } from '../../../../app/ui/terminal/clipboard.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const session = { id: 'abcdefghij23', cwd: '/project', title: '' }
const view = { ...emptyView(), session }

const entry = (role: string, text: string) => ({ entryId: text, message: { role, content: [{ type: 'text', text }] } })

describe('/copy', () => {
  it('sends the last answer to the clipboard of the terminal, and says under which condition [SCREEN-copy]', () => {
    const entries = [entry('assistant', 'Older'), entry('assistant', 'Füße'), entry('user', 'Thanks')]
    const answers = { get_state: { headEntryId: 'e' }, get_entries: { entries } }
    const { ui, sequences, notices } = fakeUi({ view, answers })
    runSlashCommand(ui, 'copy', '')
    expect(sequences).toEqual([`\u001b]52;c;${Buffer.from('Füße').toString('base64')}\u0007`])
    const text = 'Copied the last answer (4 characters), if your terminal allows OSC 52'
    expect(notices).toEqual([{ type: 'notice', level: 'success', text }])
  })

  it.each([
    ['there is no answer', { headEntryId: null }, []],
    ['the answer is too long', { headEntryId: 'e' }, [entry('assistant', 'x'.repeat(80_000))]],
  ])('sends nothing if %s, and says so', (_, state, entries) => {
    const { ui, sequences, notices } = fakeUi({ view, answers: { get_state: state, get_entries: { entries } } })
    runSlashCommand(ui, 'copy', '')
    expect([sequences, notices]).toEqual([[], [expect.objectContaining({ level: 'warning' })]])
  })

  it.each([{ TERM_PROGRAM: 'Apple_Terminal' }, { TERM: 'linux' }, { TERM: 'screen.xterm' }])(
    'is refused by %o',
    (env) => {
      expect(clipboardRefusal(env)).toEqual(expect.any(String))
      expect(clipboardRefusal({ TERM: 'xterm-256color' })).toBeUndefined()
      expect(clipboardSequence('')).toBe('\u001b]52;c;\u0007')
    },
  )
})

describe('/status', () => {
  it('names server and socket [SCREEN-first]', () => {
    const found = {
      ...{ pid: 7, version: '1', uptimeMs: 5_000, socket: '/s', clients: 1 },
      ...{ sessions: { open: 1, running: 0 }, memory: { rssBytes: 1_048_576, heapUsedBytes: 0 } },
    }
    const { ui, notices } = fakeUi({ view, answers: { server_status: found } })
    runSlashCommand(ui, 'status', '')
    const text = JSON.stringify(notices)
    expect(text).toContain('process 7, version 1')
    expect(text).toContain('/s')
  })
})
