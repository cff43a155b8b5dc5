// Tests which variable of a URI template a person is typing, and the URIs of its values.
import { describe, expect, it } from 'vitest'
import { openVariable } from '../../../lib/mcp/content/uri-template.ts'

describe('the variable at the end', () => {
  it.each([
    ['note:///{day}', 'note:///', { name: 'day', value: '', known: {}, isLast: true }],
    ['note:///{day}', 'note:///to', { name: 'day', value: 'to', known: {}, isLast: true }],
    ['file:///{+path}', 'file:///a/b%20c', { name: 'path', value: 'a/b c', known: {}, isLast: true }],
    ['db://{table}/{row}', 'db://us', { name: 'table', value: 'us', known: {}, isLast: false }],
    ['db://{table}/{row}', 'db://users/', { name: 'row', value: '', known: { table: 'users' }, isLast: true }],
    ['db://{table}/{row}.json', 'db://users/7', { name: 'row', value: '7', known: { table: 'users' }, isLast: true }],
  ])('of %s in %s', (template, typed, expected) => {
    expect(openVariable(template, typed)).toMatchObject(expected)
  })

  it.each([
    ['another text', 'note:///{day}', 'file:///x'],
    ['half of the fixed text', 'note:///{day}', 'note:/'],
    ['no variable', 'note:///today', 'note:///today'],
    ['the fixed text behind the last variable', 'a:{b}.json', 'a:1.json'],
    ['an expression of another form', 'a:{?b,c}', 'a:'],
    ['half of an escape', 'a:{b}', 'a:x%2'],
    ['a brace that does not close', 'a:{b', 'a:'],
  ])('is none for %s', (_name, template, typed) => {
    expect(openVariable(template, typed)).toBeUndefined()
  })
})

it('a value is written as the expression wants it', () => {
  expect(openVariable('db://{table}/{row}', 'db://u')?.expand('a b/c')).toBe('db://a%20b%2Fc/')
  expect(openVariable('db://{table}/{row}', 'db://u/')?.expand('1')).toBe('db://u/1')
  expect(openVariable('file:///{+path}', 'file:///')?.expand('a b/\ud800')).toBe('file:///a%20b/%EF%BF%BD')
})
