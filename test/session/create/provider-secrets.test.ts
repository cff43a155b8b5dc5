// Tests which headers and addresses of models.json hold secrets of a session.
import { describe, expect, it } from 'vitest'
import { sessionSecrets } from '../../../lib/session/create/session-secrets.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'

type WrittenProvider = ModelsFile['providers'][string]

function guardedBy(provider: WrittenProvider, variables: Record<string, string> = {}) {
  return sessionSecrets({ env: variables, settings: {}, models: { providers: { one: provider } } })
}

describe('the headers of models.json [S18b]', () => {
  const variables = { ACME: 'planted-acme-01', USER: 'ann-smith', WORK: 'planted-work-01', AGENT: 'planted-agent-01' }
  it.each<[header: string, value: string, output: string, shown: string]>([
    ['authorization', 'Bearer planted-one-01', 'got planted-one-01', 'got [redacted:header of one]'],
    ['X-Api-Key', 'planted-one-01', '"planted-one-01"', '"[redacted:header of one]"'],
    ['cf-access-client-secret', 'planted$$one-01', 'planted$one-01 planted$$one-01', '[redacted:header of one] [redacted:header of one]'], // prettier-ignore
    ['cookie', 'theme=dark; session=planted-one-01', 'planted-one-01, dark', '[redacted:header of one], dark'],
    ['x-upstream', 'Basic cGxhbnRlZDpvbmU=', 'cGxhbnRlZDpvbmU=', '[redacted:header of one]'],
    ['x-api-key', 'pre-$ACME', 'pre-planted-acme-01', '[redacted:header of one]'],
    ['x-api-key', '${ACME}', 'planted-acme-01 ${ACME}', '[redacted:ACME] ${ACME}'],
    ['x-customer', 'for $ACME', 'planted-acme-01', '[redacted:ACME]'],
    ['x-api-key', 'secretly', 'secretly', 'secretly'],
    ['x-team', 'planted-team-01', 'planted-team-01', 'planted-team-01'],
    ['content-type', 'application/json', 'application/json', 'application/json'],
    [
      'user-agent',
      'planted-agent/1.0 $AGENT',
      'planted-agent/1.0 planted-agent-01',
      'planted-agent/1.0 planted-agent-01',
    ],
    ['x-author', 'Ann Smith, 2026', 'Ann Smith, 2026', 'Ann Smith, 2026'],
    ['x-auth-user', '$USER', 'ann-smith', 'ann-smith'],
    ['x-api-key', '!print planted-one-01', 'planted-one-01', 'planted-one-01'],
  ])('%s: %s turns %j into %j', (header, value, output, shown) => {
    const ofProvider = guardedBy({ headers: { [header]: value } }, variables)
    const ofModel = guardedBy({ models: [{ id: 'm', headers: { [header]: value } }] }, variables)
    for (const { secrets } of [ofProvider, ofModel]) expect(secrets?.begin().text(output)).toBe(shown)
  })
})

it.each<[address: string, output: string, shown: string]>([
  ['https://a.example/v1?key=planted-one-01', '"planted-one-01"', '"[redacted:address of one]"'],
  ['https://a.example/v1?team=planted-two-01&subscription-key=pl%2Banted-01', 'pl+anted-01 pl%2Banted-01 planted-two-01', '[redacted:address of one] [redacted:address of one] planted-two-01'], // prettier-ignore
  ['https://a.example/v1?code=planted-one-01&sig=planted-two-01', 'planted-one-01 planted-two-01', '[redacted:address of one] [redacted:address of one]'], // prettier-ignore
  ['https://a.example/v1?sig=planted+one-01', 'planted+one-01', '[redacted:address of one]'],
  ['https://a.example/v1?key=main', 'main', 'main'],
])('the query of the address %s turns %j into %j [S18b]', (baseUrl, output, shown) => {
  const ofProvider = guardedBy({ baseUrl })
  const ofModel = guardedBy({ models: [{ id: 'm', baseUrl }] })
  for (const { secrets } of [ofProvider, ofModel]) expect(secrets?.begin().text(output)).toBe(shown)
})

it('commands lack variables of headers that carry credentials, and keep those of other headers and of the login [S18d]', () => {
  const headers = { 'x-api-key': '$ONE', authorization: 'Bearer ${TWO}', 'x-team': '$TEAM', 'x-for': '$APP_TOKEN' }
  const models = [{ id: 'm', headers: { cookie: 'user=$USER; session=$THREE', 'x-private-token': '$GITHUB_TOKEN' } }]
  const names = ['ONE', 'TWO', 'THREE', 'TEAM', 'APP_TOKEN', 'USER', 'GITHUB_TOKEN']
  const { env: rest } = guardedBy({ headers, models }, Object.fromEntries(names.map((name) => [name, 'planted-01'])))
  expect(Object.keys(rest)).toEqual(['TEAM', 'USER', 'GITHUB_TOKEN'])
})
