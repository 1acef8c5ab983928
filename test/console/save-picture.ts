import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

export const handbookPictures = join(import.meta.dirname, '../../src/handbook/pictures')

interface Picture {
  folder: string
  name: string
  /** In pixels. */
  width: number
}

/**
 * Saves a PNG as a picture. Chromium writes WebP only from a canvas, which pages may refuse,
 * so that an empty page does it.
 */
export async function save(browser: Browser, png: Buffer, { folder, name, width }: Picture): Promise<void> {
  const empty = await browser.newPage()
  const webp = await empty.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = ${width}
    canvas.height = Math.round(image.height * ${width} / image.width)
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/webp', 0.75)
  })()`)
  await empty.close()
  const bytes = Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64')
  writeFileSync(join(folder, `${name}.webp`), bytes)
  console.log(`${name}.webp ${bytes.length} bytes`)
}
