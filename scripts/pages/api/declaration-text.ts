// Prints a declaration as programs see it: without bodies and private members.
import ts from 'typescript'

/** Characters of an initial value that is printed in place of a type. */
const longestValue = 400

export interface DeclarationText {
  /** Markdown of the doc comment; empty if there is none. */
  readonly comment: string
  readonly code: string
}

/** Undefined for a symbol that the library passes on from elsewhere. */
export function declarationText({ declarations = [] }: ts.Symbol, isOwn: (node: ts.Node) => boolean): DeclarationText | undefined {
  const own = declarations.filter(isOwn)
  const [first] = own
  if (first === undefined) return undefined
  const overloads = own.filter((node) => !(ts.isFunctionDeclaration(node) && node.body !== undefined))
  const shown = own.length > 1 && overloads.length > 0 ? overloads : own
  const commented = shown.find((node) => commentOf(node) !== '') ?? first
  return { comment: commentOf(commented), code: shown.map(codeOf).join('\n\n') }
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return comment === undefined ? '' : markdownOf(comment.getText())
}

/** The text of a comment without its stars; `@param` and `@throws` are items of a list. */
function markdownOf(comment: string): string {
  return comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .replaceAll(/^@(\w+) (?:(\w+(?:\.\w+)*) )?/gm, (_, tag: string, word = '') =>
      tag === 'param' ? `\n- \`${word}\`: ` : `\n- **${tag}** ${word === '' ? '' : `${word} `}`,
    )
    .trim()
}

function codeOf(node: ts.Declaration): string {
  if (ts.isFunctionDeclaration(node)) return plain(node, node.body)
  if (ts.isVariableDeclaration(node)) return `const ${variable(node)}`
  if (ts.isClassDeclaration(node)) return classText(node)
  return plain(node)
}

/** The source of a node without its own doc comment, up to `end`. */
function plain(node: ts.Node, end?: ts.Node): string {
  const source = node.getSourceFile().text.slice(node.getStart(), end?.getStart() ?? node.getEnd())
  return source.replace(/^export (?:default )?(?:declare )?/, '').trimEnd()
}

function variable({ name, type, initializer }: ts.VariableDeclaration): string {
  if (type !== undefined) return `${name.getText()}: ${type.getText()}`
  const value = initializer?.getText() ?? ''
  const isFunction = initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  if (isFunction) return `${name.getText()} = ${plain(initializer, initializer.body)} …`
  return value.length > longestValue ? `${name.getText()} = …` : `${name.getText()} = ${value}`
}

function classText(node: ts.ClassDeclaration): string {
  const open = node.members.pos
  const head = node.getSourceFile().text.slice(node.getStart(), open).replace(/^export /, '')
  const members = node.members.filter(isPublic).map((member) => `  ${memberText(member)}`)
  return `${head}\n${members.join('\n')}\n}`
}

function isPublic(member: ts.ClassElement): boolean {
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return false
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) === 0
}

function memberText(member: ts.ClassElement): string {
  const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  const body = ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) ? member.body : undefined
  return `${comment === undefined ? '' : `${comment.getText()}\n  `}${plain(member, body)}`
}
