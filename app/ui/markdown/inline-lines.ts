// Formats inline Markdown as spans; always shows the address of a link.
import type { Token } from 'markdown-it'
import { span } from '../text/span.ts'
import type { Line, Span } from '../text/span.ts'
import type { Role } from '../theme/theme.ts'

/** One line, or more if the text has hard breaks. */
export function inlineLines(tokens: readonly Token[], base: readonly Role[] = []): Line[] {
  const lines: Span[][] = [[]]
  const roles: Role[] = [...base]
  const links: { readonly address: string; text: string }[] = []
  const put = (text: string, ...more: Role[]): void => {
    lines.at(-1)?.push(span(text, ...roles, ...more))
    const link = links.at(-1)
    if (link !== undefined) link.text += text
  }
  for (const token of tokens) {
    const role = opening[token.type]
    if (role !== undefined) roles.push(role)
    if (token.type === 'link_open') links.push({ address: String(token.attrGet('href') ?? ''), text: '' })
    switch (token.type) {
      case 'strong_close':
      case 'em_close':
      case 's_close':
        roles.pop()
        break
      case 'link_close': {
        roles.pop()
        const link = links.pop()
        if (link !== undefined && !sameAddress(link)) put(` (${link.address})`, 'dim')
        break
      }
      case 'text':
      case 'html_inline':
        put(token.content)
        break
      case 'code_inline':
        put(token.content, 'code')
        break
      case 'softbreak':
        put(' ')
        break
      case 'hardbreak':
        lines.push([])
        break
      case 'image':
        put(`[picture: ${token.content} ${String(token.attrGet('src') ?? '')}]`, 'dim')
        break
      default:
    }
  }
  return lines
}

const opening: Readonly<Record<string, Role>> = {
  strong_open: 'strong',
  em_open: 'emphasis',
  s_open: 'struck',
  link_open: 'link',
}

function sameAddress({ address, text }: { readonly address: string; readonly text: string }): boolean {
  return address === text || address === `mailto:${text}` || address === `${text}/`
}
