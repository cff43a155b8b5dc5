// Reads as many clients would, as cheaply as it can be done: counts lines and bytes, and looks at no more than the last line.
//
// Arguments: a socket; how many clients; a session to attach to, or nothing; how many of them stop reading; how many deltas
// are the last for who reads: 0 = until the session has settled, which who stopped always waits for.
// Says `ready`, then one line of JSON when all who read have had the last, and another when those who stopped, told to go on
// by a line on standard input, have had theirs.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface ReadersFigures {
  readonly lines: number
  readonly bytes: number
  /** Of the clients that stopped: lines that tell that they lag, and whether each had every line of the log once. */
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
  /** A line of the log was missing or came twice. */
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
await told(readers.slice(stopped.length))
if (stopped.length > 0) {
  await once(process.stdin, 'data')
  for (const { socket } of stopped) socket.resume()
  await told(stopped)
}
for (const { socket } of readers) socket.destroy()
process.stdin.destroy()

async function told(which: readonly Reader[]): Promise<void> {
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
    // of a long line its beginning is enough
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
  const text = Buffer.from(line.subarray(0, 200)).toString() // what is looked for is short, or stands at the beginning
  if (text.includes('"type":"response"')) attached()
  if (text.includes('"type":"lagging"')) self.lagging += 1
  const seq = Number(/^\{"v":1,"type":"event","session":"[^"]+","seq":(\d+)/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isNaN(seq)) {
    if (seq !== self.seq + 1) self.broken = true
    self.seq = seq
  }
  if (text.includes(lastLine)) ended()
}
