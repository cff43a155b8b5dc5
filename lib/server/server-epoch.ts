// Each life of a server has a name of its own, by which its clients see that it has been started anew.

/**
 * 10 letters and digits. They need not be hard to guess, only others every time, so they are not drawn from `crypto`: that takes 4 ms
 * to load, which a server has not to do before it listens.
 */
export function serverEpoch(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0')
}
