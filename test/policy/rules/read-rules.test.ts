// Tests the rules of a session as they are read: examples first, then settings and remembered rules together.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadExampleReader } from '../../../lib/policy/decide/load-shell.ts'
import { readRules } from '../../../lib/policy/rules/read-rules.ts'
import { approvalsFile } from '../../../lib/policy/rules/remembered-rules.ts'
import type { RuleSet } from '../../../lib/policy/rules/rule-set.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'
import { resultOf } from '../../support/result-of.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-read-rules-'))
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

const read$ = (permissions: Permissions, more: { readonly home?: string } = { home }) =>
  readRules({ permissions, file: '/c/settings.json', roots: { folder: '/w/p', home: '/home/ada' }, loadReader: loadExampleReader, ...more }) // prettier-ignore

describe('reading the rules', () => {
  it('joins those of the settings and the remembered ones, at once without examples of commands', () => {
    writeFileSync(approvalsFile(home), JSON.stringify({ version: 1, everywhere: ['bash(ls *)'] }))
    const found: RuleSet[] = []
    read$({ allow: ['bash(npm test)'], deny: [{ rule: 'read(.env)', match: ['a/.env'] }] }).subscribe((set) => found.push(set)) // prettier-ignore
    expect(found.map(({ allow, deny }) => [allow, deny].map((list) => list.map(({ text, source }) => [text, source])))).toEqual([
      [[['bash(npm test)', 'user'], ['bash(ls *)', 'remembered']], [['read(.env)', 'user']]],
    ]) // prettier-ignore
  })

  it('reads no remembered rules without a state folder', async () => {
    writeFileSync(approvalsFile(home), 'broken')
    expect((await resultOf(read$({ ask: ['bash'] }, {}))).ask).toHaveLength(1)
    await expect(resultOf(read$({}))).rejects.toMatchObject({ code: 'bad_config' })
  })

  it.each<[Permissions, string, string]>([
    [{ allow: ['write', { rule: 'bash(npm run *)', match: ['npm run a', 'npm test'] }] }, 'permissions.allow[1]', 'it does not match its example "npm test"'], // prettier-ignore
    [{ allow: [{ rule: 'Bash(npm run:*)', match: ['npm run a && rm b'] }] }, 'permissions.allow[0]', 'it does not match its example "npm run a && rm b"'], // prettier-ignore
    [{ deny: [{ rule: 'bash(rm *)', notMatch: ['sudo rm x'] }] }, 'permissions.deny[0]', 'it matches "sudo rm x", which stands in notMatch'], // prettier-ignore
    [{ ask: [{ rule: 'read(./secrets/**)', match: ['secret/a'] }] }, 'permissions.ask[0]', 'it does not match its example "secret/a"'], // prettier-ignore
  ])('refuses rules that miss an example: %j [POLICY-examples]', async (permissions, key, fault) => {
    const rule = Object.values(permissions).flat().flatMap((entry) => (typeof entry === 'string' ? [] : [entry.rule])).join() // prettier-ignore
    await expect(resultOf(read$(permissions))).rejects.toMatchObject({
      code: 'bad_config',
      message: `/c/settings.json: the rule ${JSON.stringify(rule)} in ${key} is not valid: ${fault}`,
    })
  })
})
