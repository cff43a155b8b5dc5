// What a first run calls is compiled while its module is loaded: V8 takes a function in parentheses for one that is called at once.
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

/** `start:end` of a function in a module's text, as V8's coverage tells it: in UTF-16 units, the end not included. */
export type FunctionRange = `${number}:${number}`

/**
 * The module with the functions among `called` marked as called at once. Otherwise V8 reads the text of each twice and three
 * times, once for every function around it, and compiles it at its first call — in the middle of the first prompt.
 *
 * Expressions are put in parentheses, which changes nothing else. A declaration on the top level becomes a variable of the
 * same name in front of all other statements; what stands in a module that is evaluated before this one, in a circle of
 * modules, must not call it. Methods, and declarations within functions, stay as they are: there is no such mark for them.
 */
export function eagerFunctions(source: string, called: ReadonlySet<FunctionRange>): string {
  const program = parseAst(source, { lang: 'js' })
  const isCalled = ({ start, end }: Span): boolean => called.has(`${start}:${end}`)
  const marks = parentheses(program, isCalled)
  const declarations = program.body.flatMap((each) =>
    each.type === 'FunctionDeclaration' && isCalled(each) ? [each] : [],
  )
  const front = program.body.findLast(({ type }) => type === 'ImportDeclaration')?.end ?? 0
  const variables = declarations.map((each) => `var ${nameOf(each)} = (${marked(source, marks, each)});\n`)
  let rest = ''
  let at = front
  for (const { start, end } of declarations) {
    rest += marked(source, marks, { start: at, end: start })
    at = end
  }
  return `${source.slice(0, front)}\n${variables.join('')}${rest}${marked(source, marks, { start: at, end: source.length })}`
}

type Program = ReturnType<typeof parseAst>

interface Span {
  readonly start: number
  readonly end: number
}

/** Where in the text which parenthesis is put, in order. */
type Marks = readonly { readonly at: number; readonly text: '(' | ')' }[]

function parentheses(program: Program, isCalled: (span: Span) => boolean): Marks {
  const marks: { at: number; text: '(' | ')' }[] = []
  const mark = (span: Span): void => {
    if (isCalled(span)) marks.push({ at: span.start, text: '(' }, { at: span.end, text: ')' })
  }
  // A method's function begins behind its name, and coverage tells the method with it: no range of one is met here.
  new Visitor({ ArrowFunctionExpression: mark, FunctionExpression: mark }).visit(program)
  return marks.sort((a, b) => a.at - b.at)
}

function marked(source: string, marks: Marks, { start, end }: Span): string {
  let text = ''
  let at = start
  for (const mark of marks) {
    if (mark.at < start || mark.at > end || mark.at === (mark.text === '(' ? end : start)) continue
    text += source.slice(at, mark.at) + mark.text
    at = mark.at
  }
  return text + source.slice(at, end)
}

function nameOf({ id }: { readonly id: { readonly name: string } | null }): string {
  if (id === null) throw new Error('A function declaration of a bundle has no name')
  return id.name
}
