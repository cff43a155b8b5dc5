// Lists the memory settings of rxpi's processes: allocator variables and V8 flags.
// Each has its effect, its measurement and its off switch.
//
// Readers: the build writes rows `node` and `malloc` into `dist/memory.sh` for `bin/rxpi`; a client that starts a
// server in the background passes the same rows to it; `serve` and `rpc` set rows `v8` themselves.
// Off: `RXPI_WITHOUT=malloc-arenas,heap-growing rxpi serve` leaves these rows out. A `MALLOC_…` variable that the user
// has set wins. Seen on Node 24.21 and glibc 2.36. docs/decisions/0110-build-tricks.md has the figures.

/**
 * `node`: a flag for every process. `malloc`: a variable for servers. `v8`: a flag that a server sets when it starts.
 */
type MemorySettingKind = 'node' | 'malloc' | 'v8'

export interface MemorySetting {
  /** For `RXPI_WITHOUT`. */
  readonly name: string
  readonly kind: MemorySettingKind
  /** The flag or the variable. */
  readonly key: string
  readonly value: string
}

const settings: readonly MemorySetting[] = [
  // MiB of each half of V8's young generation, which grows past 64 MiB while a long session is read.
  // Measured 2026-11-23, opening 100,000 entries (`npm run bench -- sessions`): peak 199 MB with it and 303 without,
  // same time.
  { name: 'young-generation', kind: 'node', key: '--max-semi-space-size', value: '8' },
  // Arenas of glibc's allocator. Each thread of Node has one of its own otherwise, and freed memory stays in it.
  // Measured 2026-11-22, `npm run soak`: without it a busy server grows by 1.5 to 2 MiB a minute, with it not at all.
  { name: 'malloc-arenas', kind: 'malloc', key: 'MALLOC_ARENA_MAX', value: '2' },
  // Bytes from which a piece goes back to the system when it is freed. glibc raises the limit to the largest piece it
  // has freed. Measured 2026-11-23, twenty clients that each leave half a line of 16 MiB: 112 MiB stay with it and
  // `malloc-trim`, 151 without. Measured 2026-11-27, `npm run soak` for two minutes: 355 MiB stay at rest with 128 KiB, 486
  // with 1 MiB.
  { name: 'malloc-pieces', kind: 'malloc', key: 'MALLOC_MMAP_THRESHOLD_', value: '131072' },
  // Bytes free at the end of an arena from which they go back. Same measurement.
  { name: 'malloc-trim', kind: 'malloc', key: 'MALLOC_TRIM_THRESHOLD_', value: '8388608' },
  // Percent of the live heap by which V8's garbage may grow before it marks all of it; V8 takes up to 300.
  // Measured 2026-11-22, `npm run soak`: 205 MiB instead of 310 after six minutes, for the same CPU time; 2026-11-23, a
  // soak of four minutes with half the sessions: 183 instead of 205.
  { name: 'heap-growing', kind: 'v8', key: '--heap-growing-percent', value: '50' },
]

type Environment = Readonly<Record<string, string | undefined>>

/** The settings of a kind that `RXPI_WITHOUT` does not name. */
export function memorySettings(kind: MemorySettingKind, env: Environment): readonly MemorySetting[] {
  return settings.filter((setting) => setting.kind === kind && !isSwitchedOff(setting.name, env))
}

/** Whether `RXPI_WITHOUT`, a list of names with commas, names this setting. */
export function isSwitchedOff(name: string, env: Environment): boolean {
  return (env['RXPI_WITHOUT'] ?? '').split(',').includes(name)
}
