// Tests which headers and query values of a request count as secrets.
import { describe, expect, it } from 'vitest'
import { urlSecrets, headerSecrets } from '../../../lib/providers/http/request-secrets.ts'

describe('sentSecrets', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ Authorization: 'Bearer sk-1234' }, ['sk-1234']],
    [{ 'Proxy-Authorization': 'Basic dXNlcg==' }, ['dXNlcg==']],
    [{ 'x-api-key': 'sk-1234', Cookie: 'a=bcde' }, ['a=bcde', 'sk-1234']],
    [{ 'content-type': 'application/json', 'user-agent': 'rxpi' }, []],
    [{ authorization: 'Bearer abc' }, []],
    [{ 'X-Token': 'no\nheader' }, ['no\nheader']],
    [{ 'x-team': 'tools', 'x-stainless-lang': 'javascript', 'anthropic-version': '2023-06-01' }, []],
    [{ 'x-team': 'planted-value' }, ['planted-value']],
    [{}, []],
  ])('of %j are %j', (headers, secrets) => {
    expect(headerSecrets(Object.entries(headers)).sort()).toEqual(secrets)
  })
})

describe('secretsOfAddress', () => {
  it('are the long values of its query', () => {
    expect(urlSecrets(new URL('https://a.b/v1?alt=sse&key=AIza-planted&api-version=v1'))).toEqual(['AIza-planted'])
  })
})
