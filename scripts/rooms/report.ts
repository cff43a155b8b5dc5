// Measures the rooms: largest folder, median file, short files, files with a single importer.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Module } from './folders.ts'
import { housed, isIndex, roomOf, sizes } from './folders.ts'

/** The target of each figure. */
const medians = { streams: 60, operators: 75, session: 90, store: 90, server: 80, providers: 70 }
const singles = { session: 25, store: 25, server: 25, providers: 25 }
const shortLimit = 25

/** Formats a table: one figure a line, beside its target. */
export function report(modules: readonly Module[], root: string): string {
  const own = housed(modules)
  const lines = new Map(own.map(({ source }) => [source, lineCount(path.join(root, source))]))
  const [folder = '', most = 0] = [...sizes(own)].sort(([, one], [, other]) => other - one)[0] ?? []
  const lib = own.filter(({ source }) => source.startsWith('lib/'))
  const short = lib.filter(({ source }) => (lines.get(source) ?? 0) <= 40).length
  const rows = [
    row('largest folder', `${most} files (${folder})`, '≤ 20'),
    ...Object.entries(medians).map(([room, target]) =>
      row(
        `median file of ${room}`,
        `${median(inRoom(lib, room).map(({ source }) => lines.get(source) ?? 0))} lines`,
        `${target}`,
      ),
    ),
    row('files of at most 40 lines in lib', `${Math.round((100 * short) / lib.length)} %`, `≤ ${shortLimit} %`),
    ...Object.entries(singles).map(([room, target]) =>
      row(`files of ${room} with a single importer`, `${singleImporter(inRoom(lib, room), modules)}`, `≤ ${target}`),
    ),
    row('files in lib', `${lib.length}`, ''),
  ]
  return rows.join('\n')
}

function row(name: string, value: string, target: string): string {
  return `${name.padEnd(44)} ${value.padEnd(36)} ${target}`.trimEnd()
}

function inRoom(modules: readonly Module[], room: string): readonly Module[] {
  return modules.filter(({ source }) => roomOf(source) === `lib/${room}`)
}

function lineCount(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/**
 * Returns files with exactly one importer in their room: candidates for folding. Tests, benchmarks and indexes do not
 * count.
 */
function singleImporter(files: readonly Module[], all: readonly Module[]): number {
  return files.filter(({ source }) => {
    const importers = all.filter(
      (each) => each.imports.includes(source) && !/^(?:test|bench|scripts)\//.test(each.source),
    )
    const [only] = importers
    return (
      only !== undefined && importers.length === 1 && !isIndex(only.source) && roomOf(only.source) === roomOf(source)
    )
  }).length
}
