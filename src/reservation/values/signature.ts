import { invalidValue } from '../../resource/problem.ts'

/** A stroke is a list of points. A point has x and y in thousandths of the width of the field that was signed, from its upper left. */
export type Signature = [x: number, y: number][][]

const coordinate = { type: 'integer', minimum: 0, maximum: 1_000 }
const point = { type: 'array', minItems: 2, maxItems: 2, items: coordinate }

export const signatureSchema = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  items: { type: 'array', minItems: 1, maxItems: 2_000, items: point },
  description:
    'The strokes of the pen, each a list of points: x and y in thousandths of the width of the field, from its upper left.',
}

/** A pen that was put down once by mistake has fewer points. */
const fewestPoints = 5
/** About 24 kB of JSON. A signature of ten seconds at 60 points a second has 600. */
const mostPoints = 2_000

/** Throws 422 `validation-failed` for strokes with too few or too many points. */
export function expectSignature(strokes: Signature): void {
  const points = strokes.reduce((sum, { length }) => sum + length, 0)
  if (points >= fewestPoints && points <= mostPoints) return
  throw invalidValue(
    '/signature',
    points < fewestPoints
      ? `A signature has at least ${fewestPoints} points, and this one has ${points}. Ask the guest to sign.`
      : `A signature has at most ${mostPoints} points, and this one has ${points}. Send fewer points of each stroke.`,
    { expected: `${fewestPoints}..${mostPoints} points`, points },
  )
}
