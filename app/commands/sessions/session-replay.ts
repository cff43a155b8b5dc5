// Runs `rxpi sessions replay`: plays prompts and answers, or the log's lines, at recorded speed.
import { connect, filter, ignoreElements, map, merge, mergeMap, take, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import { exitCodeOfFailure } from '../../process/exit-code.ts'
import type { ReplayInvocation } from '../../cli/invocation.ts'
import { paceEvents } from '../pace-events.ts'
import { report } from '../../process/progress.ts'
import { reportProgress } from '../../text/run-progress.ts'
import { createReplayPrinter } from '../../text/replay-text.ts'
import type { World } from '../../process/world.ts'

/** Emits the exit code when the replay ends or stdout has no reader any more. */
export function printReplay(invocation: ReplayInvocation, world: World): Observable<number> {
  const { client, stdout, stderr } = world
  const { target, speed, maxPauseMs, json } = invocation
  const command: CommandNamed<'replay_session'> = {
    type: 'replay_session',
    ...target,
    ...(speed === undefined ? {} : { speed }),
    ...(maxPauseMs === undefined ? {} : { maxPauseMs }),
  }
  return client.request(command).pipe(
    tap(({ notices }) => notices.forEach(({ message }) => report(stderr, message))),
    mergeMap(({ session }) => paceEvents({ client, stdout, session, from: { after: 0 }, deltas: !json })),
    connect((events$) => {
      const shown$ = events$.pipe(tap(json ? printLines(world) : printText(world)), ignoreElements())
      return merge(shown$, waitForEnd(events$, world), stdout.broken$.pipe(map(() => 0)))
    }),
    take(1),
  )
}

function printLines({ stdout }: World): (event: ClientEvent) => void {
  return (event) => {
    if (event.type === 'attached') stdout.json(JSON.stringify(event.header))
    if (event.type === 'event' && event.line !== undefined) stdout.json(event.line)
  }
}

function printText({ stdout, stderr }: World): (event: ClientEvent) => void {
  const watch = reportProgress(stderr)
  const print = createReplayPrinter(stdout)
  return (received) => {
    if (received.type !== 'event') return
    print(received.event)
    watch(received.event)
  }
}

/** Emits the exit code at the end of the replay and prints the reason. */
function waitForEnd(events$: Observable<ClientEvent>, { stderr }: World): Observable<number> {
  return events$.pipe(
    map((received) => (received.type === 'event' ? received.event : undefined)),
    filter((event) => event?.type === 'status'),
    filter(({ code, recoverable }) => code === 'replay_ended' || !recoverable),
    map(({ code, message }) => {
      report(stderr, message)
      return code === 'replay_ended' ? 0 : exitCodeOfFailure({ code })
    }),
  )
}
