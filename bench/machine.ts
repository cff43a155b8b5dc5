// Describes the machine of a run, since figures depend on it.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly platform: string
  readonly node: string
  /** Of the minute before the run: much more than 0 means that other work runs, and figures are too high. */
  readonly load: number
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    load: loadavg()[0] ?? 0,
  }
}

/** One line. */
export function machineText({ cpu, cores, memoryGiB, platform, node, load }: Machine): string {
  return `${cpu} · ${cores} cores · ${memoryGiB} GiB · ${platform} · Node ${node} · load ${load.toFixed(1)}`
}
