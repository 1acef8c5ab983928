import { useRef } from 'preact/hooks'
import { button } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { fieldTexts } from './texts.ts'

/** Strokes of points, each x and y in thousandths of the width of the field. */
export type Signature = [x: number, y: number][][]

/** The field is as high as 0.3 of its width. */
const height = 300
/** The box takes 2,000 points. */
const mostPoints = 1_990
/** A nearer point shows no difference. */
const nearest = 4

/** A signature as it was written. */
export function signaturePicture(strokes: Signature): View {
  return el.svg(
    {
      viewBox: `0 0 1000 ${height}`,
      width: '300',
      role: 'img',
      'aria-label': fieldTexts.value.signature,
      ...line,
    },
    el.path({ d: pathOf(strokes) }),
  )
}

const line = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 5,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const

/** A stroke of one point becomes a dot: a line to itself. */
const pathOf = (strokes: Signature) =>
  strokes.map((points) => `M${[...points, ...points.slice(-1)].join('L')}`).join('')

interface PadOptions {
  strokes: Signature
  change: (strokes: Signature) => void
}

/** A field that a guest signs with a finger, a pen or the mouse. */
export function SignaturePad({ strokes, change }: PadOptions): View {
  const isDown = useRef(false)
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent): [number, number] => {
    const { left, top, width } = (currentTarget as Element).getBoundingClientRect()
    const part = (length: number, most: number) =>
      Math.min(most, Math.max(0, Math.round((length / width) * 1_000)))
    return [part(clientX - left, 1_000), part(clientY - top, height)]
  }
  const down = (event: PointerEvent) => {
    ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    isDown.current = true
    change([...strokes, [pointOf(event)]])
  }
  const move = (event: PointerEvent) => {
    const stroke = strokes.at(-1)
    const last = stroke?.at(-1)
    if (!isDown.current || !stroke || !last || strokes.flat().length >= mostPoints) return
    const next = pointOf(event)
    if (Math.hypot(next[0] - last[0], next[1] - last[1]) < nearest) return
    change([...strokes.slice(0, -1), [...stroke, next]])
  }
  const up = () => {
    isDown.current = false
  }
  return el.div(
    { class: 'field' },
    el.span(null, fieldTexts.value.signHere),
    el.svg(
      {
        viewBox: `0 0 1000 ${height}`,
        width: '100%',
        style: { touchAction: 'none', border: '1px solid' },
        role: 'img',
        'aria-label': fieldTexts.value.signHere,
        onPointerDown: down,
        onPointerMove: move,
        onPointerUp: up,
        onPointerCancel: up,
        ...line,
      },
      strokes.length > 0 && el.path({ d: pathOf(strokes) }),
    ),
    strokes.length > 0 && button(fieldTexts.value.signAgain, { onClick: () => change([]), icon: 'undo' }),
  )
}
