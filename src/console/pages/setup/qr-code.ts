import { encode } from 'uqr'
import { el, type View } from '../lib/el.ts'

/** A QR code of a text, dark on light in each colour scheme, because cameras need that. `label` says what it is for. */
export function QrCode({ text, label }: { text: string; label: string }): View {
  const { data, size } = encode(text, { border: 3 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return el.svg(
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    el.rect({ width: size, height: size, fill: '#fff' }),
    el.path({ d: dark.join(''), fill: '#000' }),
  )
}
