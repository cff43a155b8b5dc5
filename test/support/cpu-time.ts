// Measures the CPU time of this process: a clock also counts what other programs of the machine take.

/** Milliseconds of CPU time since the start of the process, of all its threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
