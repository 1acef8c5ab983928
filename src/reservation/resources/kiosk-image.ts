import { createHash } from 'node:crypto'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { oneOf, text } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The largest file in bytes. Base64 makes it a third longer, which fits into a large body. */
const largest = 524_288
/** The most dots in each direction. A browser takes four bytes for each of them, whatever the file has: 64 MiB at most. */
const widest = 4_096

/**
 * A picture of the house for its kiosks, one for each use. A picture is a file of dots: SVG can have scripts, and what a browser draws
 * of it depends on its fonts.
 */
export const kioskImage = resource('kiosk-image', {
  base: '/api/config/v1',
  path: 'kiosk-images',
  scopes: { read: 'properties.read', write: 'config.write' },
  operations: ['list', 'create', 'read', 'patch', 'remove'],
  largeBodies: true,
  fields: {
    use: oneOf(['logo', 'picture'], {
      required: true,
      unique: true,
      note: 'The logo stands beside the name of the house, and the picture fills the first page.',
    }),
    content: text({
      required: true,
      hidden: true,
      filterable: false,
      max: Math.ceil(largest / 3) * 4,
      pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      patternForm: 'base64',
      note: `A PNG, JPEG or WebP file of at most ${largest} bytes and ${widest} by ${widest} dots, in base64. It is not shown: \`/kiosk-images/{file}\` has it.`,
    }),
    mediaType: text({ readOnly: true, max: 20, note: 'What the file is, by its first bytes.' }),
    file: text({
      readOnly: true,
      max: 64,
      note: 'The name of the file below `/kiosk-images`. A changed picture has another name.',
    }),
  },
  example: {
    use: 'logo',
    content:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
  rules: {
    write: [
      ({ before, after }) => {
        if (before?.content === after.content) return
        const bytes = Buffer.from(after.content, 'base64')
        after.mediaType = mediaTypeOf(bytes)
        after.file = createHash('sha256').update(bytes).digest('hex')
      },
    ],
  },
})

export type KioskImage = Row<typeof kioskImage.fields>

const kinds = [
  ['image/png', PNG],
  ['image/jpeg', JPG],
  ['image/webp', WEBP],
] as const

function mediaTypeOf(bytes: Buffer): string {
  if (bytes.length > largest)
    throw invalidValue('/content', `A picture has at most ${largest} bytes. Save it smaller.`, {
      limit: largest,
    })
  // A Buffer lies in memory that others have too, and a reader of a cut file would go on there.
  const alone = Uint8Array.from(bytes)
  const [type, width, height] = kinds.map(measured(alone)).find((each) => each !== null) ?? []
  if (!type || !width || !height)
    throw invalidValue(
      '/content',
      'content must be a PNG, JPEG or WebP picture. Save the picture as one of these.',
      { expected: 'PNG, JPEG or WebP file in base64' },
    )
  if (Math.max(width, height) > widest)
    throw invalidValue(
      '/content',
      `A picture has at most ${widest} dots in each direction, and this one has ${width} by ${height}. Save it smaller.`,
      { limit: widest },
    )
  return type
}

/** Returns what a picture says of itself in the bytes at its beginning; null for another kind of file, or a broken one. */
function measured(bytes: Uint8Array) {
  return ([type, kind]: (typeof kinds)[number]): [type: string, width: number, height: number] | null => {
    try {
      if (!kind.validate(bytes)) return null
      const { width, height } = kind.calculate(bytes)
      return [type, width, height]
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return null
      throw error
    }
  }
}
