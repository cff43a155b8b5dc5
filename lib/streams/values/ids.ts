// Ids are drawn from the platform's random source; five bits a character, so none is likelier than another.
import type { Ids } from './identifiers.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Ids from `crypto.getRandomValues`, which every runtime of ours has. */
export function randomIds(): Ids {
  const draw = randomText()
  return { session: () => draw(12), short: () => draw(8), request: () => draw(26) }
}

function randomText(): (length: number) => string {
  const pool = new Uint8Array(1024)
  let next = pool.length
  return (length) => {
    let text = ''
    while (text.length < length) {
      if (next === pool.length) {
        crypto.getRandomValues(pool)
        next = 0
      }
      text += alphabet[(pool[next++] ?? 0) & 31] ?? ''
    }
    return text
  }
}
