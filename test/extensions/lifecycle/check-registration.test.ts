// Tests which names of commands an extension may register.
import { expect, it } from 'vitest'
import type { ApiParts } from '../../../lib/extensions/lifecycle/api-parts.ts'
import { checkCommand } from '../../../lib/extensions/lifecycle/check-registration.ts'
import { contributions } from '../../../lib/extensions/lifecycle/contributions.ts'

const parts = { contributions: contributions(), manifest: { name: 'own', version: '1.0.0' } } as unknown as ApiParts // what is read

it.each([undefined, 7, '', '/slash', '1st', 'a b', 'a'.repeat(101)])('refuses a command with the name %j', (name) => {
  const command = { name: name as string, description: '', run: () => undefined }
  expect(() => checkCommand(parts, command)).toThrow('has to be a letter, then letters')
})
