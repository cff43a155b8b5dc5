// Tests the generated validator module by loading it as a program does.
import { Type } from '@sinclair/typebox'
import type { ValidateFunction } from 'ajv'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validatorModule } from '../../scripts/validators/validator-module.ts'

const text = Type.Object(
  { type: Type.Literal('text'), text: Type.String({ minLength: 1, description: 'says require("fs")' }) },
  { $id: 'Text', additionalProperties: false },
)
const message = Type.Object({ content: Type.Array(Type.Ref('Text')), description: Type.String() }, { $id: 'Message' })

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-validators-'))
let validators: Record<'text' | 'message', ValidateFunction>

beforeAll(async () => {
  const { code } = validatorModule({ text, message })
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  const file = path.join(folder, 'validators.mjs')
  writeFileSync(file, code)
  // Loaded through Node itself: the module runner of the tests would load Ajv's runtime differently.
  validators = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof validators
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('validatorModule', () => {
  it('exports one validator a schema under its key', () => {
    expect(Object.keys(validators).sort()).toEqual(['message', 'text'])
  })

  it('accepts valid values', () => {
    expect(validators.message({ content: [{ type: 'text', text: 'ö' }], description: '' })).toBe(true)
  })

  it('names the field through a reference, with one error', () => {
    expect(validators.message({ content: [{ type: 'text', text: '' }], description: '' })).toBe(false)
    expect(validators.message.errors).toHaveLength(1)
    expect(validators.message.errors?.[0]).toMatchObject({ instancePath: '/content/0/text', keyword: 'minLength' })
  })

  it('keeps a property whose name is description', () => {
    expect(validators.message({ content: [], description: 1 })).toBe(false)
  })

  it('declares each export', () => {
    expect(validatorModule({ text, message }).declarations).toContain('export declare const message: ValidateFunction')
  })

  it.each([
    ['a key that is no identifier', { 'a-b': text }, 'cannot be the name of an export'],
    ['a schema without $id', { text: Type.String() }, 'has no $id'],
    ['a reference to nothing', { message }, "can't resolve reference Text"],
    ['a keyword that Ajv does not know', { text: { $id: 'T', type: 'object', requird: [] } }, 'unknown keyword'],
    [
      'a format, which needs a package of its own',
      { text: Type.String({ $id: 'T', format: 'uri' }) },
      'unknown format',
    ],
  ])('refuses %s', (_, schemas, fault) => {
    expect(() => validatorModule(schemas)).toThrow(fault)
  })
})
