// Tests that people list and read the jobs of tools and their own commands, in virtual time.
import { concat, map, of, takeUntil, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { JobOutput } from '../../../lib/streams/ports/jobs.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../../support/virtual-session.ts'
import { builtInTools } from '../../../lib/tools/index.ts'

/** Prints the command, and `b` and its end after a second. */
const shellOf = (): UserShell => (command, endWhen$) =>
  concat(
    of({ type: 'output', content: command, offset: 0 } as const),
    timer(1_000).pipe(map(() => ({ type: 'output', content: 'b', offset: command.length }) as const)),
    of({ type: 'end', output: `${command}b`, exitCode: 3, truncated: false } as const),
  ).pipe(takeUntil(endWhen$))

const play = (scene: Partial<SessionScene>): PlayedSession =>
  playSession({
    script: [{ toolCalls: [{ name: 'bash', arguments: { command: 'dev', background: true } }] }, 'Started'],
    prompt: 'x',
    tools: builtInTools(),
    userShell: shellOf(),
    ...scene,
  })
const ownCommand = ({ send }: SessionControl) => send({ type: 'user_bash', command: 'own' })

describe('the jobs of a session', () => {
  it('are those of tools and of the user, in the order of their starts [COMMAND-list_jobs]', () => {
    const scene = play({ at: { 500: ownCommand } })
    expect(scene.session.jobs.list()).toEqual([
      {
        jobId: expect.any(String) as string,
        command: 'dev',
        toolCallId: expect.any(String) as string,
        pty: false,
        running: false,
        startedAt: 0,
        exitCode: 3,
        durationMs: 1_000,
      },
      {
        jobId: expect.any(String) as string,
        command: 'own',
        pty: false,
        running: false,
        startedAt: 500,
        exitCode: 3,
        durationMs: 1_000,
      },
    ])
  })

  it('are read while they run, and wait for more [COMMAND-list_jobs]', () => {
    const outputs: JobOutput[] = []
    const read =
      (after: number, waitMs: number) =>
      ({ session }: SessionControl) => {
        const jobId = session.jobs.list()[1]?.jobId ?? ''
        session.jobs.output(jobId, { after, waitMs }).subscribe((output) => outputs.push(output))
      }
    play({ at: { 500: ownCommand, 600: read(0, 0), 700: read(3, 100), 900: read(3, 5_000) } })
    expect(outputs.map(({ content, offset }) => [content, offset])).toEqual([
      ['own', 0],
      ['', 3],
      ['b', 3],
    ])
  })

  it('keep their end for the model when a person waits for it [JOBS-end]', () => {
    const scene = play({
      at: {
        10: ({ session }) => session.jobs.output(session.jobs.list()[0]?.jobId ?? '', { waitMs: 5_000 }).subscribe(),
      },
    })
    expect(scene.events.find(({ type }) => type === 'job_end')).toHaveProperty('message')
  })

  it('that ended are forgotten behind the last sixteen [COMMAND-list_jobs]', () => {
    const at = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index * 2_000 + 1, ownCommand]))
    const scene = play({ script: [], prompt: undefined, at } as unknown as Partial<SessionScene>)
    expect(scene.session.jobs.list()).toHaveLength(16)
  })

  it('that are unknown are refused with those there are [COMMAND-list_jobs]', () => {
    const failures: unknown[] = []
    const scene = play({})
    scene.session.jobs.output('nope').subscribe({ error: (failure: unknown) => failures.push(failure) })
    const [job] = scene.session.jobs.list()
    expect(failures).toMatchObject([
      { code: 'bad_request', message: `There is no job nope; jobs: ${job?.jobId ?? ''}` },
    ])
  })
})
