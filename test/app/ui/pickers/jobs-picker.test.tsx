// Tests the list of jobs and the page with the output of one.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { defer, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectedAgain, pollServer } from '../../../../app/ui/commands/poll-server.ts'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { Pages } from '../../../../app/ui/pages/pages.tsx'
import { jobRowsOf } from '../../../../app/ui/pickers/jobs-picker.tsx'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { Overlay, View } from '../../../../app/ui/view/view.ts'
import { behavior } from '../../../../lib/streams/rx/behavior.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const session = 'abcdefghij23'
const dev = { jobId: 'aaaaaaaa', command: 'npm run dev', toolCallId: 'c1', pty: false, running: true, startedAt: 1_000 }
const test = { ...dev, jobId: 'bbbbbbbb', command: 'make test', running: false, exitCode: 2, durationMs: 3_000 }
const [enter, escape, ctrlD] = ['\r', '\u001b', '\u0004']

function shown(overlay: Overlay, answers: Readonly<Record<string, unknown>>) {
  const view = { ...emptyView(), session: { id: session, cwd: '/p', title: '' }, overlay }
  const { ui, requests, notices } = fakeUi({ view, answers })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Overlays view={view} columns={60} rows={12} />
        <Pages view={view} columns={60} height={8} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  const press = async (key: string): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    drawn.stdin.write(key)
  }
  return { requests, notices, text, press }
}

const list = { name: 'picker', picker: 'jobs' } as const

describe('the list of jobs', () => {
  it('shows running jobs first, with their time, their end and their owner [PANEL-jobs]', () => {
    const { toolCallId: _, ...mine } = test
    const own = { ...mine, jobId: 'cccccccc', command: 'ls', exitCode: null }
    const rows = jobRowsOf([test, dev, own], 61_000)
    expect(rows.map(({ mark, label, second, hint }) => [mark, label, second, hint])).toEqual([
      ['◐', 'npm run dev', 'for 1 min', 'of the agent · aaaaaaaa'],
      ['✗', 'ls', 'killed after 3.0 s', 'yours · cccccccc'],
      ['✗', 'make test', 'exit 2 after 3.0 s', 'of the agent · bbbbbbbb'],
    ])
  })

  it('ends a job by one key, opens its output by another, and closes [PANEL-jobs]', async () => {
    const { requests, notices, text, press } = shown(list, {
      list_jobs: { jobs: [dev, test] },
      kill_job: { killed: true },
    })
    await vi.waitFor(() => expect(text()).toContain('› ◐ npm run dev'), 10_000)
    await press(ctrlD)
    await vi.waitFor(() => expect(requests).toContainEqual({ type: 'kill_job', session, jobId: 'aaaaaaaa' }), 10_000)
    await press(enter)
    await vi.waitFor(
      () => expect(notices).toEqual([{ type: 'overlay', overlay: { name: 'job', jobId: 'aaaaaaaa' } }]),
      10_000,
    )
    await press(escape)
    await vi.waitFor(() => expect(notices.at(-1)).toEqual({ type: 'overlay' }), 10_000)
  })

  it('says that a job has ended already', async () => {
    const { notices, text, press } = shown(list, { list_jobs: { jobs: [test] }, kill_job: { killed: false } })
    await vi.waitFor(() => expect(text()).toContain('make test'), 10_000)
    await press(ctrlD)
    await vi.waitFor(
      () => expect(notices.at(-1)).toMatchObject({ text: 'This job has ended already: make test' }),
      10_000,
    )
  })
})

describe('the output of a job', () => {
  it('shows command, state and the end of the output, with hidden characters visible [PANEL-jobs]', async () => {
    const content = `${Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')}\n\u001b[2Jready\n`
    const { requests, text, press, notices } = shown(
      { name: 'job', jobId: 'bbbbbbbb' },
      { job_output: { job: test, content, offset: 7, fullOutputPath: '/spill' } },
    )
    await vi.waitFor(() => expect(text()).toContain('␛[2Jready'), 10_000)
    expect(text()).toContain('Job bbbbbbbb · exit 2 after 3.0 s')
    expect(text()).not.toContain('make test')
    await press('\u001b[H')
    await vi.waitFor(() => expect(text()).toContain('make test'), 10_000)
    expect(text().replace(/\s+/g, ' ')).toContain('… 7 earlier characters are gone: the whole output is in /spill')
    expect(requests).toEqual([{ type: 'job_output', session, jobId: 'bbbbbbbb' }]) // not again: it has ended
    await press(escape)
    await vi.waitFor(() => expect(notices).toEqual([{ type: 'overlay' }]), 10_000)
  })

  it('shows why it cannot be read', async () => {
    const { text } = shown(
      { name: 'job', jobId: 'dddddddd' },
      { job_output: new Failure('bad_request', 'There is no job dddddddd') },
    )
    await vi.waitFor(() => expect(text()).toContain('There is no job dddddddd'), 10_000)
  })
})

describe('a page that refreshes itself', () => {
  const lost = new Failure('disconnected', 'The connection was lost')

  function polled(results: readonly unknown[]) {
    let [view, answered] = [emptyView(), 0]
    const jobs$ = defer(() => {
      const result = results[Math.min(answered++, results.length - 1)]
      return result instanceof Failure ? throwError(() => result) : of(result)
    })
    const { ui, requests } = fakeUi({ answers: { list_jobs: jobs$ } })
    const values: unknown[] = []
    const source$ = pollServer({ now: () => view, request: ui.request }, { type: 'list_jobs', session })
    const subscription = source$.subscribe({
      next: (value) => values.push(value),
      error: (error: unknown) => values.push(error),
    })
    return {
      requests,
      values,
      connection: (connection: View['connection']) => (view = { ...view, connection }),
      end: () => subscription.unsubscribe(),
    }
  }

  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it.each(['reconnecting', 'lost', 'stopped'] as const)('asks nothing of a server that is %s', (away) => {
    const { requests, connection, end } = polled([{ jobs: [] }])
    connection('connected')
    vi.advanceTimersByTime(2_500)
    expect(requests).toHaveLength(3)
    connection(away)
    vi.advanceTimersByTime(60_000)
    expect(requests).toHaveLength(3)
    connection('connected')
    vi.advanceTimersByTime(1_000)
    expect(requests).toHaveLength(4)
    end()
  })

  it('asks once when the user opens it, also of a server that was stopped', () => {
    const { requests, connection, end } = polled([{ jobs: [] }])
    connection('stopped')
    vi.advanceTimersByTime(10_000)
    expect(requests).toHaveLength(1)
    end()
  })

  it.each(['reconnecting', 'lost', 'stopped'] as const)('waits for a connection that is %s', (away) => {
    const view = behavior<View>({ ...emptyView(), connection: away })
    let connections = 0
    connectedAgain({ now: () => view.behavior$.value, view$: view.behavior$ }).subscribe(() => (connections += 1))
    vi.advanceTimersByTime(60_000)
    expect(connections).toBe(0)
    view.set({ ...emptyView(), connection: 'connected' })
    view.set(emptyView())
    expect(connections).toBe(1)
  })

  it('goes on after a lost connection, and ends with another failure', () => {
    const refused = new Failure('bad_request', 'no')
    const { requests, values } = polled([lost, { jobs: [] }, refused])
    vi.advanceTimersByTime(10_000)
    expect(values).toEqual([{ jobs: [] }, refused])
    expect(requests).toHaveLength(3)
  })
})
