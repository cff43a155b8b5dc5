// Schema of `packages.json`, the list of the installed packages.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1, maxLength: 8_192 })

/** A package with the version and the content that it was installed with. */
export const InstalledPackage = Type.Object(
  {
    /** `npm:NAME`, `npm:NAME@VERSION`, `git:URL`, `git:URL@REF`, or the absolute path of a tarball or a folder. */
    source: text,
    name: text,
    version: Type.Optional(Type.String({ maxLength: 256 })),
    /** A folder that is used where it is, absolute: it was named by its path. */
    link: Type.Optional(text),
    /** The name of its folder in `installed/`. */
    key: Type.String({ pattern: '^[A-Za-z0-9._@+-]{1,200}$' }),
    /** The package in that folder, relative; `.` if it is the folder itself. */
    folder: Type.String({ pattern: '^(?!/)(?!.*(?:^|/)\\.\\.(?:/|$)).+$', maxLength: 1_024 }),
    /** Of the tarball (`sha512-…`), or the commit of a git repository. */
    integrity: Type.Optional(Type.String({ maxLength: 1_024 })),
    /** A version or ref was named: `rxpi update` leaves it. */
    pinned: Type.Boolean(),
    /** Unix ms. */
    at: Type.Number({ minimum: 0 }),
  },
  closed,
)
export type InstalledPackage = Readonly<Static<typeof InstalledPackage>>

export const PackagesFile = Type.Object(
  { v: Type.Literal(1), packages: Type.Array(InstalledPackage, { maxItems: 500 }) },
  { $id: 'PackagesFile', ...closed },
)
export type PackagesFile = Static<typeof PackagesFile>
