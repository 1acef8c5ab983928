import { signal } from '@preact/signals'
import { h } from 'preact'
import type { View } from '../lib/controls/el.ts'
import { ApiError, getList, getOne, sendOne } from '../lib/server/api.ts'
import type { PersonHelp } from './call.ts'
import type { drawings } from './drawings.ts'
import type { letters } from './keyboard/letters.ts'
import type { numberIn } from './keyboard/scanned.ts'

type Late = PersonHelp<View> &
  ReturnType<typeof drawings<View>> & { letters: typeof letters; numberIn: typeof numberIn }

/** What is loaded after the first screen; null until it is there. */
export const late = signal<Late | null>(null)

const refusalOf = (error: unknown) => (error instanceof ApiError ? error : null)

/** Loads it, so that it is there when the line to the box is lost. Rejects without an answer of the box. */
export async function loadLate(): Promise<Late> {
  const [{ personHelp }, { drawings }, { letters }, { numberIn }] = await Promise.all([
    import('./call.ts'),
    import('./drawings.ts'),
    import('./keyboard/letters.ts'),
    import('./keyboard/scanned.ts'),
  ])
  late.value ??= {
    ...personHelp<View>({ getOne, getList, sendOne, h, refusalOf }),
    ...drawings<View>(h),
    letters,
    numberIn,
  }
  return late.value
}
