// Writes docs/conformance.md: each case with the tests that name it; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Chapter } from '../../test/conformance/chapter.ts'
import { chapters } from '../../test/conformance/chapters.ts'
import { taggedTests } from '../checks/tagged-tests.ts'
import type { TaggedTest } from '../checks/tagged-tests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = new URL('../../docs/conformance.md', import.meta.url)

export interface Conformance {
  readonly page: string
  /** Faults between cases and tests; empty if the page is correct. */
  readonly faults: readonly string[]
}

/** The page for these cases and tests, and the faults. */
export function conformance(pageChapters: readonly Chapter[] = chapters, tests = taggedTests(root)): Conformance {
  const shown = testsByCase(tests)
  const cases = pageChapters.flatMap(({ sections }) => sections.flatMap(({ cases: each }) => Object.entries(each)))
  return {
    page: pageOf(pageChapters, shown),
    faults: [
      ...twice(cases.map(([id]) => id)).map((id) => `${id} stands twice in test/conformance`),
      ...misplaced(pageChapters),
      ...cases.flatMap(([id, each]) => faultsOfCase(id, each, shown.get(id) ?? [])),
      ...tests.flatMap((test) => faultsOfTest(test, new Set(cases.map(([id]) => id)))),
    ],
  }
}

type TestsByCase = ReadonlyMap<string, readonly TaggedTest[]>

function testsByCase(tests: readonly TaggedTest[]): TestsByCase {
  const shown = new Map<string, TaggedTest[]>()
  for (const test of tests) for (const id of test.shows) shown.set(id, [...(shown.get(id) ?? []), test])
  return shown
}

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function misplaced(pageChapters: readonly Chapter[]): string[] {
  return pageChapters.flatMap(({ sections }) =>
    sections.flatMap(({ id, cases }) =>
      Object.keys(cases)
        .filter((each) => !each.startsWith(id) || /^\d/.test(each.slice(id.length)))
        .map((each) => `${each} stands under ${id}`),
    ),
  )
}

function faultsOfCase(id: string, each: string, tests: readonly TaggedTest[]): string[] {
  if (tests.length === 0) return [`${id} has no test: ${each}`]
  return tests.every(({ runs }) => runs !== 'always') ? [`${id} has no test that runs everywhere: ${each}`] : []
}

function faultsOfTest({ file, titles, shows, runs }: TaggedTest, known: ReadonlySet<string>): string[] {
  const name = `${file}: ${titles.join(' › ')}`
  const unknown = shows.filter((id) => !known.has(id)).map((id) => `${name} names ${id}, which is no case`)
  return runs === 'never' ? [...unknown, `${name} shows nothing: it is skipped`] : unknown
}

function pageOf(pageChapters: readonly Chapter[], shown: TestsByCase): string {
  const open = pageChapters.flatMap(({ sections }) => sections.flatMap(({ cases }) => Object.values(cases)))
  return [
    '# Promises and their tests',
    '',
    'This page lists each promise of rxpi with the tests that prove it. `npx node scripts/pages/conformance-page.ts` writes it from the cases in',
    '`test/conformance/` and from the titles of the tests. A title ends with the ids of its cases. A test names a case only if it fails when',
    'that promise is broken. [Mutation tests](testing.md#mutation-tests) check that: they break the code and count what the tests notice.',
    'Time and memory are measured instead of tested: [performance.md](performance.md).',
    '',
    `${open.length} cases.`,
    ...pageChapters.flatMap((chapter) => ['', ...chapterLines(chapter, shown)]),
    '',
  ].join('\n')
}

function chapterLines({ title, about, sections }: Chapter, shown: TestsByCase): string[] {
  return [
    `## ${title}`,
    '',
    about,
    ...sections.flatMap((section) => [
      '',
      `### ${section.id}`,
      '',
      section.about,
      '',
      ...Object.entries(section.cases).flatMap(([id, each]) => caseLines(id, each, shown.get(id) ?? [])),
    ]),
  ]
}

function caseLines(id: string, each: string, tests: readonly TaggedTest[]): string[] {
  const files = Map.groupBy(tests, ({ file }) => file)
  return [`- **${id}** ${each}`, ...Array.from(files, ([file, ofFile]) => fileLine(file, ofFile))]
}

function fileLine(file: string, tests: readonly TaggedTest[]): string {
  const name = file.replace(/^test\//, '').replace(/(?:\.test)?\.tsx?$/, '')
  const titles = tests.map(
    ({ titles: each, runs }) => `“${each.join(' › ')}”${runs === 'always' ? '' : ' (where it can run)'}`,
  )
  return `  - [${name}](../${file}): ${titles.join('; ').replaceAll(/[*_<|]/g, '\\$&')}`
}

if (import.meta.filename === process.argv[1]) {
  const { page: text, faults } = conformance()
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  else if (!process.argv.includes('--check')) writeFileSync(page, text)
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/conformance.md is out of date: run node scripts/pages/conformance-page.ts')
    process.exitCode = 1
  }
}
