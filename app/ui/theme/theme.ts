// Maps style roles to terminal attributes and colours; colour alone carries no information.

/** Role of a text. */
export type Role =
  | 'plain'
  | 'dim'
  | 'strong'
  | 'emphasis'
  | 'accent'
  | 'user'
  | 'prompt'
  | 'code'
  | 'heading'
  | 'link'
  | 'quote'
  | 'success'
  | 'warning'
  | 'danger'
  | 'added'
  | 'removed'
  | 'changed'
  | 'selected'
  | 'struck'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'name'

export interface Theme {
  readonly name: 'dark' | 'light' | 'none'
  /** Colours that it was created with. */
  readonly colours: Colours
  /** The role `prompt` has a background: only with many colours, because the 16 are the user's own. */
  readonly hasBackground: boolean
  /** Adds the role's style. The text must be safe already. */
  paint(role: Role, text: string): string
}

/** `none`: attributes such as bold, no colours; `plain`: no styles. */
export type Colours = 'plain' | 'none' | 'basic' | 'many'

interface Look {
  /** SGR attributes that are not colours. */
  readonly attribute?: readonly [on: number, off: number]
  /** One of the 16 colours, as its SGR number. */
  readonly basic?: number
  /** One of 256 colours. */
  readonly dark?: number
  readonly light?: number
  /** The colour is that of the background. */
  readonly isBackground?: boolean
}

const bold = [1, 22] as const
const faint = [2, 22] as const
const italic = [3, 23] as const
const underlined = [4, 24] as const
const inverse = [7, 27] as const

const looks: Readonly<Record<Exclude<Role, 'plain'>, Look>> = {
  dim: { attribute: faint },
  strong: { attribute: bold },
  emphasis: { attribute: italic },
  accent: { basic: 36, dark: 80, light: 30 },
  user: { attribute: bold },
  prompt: { isBackground: true, dark: 236, light: 254 },
  code: { basic: 33, dark: 179, light: 94 },
  heading: { attribute: bold, basic: 36, dark: 80, light: 30 },
  link: { attribute: underlined, basic: 34, dark: 75, light: 26 },
  quote: { attribute: italic },
  success: { basic: 32, dark: 114, light: 28 },
  warning: { basic: 33, dark: 179, light: 130 },
  danger: { basic: 31, dark: 203, light: 160 },
  added: { basic: 32, dark: 114, light: 28 },
  removed: { basic: 31, dark: 203, light: 160 },
  changed: { attribute: inverse },
  selected: { attribute: inverse },
  struck: { attribute: [9, 29] },
  keyword: { basic: 35, dark: 176, light: 90 },
  string: { basic: 32, dark: 114, light: 28 },
  number: { basic: 33, dark: 179, light: 130 },
  comment: { attribute: italic, basic: 90, dark: 245, light: 244 },
  name: { basic: 34, dark: 75, light: 26 },
}

/** Colours of roles in place of those of the theme: one of 256, or `#rrggbb`. They need many colours. */
export type RoleColours = Readonly<Record<string, number | string>>

export function createTheme(name: 'dark' | 'light', colours: Colours, own: RoleColours = {}): Theme {
  const marks = new Map<Role, readonly [string, string]>()
  for (const [role, look] of Object.entries(looks)) {
    const colour = Object.hasOwn(own, role) ? own[role] : undefined
    marks.set(role as Role, marksOf(look, name, colours, colour))
  }
  return {
    name: colours === 'none' || colours === 'plain' ? 'none' : name,
    colours,
    hasBackground: colours === 'many',
    paint: (role, text) => {
      const [on, off] = marks.get(role) ?? ['', '']
      return text === '' || on === '' ? text : `${on}${text}${off}`
    },
  }
}

function marksOf(look: Look, name: 'dark' | 'light', colours: Colours, own?: number | string): [string, string] {
  if (colours === 'plain') return ['', '']
  const { attribute, basic, dark, light, isBackground = false } = look
  const many = (own === undefined ? undefined : colourCode(own)) ?? colourCode(name === 'dark' ? dark : light)
  const ground = isBackground ? '48' : '38'
  const colour =
    colours === 'none' ? undefined : colours === 'many' && many !== undefined ? `${ground};${many}` : basic?.toString()
  const on = [attribute?.[0].toString(), colour].filter((mark) => mark !== undefined)
  const off = [attribute?.[1].toString(), colour === undefined ? undefined : isBackground ? '49' : '39'].filter(
    (mark) => mark !== undefined,
  )
  return on.length === 0 ? ['', ''] : [`\u001b[${on.join(';')}m`, `\u001b[${off.join(';')}m`]
}

/** The SGR parameters after 38 or 48; undefined for what is no colour. */
function colourCode(colour: number | string | undefined): string | undefined {
  if (typeof colour === 'number')
    return Number.isInteger(colour) && colour >= 0 && colour <= 255 ? `5;${colour}` : undefined
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour ?? '')
  return parts === null
    ? undefined
    : `2;${parts
        .slice(1)
        .map((part) => Number.parseInt(part, 16))
        .join(';')}`
}
