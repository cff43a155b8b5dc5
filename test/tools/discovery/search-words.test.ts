// Tests how names and queries are split into words.
import { expect, it } from 'vitest'
import { queryWords, searchWords } from '../../../lib/tools/discovery/search-words.ts'

it.each([
  ['create_issue', ['create', 'issue']],
  ['API-post-page', ['api', 'post', 'page']],
  ['getHTTPServer', ['get', 'http', 'server']],
  ['HassTurnOn', ['hass', 'turn', 'on']],
  ['sha256Sum', ['sha256', 'sum']],
  ['Créer un Événement', ['creer', 'un', 'evenement']],
  ['Straße übers Ødegård', ['straße', 'ubers', 'ødegard']],
  ['日本語 検索', ['日本語', '検索']],
  ['__--  ', []],
])('splits %j [TOOLS-discovery-words]', (text, words) => {
  expect(searchWords(text)).toEqual(words)
})

it('reads the first 4,096 units of a text', () => {
  expect(searchWords(`${'a'.repeat(4_095)} b c`)).toEqual(['a'.repeat(4_095)])
})

it.each([
  ['How do I send an email?', ['send', 'email']],
  ['the a of', ['the', 'a', 'of']],
  ['?', []],
])('takes from the query %j what says something', (query, words) => {
  expect(queryWords(query)).toEqual(words)
})
