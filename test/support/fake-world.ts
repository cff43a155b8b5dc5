// A command's surroundings in memory: it records outputs and emits the signals of the test.
import { Writable } from 'node:stream'
import { EMPTY, Subject } from 'rxjs'
import type { Observable } from 'rxjs'
import { embedServer } from '../../lib/server/machine-server.ts'
import { createOutput } from '../../app/process/output.ts'
import type { World } from '../../app/process/world.ts'
import type { Signal } from '../../app/process/exit-code.ts'
import { fakeBackend } from './fake-backend.ts'
import type { FakeBackend, FakeBackendOptions } from './fake-backend.ts'

/** A stream that records its writes; while it is held, it accepts nothing. */
export interface RecordingStream extends Writable {
  isTTY?: boolean
  readonly written: string
  hold(): void
  release(): void
  /** Fails the next write. */
  breakWith(code: string): void
}

export function recordingStream({ isTTY = false } = {}): RecordingStream {
  let written = ''
  let held: (() => void)[] | undefined
  let broken: string | undefined
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const take = (): void => {
        if (broken !== undefined) {
          done(Object.assign(new Error(`write ${broken}`), { code: broken }))
          return
        }
        written += chunk
        done()
      }
      if (held === undefined) take()
      else held.push(take)
    },
  })
  return Object.defineProperties(stream as RecordingStream, {
    isTTY: { value: isTTY },
    written: { get: () => written },
    hold: { value: () => (held ??= []) },
    release: {
      value: () => {
        const waiting = held ?? []
        held = undefined
        for (const take of waiting) take()
      },
    },
    breakWith: { value: (code: string) => (broken = code) },
  })
}

export interface FakeWorldOptions extends FakeBackendOptions {
  /** The piped input; default: none. */
  readonly stdin$?: Observable<Uint8Array>
  /** Which of stdout and stderr are terminals. */
  readonly terminals?: readonly ('stdout' | 'stderr')[]
  readonly colours?: boolean
  /** The width of a terminal. */
  readonly columns?: number
}

export interface FakeWorld {
  readonly world: World
  readonly host: FakeBackend
  readonly stdout: RecordingStream
  readonly stderr: RecordingStream
  signal(signal: Signal): void
}

export function fakeWorld(options: FakeWorldOptions = {}): FakeWorld {
  const { stdin$, terminals = [], colours = false, columns, ...hostOptions } = options
  const host = fakeBackend(hostOptions)
  const stdout = recordingStream({ isTTY: terminals.includes('stdout') })
  if (columns !== undefined) Object.defineProperty(stdout, 'columns', { value: columns })
  const stderr = recordingStream({ isTTY: terminals.includes('stderr') })
  const signals$ = new Subject<Signal>()
  const world: World = {
    env: { HOME: '/home/me' },
    stdin: { isEmpty: stdin$ === undefined, chunks$: stdin$ ?? EMPTY },
    stdout: createOutput({ stream: stdout, name: 'standard output', colours }),
    stderr: createOutput({ stream: stderr, name: 'standard error', colours }),
    signals$,
    client: embedServer({ host, version: '1' }).client,
  }
  return {
    world,
    host,
    stdout,
    stderr,
    signal: (signal) => {
      signals$.next(signal)
    },
  }
}
