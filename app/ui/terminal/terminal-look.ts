// Detects the terminal's colours and background, with a short time limit.
import { Observable } from 'rxjs'
import type { Colours } from '../theme/theme.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** From the terminal's variables; `NO_COLOR` leaves attributes such as bold. */
export function coloursOf({ NO_COLOR = '', TERM = '', COLORTERM = '', TERM_PROGRAM = '' }: Variables): Colours {
  if (TERM === 'dumb') return 'plain'
  if (NO_COLOR !== '') return 'none'
  const many = /256|direct|kitty|ghostty|alacritty/.test(TERM) || COLORTERM !== '' || TERM_PROGRAM !== ''
  return many ? 'many' : 'basic'
}

/** From `COLORFGBG`: its last number is the background. */
export function backgroundIn({ COLORFGBG = '' }: Variables): 'dark' | 'light' | undefined {
  const [, number] = /;(\d+)$/.exec(COLORFGBG) ?? []
  if (number === undefined) return undefined
  return Number(number) === 7 || Number(number) >= 9 ? 'light' : 'dark'
}

/** The part of a terminal input that it uses. */
export interface RawInput {
  setRawMode(isRaw: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  off(event: 'data', listener: (chunk: Buffer) => void): unknown
  pause(): unknown
  unshift(chunk: Buffer): unknown
}

/**
 * Requests the background (OSC 11), then the device attributes (DA1), which every terminal answers: no answer follows
 * that one.
 */
const backgroundQuery = '\u001b]11;?\u0007\u001b[c'

/**
 * Queries the terminal; emits once, undefined without an answer within `withinMs`, and completes. Puts keys typed
 * meanwhile back into the input.
 */
export function askBackground(
  input: RawInput,
  output: { write(text: string): unknown },
  withinMs = 150,
): Observable<'dark' | 'light' | undefined> {
  return new Observable((subscriber) => {
    let received = ''
    const end = (): void => {
      const look = backgroundOf(received)
      subscriber.next(look)
      subscriber.complete()
    }
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      if (deviceAnswer.test(received)) end()
    }
    const timer = setTimeout(end, withinMs)
    input.setRawMode(true)
    input.on('data', onData)
    output.write(backgroundQuery)
    return () => {
      clearTimeout(timer)
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
      const typed = received.replace(colourAnswer, '').replace(deviceAnswer, '')
      if (typed !== '') input.unshift(Buffer.from(typed, 'latin1'))
    }
  })
}

const colourAnswer = /\u001b\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)[^\u0007\u001b]*(?:\u0007|\u001b\\)/i
const deviceAnswer = /\u001b\[\?[\d;]*c/

function backgroundOf(heard: string): 'dark' | 'light' | undefined {
  const answer = colourAnswer.exec(heard)
  if (answer === null) return undefined
  const [red = 0, green = 0, blue = 0] = answer.slice(1).map((hex) => parseInt(hex, 16) / (16 ** hex.length - 1))
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark'
}
