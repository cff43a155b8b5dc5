// Reporter of dependency-cruiser: faults of the import table, then faults of the folders.
import process from 'node:process'
import type { ICruiseResult } from 'dependency-cruiser'
import { folderFaults } from './folders.ts'
import type { Module } from './folders.ts'
import { report } from './report.ts'

/** Exit code 1 if there is a fault. With RXPI_ROOMS_REPORT in the environment the figures of the rooms come first. */
export default function rooms({ modules, summary }: ICruiseResult): { output: string; exitCode: number } {
  const own: readonly Module[] = modules
    .filter(({ coreModule, couldNotResolve }) => coreModule !== true && couldNotResolve !== true)
    .map(({ source, dependencies }) => ({ source, imports: dependencies.map(({ resolved }) => resolved) }))
  const imports = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  const folders = folderFaults(own).map(({ rule, message }) => `${rule}: ${message}`)
  const faults = [...imports, ...folders]
  const figures = process.env.RXPI_ROOMS_REPORT === undefined ? [] : [report(own, process.cwd()), '']
  const verdict = faults.length === 0 ? `no fault in ${own.length} modules` : `${faults.length} faults`
  return { output: [...figures, ...faults, verdict, ''].join('\n'), exitCode: faults.length === 0 ? 0 : 1 }
}
