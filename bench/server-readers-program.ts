// Reads like many clients, as cheaply as possible: counts lines and bytes, parses the last line.
//
// Arguments: a socket; the number of clients; a session to attach to, or nothing; the number of them that stop reading;
// the number of deltas after which a reading client ends: 0 = until the session has settled, as stopped clients always
// do. Prints `ready`, then one line of JSON when all reading clients have ended, and another one when the stopped
// clients have ended too; a line on standard input resumes them.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface ReadersFigures {
  readonly lines: number
  readonly bytes: number
  /** Of the clients that stopped: notices that they lag, and whether each had every line of the log once. */
  readonly lagging: number
  readonly whole: boolean
}

interface Reader {
  readonly socket: Socket
  lines: number
  bytes: number
  deltas: number
  lagging: number
  /** The last `seq`. */
  seq: number
  /** A line of the log was missing or repeated. */
  broken: boolean
  rest: Uint8Array
  readonly ended: Promise<undefined>
}

const [path = '', count = '1', session = '', stopping = '0', lastDelta = '0'] = process.argv.slice(2)
const lineFeed = 10
const nothing = Buffer.alloc(0)
const lastLine = '"type":"agent_settled"'

const readers: Reader[] = []
for (let index = 0; index < Number(count); index++) readers.push(await reader())
const stopped = readers.slice(0, Number(stopping))
for (const { socket } of stopped) socket.pause()
process.stdout.write('ready\n')
await finished(readers.slice(stopped.length))
if (stopped.length > 0) {
  await once(process.stdin, 'data')
  for (const { socket } of stopped) socket.resume()
  await finished(stopped)
}
for (const { socket } of readers) socket.destroy()
process.stdin.destroy()

async function finished(which: readonly Reader[]): Promise<void> {
  await Promise.all(which.map(({ ended }) => ended))
  const sum = (of: (each: Reader) => number): number => which.reduce((total, each) => total + of(each), 0)
  const figures: ReadersFigures = {
    lines: sum(({ lines }) => lines),
    bytes: sum(({ bytes }) => bytes),
    lagging: sum(({ lagging }) => lagging),
    whole: which.every(({ broken }) => !broken),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

async function reader(): Promise<Reader> {
  const socket = connect(path)
  await once(socket, 'connect')
  const ended = Promise.withResolvers<undefined>()
  const self: Reader = {
    socket,
    lines: 0,
    bytes: 0,
    deltas: 0,
    lagging: 0,
    seq: 0,
    broken: false,
    rest: nothing,
    ended: ended.promise,
  }
  const attached = Promise.withResolvers<undefined>()
  socket.on('data', (chunk: Buffer) => {
    self.bytes += chunk.length
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      const piece = chunk.subarray(from, end)
      take(
        self,
        self.rest.length === 0 ? piece : Buffer.concat([self.rest, piece]),
        () => attached.resolve(undefined),
        () => ended.resolve(undefined),
      )
      self.rest = nothing
      from = end + 1
    }
    // the beginning of a long line is enough
    if (from < chunk.length && self.rest.length < 4_096) self.rest = Buffer.concat([self.rest, chunk.subarray(from)])
  })
  if (session === '') return self
  socket.write(`${JSON.stringify({ v: 1, id: '1', type: 'attach', session, after: 0 })}\n`)
  await attached.promise
  return self
}

/** Deltas are only counted. */
function take(self: Reader, line: Uint8Array, attached: () => void, ended: () => void): void {
  self.lines += 1
  if (line[9] === 0x64) {
    // {"type":"delta"
    self.deltas += 1
    if (self.deltas === Number(lastDelta)) ended()
    return
  }
  const text = Buffer.from(line.subarray(0, 200)).toString() // the searched text is short, or at the beginning
  if (text.includes('"type":"response"')) attached()
  if (text.includes('"type":"lagging"')) self.lagging += 1
  const seq = Number(/^\{"v":1,"type":"event","session":"[^"]+","seq":(\d+)/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isNaN(seq)) {
    if (seq !== self.seq + 1) self.broken = true
    self.seq = seq
  }
  if (text.includes(lastLine)) ended()
}
