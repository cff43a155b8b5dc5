// What answers on this machine alone is told by its name, which no resolver is asked for.

/** True for `localhost`, 127.0.0.0/8 and `[::1]`, as they stand in a URL. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
}
