// Tests that marking changes only when a function is compiled, not the module or its names.
import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { eagerFunctions } from '../../scripts/build/eager-functions.ts'
import type { FunctionRange } from '../../scripts/build/eager-functions.ts'

/** The ranges of these parts of the source, each of which occurs once. */
function rangesOf(source: string, parts: readonly string[]): Set<FunctionRange> {
  return new Set(
    parts.map((part): FunctionRange => {
      expect(source.split(part), part).toHaveLength(2)
      const start = source.indexOf(part)
      return `${start}:${start + part.length}`
    }),
  )
}

function marked(source: string, parts: readonly string[]): string {
  return eagerFunctions(source, rangesOf(source, parts))
}

it.each([
  ['an arrow', 'const f=x=>x+1', ['x=>x+1'], '\nconst f=(x=>x+1)'],
  ['one in another', 'const f=a=>b=>a+b;', ['a=>b=>a+b', 'b=>a+b'], '\nconst f=(a=>(b=>a+b));'],
  ['the inner one alone', 'const f=a=>b=>a+b;', ['b=>a+b'], '\nconst f=a=>(b=>a+b);'],
  ['an async one', 'const o={f:async()=>1}', ['async()=>1'], '\nconst o={f:(async()=>1)}'],
  ['a function expression', 'const f=function(){}', ['function(){}'], '\nconst f=(function(){})'],
  ['one behind umlauts', "const s='äöü…😀',f=()=>s", ['()=>s'], "\nconst s='äöü…😀',f=(()=>s)"],
  ['a declaration', 'g();function g(){}', ['function g(){}'], '\nvar g = (function g(){});\ng();'],
  [
    'a declaration behind imports, with an arrow in it',
    "import{a}from'a'\nexport{g};function g(){return()=>a}",
    ['function g(){return()=>a}', '()=>a'],
    "import{a}from'a'\nvar g = (function g(){return(()=>a)});\n\nexport{g};",
  ],
  ['a method', 'class A{m(){}get z(){return 1}}', ['m(){}', 'get z(){return 1}'], '\nclass A{m(){}get z(){return 1}}'],
  ['a declaration in a function', 'function f(){function g(){}}', ['function g(){}'], '\nfunction f(){function g(){}}'],
  ['leaves functions without a call unchanged', 'const f=()=>1;function g(){}', [], '\nconst f=()=>1;function g(){}'],
])('%s', (_, source, called, expected) => {
  expect(marked(source, called)).toBe(expected)
})

it('does not change the behaviour of a module', async () => {
  const declared = ['function outer(list){return list.map(each=>inner(each))}', 'function inner(x){return x*2}']
  const source = `const notices=[outer([1,2])];
const named=()=>1;const o={m:function(){return this.n},n:5};
notices.push(named.name,o.m.name,outer.name,inner.length,o.m());
export{notices,inner as twice};
${declared.join('\n')}`
  const rewritten = marked(source, [...declared, 'each=>inner(each)', '()=>1', 'function(){return this.n}'])
  expect(rewritten).not.toContain('\nfunction')
  const load = (text: string): Promise<unknown> => import(`data:text/javascript,${encodeURIComponent(text)}`)
  const { notices, twice } = (await load(rewritten)) as { notices: unknown; twice: (x: number) => number }
  expect(notices).toEqual([[2, 4], 'named', 'm', 'outer', 1, 5])
  expect(twice(4)).toBe(8)
})

it('makes V8 compile marked functions with the module', () => {
  const long = `function f(x){${'x=x*2+1;if(x>9){x-=3};'.repeat(50)}return x}`
  const compiled = (source: string): number => new Script(source).createCachedData().length
  expect(compiled(marked(long, [long]))).toBeGreaterThan(compiled(long) + 500)
})
