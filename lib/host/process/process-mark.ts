// Whatever a tool starts carries a mark in its environment that nobody else has: what is ours is known by it, also as an orphan.

let processPrefix: string | undefined
let calls = 0

/**
 * The beginning of the names of all marks of this process: 128 random bits, drawn on first use. Marks are names of
 * variables, not values: an rxpi that runs inside a call of another adds its own and keeps the outer ones.
 */
export function processMarkPrefix(): string {
  // not node:crypto, which takes 3 ms to load
  processPrefix ??= `RXPI_CALL_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}_`
  return processPrefix
}

/** The name of the variable that marks one more call; its value says nothing. */
export function nextCallMark(): string {
  calls += 1
  return `${processMarkPrefix()}${calls}`
}
