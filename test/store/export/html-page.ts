// Parses a page as a browser does: its elements, attributes and texts.
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'

export interface PageElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text of the element and all elements in it. */
  readonly text: string
}

/** All elements in document order. */
export function pageElements(html: string): PageElement[] {
  const found: PageElement[] = []
  const visit = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value
    if (!('childNodes' in node)) return ''
    const index = 'tagName' in node ? found.push({ name: node.tagName, attributes: {}, text: '' }) - 1 : -1
    const children = 'content' in node ? [...node.childNodes, node.content] : node.childNodes
    const text = children.map(visit).join('')
    if ('tagName' in node) found[index] = { name: node.tagName, attributes: attributesOf(node), text }
    return text
  }
  visit(parse(html))
  return found
}

function attributesOf({ attrs }: DefaultTreeAdapterTypes.Element): Record<string, string> {
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]))
}

const names = new Set(
  (
    'html head meta title style body header h1 h2 h3 h4 h5 h6 main article p a time span div details summary pre code img em ' +
    'strong s ul ol li blockquote hr br table thead tbody tr th td'
  ).split(' '),
)
const attributes = new Set([
  'lang',
  'charset',
  'http-equiv',
  'content',
  'name',
  'class',
  'id',
  'href',
  'rel',
  'title',
  'start',
  'alt',
  'src',
])

/** Everything in a page that could run, load, style or link outside; an empty list is right. */
export function pageFaults(html: string): string[] {
  return pageElements(html).flatMap(({ name, attributes: list }) => [
    ...(names.has(name) ? [] : [`element ${name}`]),
    ...Object.keys(list)
      .filter((attribute) => !attributes.has(attribute))
      .map((attribute) => `attribute ${attribute} of ${name}`),
    ...addressFaults(name, list),
  ])
}

function addressFaults(name: string, { href, src, class: classes = '' }: Readonly<Record<string, string>>): string[] {
  const faults: string[] = []
  if (href !== undefined && !(name === 'a' && /^(?:https?:\/\/|mailto:|#[a-z2-7]{8}$)/i.test(href)))
    faults.push(`href ${href}`)
  if (src !== undefined && !(name === 'img' && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(src)))
    faults.push(`src ${src}`)
  if (!/^[\w .-]*$/.test(classes)) faults.push(`class ${classes}`)
  return faults
}
