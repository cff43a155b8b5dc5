// Tests background jobs with real processes: a server goes on beside the calls and ends with its session.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadTerminal } from '../../../lib/host/process/terminal.ts'
import { processesSettled } from '../../../lib/host/process/running-processes.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { tools } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf } from '../../contract/tool-contract.ts'
import { endAll, processesWith, uniqueSeconds } from '../../host/process/processes-with.ts'

let folder: string
let seconds: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-jobs-test-')))
  seconds = uniqueSeconds()
})
afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  const left = processesWith(seconds)
  endAll(seconds)
  rmSync(folder, { recursive: true })
  expect(left).toEqual([])
})

const jobIn = ({ messages }: ProviderRequest): string =>
  /Job (\w+) is running/.exec(JSON.stringify(messages))?.[1] ?? ''

it('a job runs beside the run, is read, and ends with its session [JOBS-session, PORT-jobs]', async () => {
  const events: AgentEvent[] = []
  const command = `echo ready; echo bad >&2; sleep ${seconds}`
  const session = createSession({
    cwd: folder,
    approve: 'auto',
    model: {
      model: scriptedModel,
      provider: scripted([
        { toolCalls: [{ name: 'bash', arguments: { command, background: true } }] },
        (request) => ({ toolCalls: [{ name: 'job_output', arguments: { id: jobIn(request), wait: 5 } }] }),
        'Done',
      ]),
    },
    onEvent: (event) => events.push(event),
  })
  const settled = new Promise((resolve) => session.listen((event) => event.type === 'agent_settled' && resolve(0)))
  await firstValueFrom(session.send({ type: 'prompt', text: 'x' }), { defaultValue: undefined })
  await settled
  const ends = events.filter((event) => event.type === 'tool_execution_end')
  expect(JSON.stringify(ends[1]?.content)).toMatch(/ready.*Job \w+ is running/)
  expect(processesWith(seconds)).not.toEqual([])
  await lastValueFrom(session.close(), { defaultValue: undefined })
  expect(events.find(({ type }) => type === 'job_end')).toMatchObject({ exitCode: null })
})

it('without a session, a background job is refused in words', async () => {
  const result = await resultOf(tools.bash, { command: 'ls', background: true }, testContext(folder))
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('the session has no shell')
})

const hasTerminal = await lastValueFrom(loadTerminal(), { defaultValue: undefined }).then(
  () => true,
  () => false,
)

async function playTerminal() {
  const events: AgentEvent[] = []
  const session = createSession({
    cwd: folder,
    approve: 'auto',
    model: {
      model: scriptedModel,
      provider: scripted([
        { toolCalls: [{ name: 'bash', arguments: { command: 'read -r a; test -t 0 && echo "<$a>"', pty: true } }] },
        (request) => ({ toolCalls: [{ name: 'job_input', arguments: { id: jobIn(request), text: 'hello\n' } }] }),
        'Done',
      ]),
    },
    onEvent: (event) => events.push(event),
  })
  const settled = new Promise((resolve) => session.listen((event) => event.type === 'agent_settled' && resolve(0)))
  await firstValueFrom(session.send({ type: 'prompt', text: 'x' }), { defaultValue: undefined })
  await settled
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return events
}

it.skipIf(!hasTerminal)(
  'a job in a terminal takes input by job_input (package @lydell/node-pty) [JOBS-pty]',
  async () => {
    const events = await playTerminal()
    const ends = events.filter((event) => event.type === 'tool_execution_end')
    expect(events.find(({ type }) => type === 'active_tools_change')).toMatchObject({ by: 'tool' })
    expect(JSON.stringify(ends[1]?.content)).toMatch(/<hello>.*has ended: exit code 0/)
  },
)
