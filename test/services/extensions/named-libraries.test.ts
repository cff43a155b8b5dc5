// Tests which modules of rxpi the thread of an extension loads: those that its sources name.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as rxpi from '../../../lib/index.ts'
import { importsOnly, isNamed, sourceTexts } from '../../../lib/services/extensions/named-libraries.ts'
import * as small from '../../../lib/services/extensions/small-library.ts'

it('the small library has exports of rxpi alone', () => {
  expect(rxpi).toMatchObject(small)
  for (const [name, value] of Object.entries(small)) expect(rxpi).toHaveProperty(name, value)
})

describe('a source', () => {
  const names = new Set(['defineTool', 'Failure'])

  it.each([
    ['nothing of rxpi', "import { of } from 'rxjs'"],
    ['names of the list', "import { defineTool, Failure } from 'rxpi'"],
    ['names over several lines', 'import {\n  defineTool,\n  Failure,\n} from "rxpi"'],
    ['a name under another one', "import { defineTool as tool } from 'rxpi'"],
    ['types', "import type { Session } from 'rxpi'; import { type Tool, Failure } from 'rxpi'"],
    ['another module of rxpi', "import { ofType } from 'rxpi/operators'"],
  ])('needs the small library for %s', (_, text) => {
    expect(importsOnly(names, text)).toBe(true)
  })

  it.each([
    ['another name', "import { defineTool, createSession } from 'rxpi'"],
    ['the namespace', "import * as rxpi from 'rxpi'"],
    ['the default', "import rxpi, { defineTool } from 'rxpi'"],
    ['an export', "export { defineTool } from 'rxpi'"],
    ['`require`', "const { defineTool } = require('rxpi')"],
    ['a late import', "import { defineTool } from 'rxpi'\nconst all = await import('rxpi')"],
    ['a template', "import { defineTool } from 'rxpi'\nconst all = await import(`rxpi`)"],
    ['a comment between names', "import { defineTool, // the tool\n Failure } from 'rxpi'"],
  ])('needs all of rxpi for %s', (_, text) => {
    expect(importsOnly(names, text)).toBe(false)
  })
})

it('the sources are the single file, or those of the folder that may have code', () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-names-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(path.join(root, 'inner'))
  const texts = { 'index.ts': "import 'rxpi/core'", 'inner/b.mjs': 'import "rxjs"', 'data.json': "'rxpi'" }
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(root, name), text)
  const entry = path.join(root, 'index.ts')
  expect(sourceTexts({ entry, root: entry })).toEqual([texts['index.ts']])
  const files = new Map(Object.keys(texts).map((name) => [name, 'digest']))
  const found = sourceTexts({ entry, root, files }) ?? []
  expect(['rxpi/core', 'rxjs', 'rxpi'].map((name) => isNamed(name, found))).toEqual([true, true, false])
  expect(sourceTexts({ entry, root })).toBeUndefined()
  const many = new Map(Array.from({ length: 201 }, (_, index) => [`m${index}.ts`, 'digest']))
  expect(sourceTexts({ entry, root, files: many })).toBeUndefined()
})
